import { expect, it } from "vitest";
import type { CustomResourceDefinition } from "../../../../src/apimachinery/crd/crd-types.ts";
import { loadBundle } from "../../../../src/olm/bundle/load-bundle.ts";
import { selectValidators } from "../../../../src/olm/validate/optional-validators.ts";
import { validateBundle } from "../../../../src/olm/validate/validate-bundle.ts";
import { bundleOf, type BundleCase } from "../bundle-case.ts";

const { crds } = loadBundle(bundleOf({}));
const withoutRequired = [
  "    required:\n    - description: kept\n      displayName: Backup\n      kind: Backup\n      name: backups.other.example.com\n      version: v1\n",
  "",
] as const;
const supports = (mode: string, supported: boolean): [string, string] => [
  `- supported: ${!supported}\n    type: ${mode}`,
  `- supported: ${supported}\n    type: ${mode}`,
];

it.each<[string, BundleCase, string[]]>([
  ["nothing in the bundle of a new project", {}, []],
  [
    "dependencies",
    {
      write: {
        "metadata/dependencies.yaml": "dependencies:\n- type: olm.package\n  value: {packageName: a, version: 1.0.0}\n",
      },
    },
    ["error olm-v1"],
  ],
  [
    "one namespace only",
    { edit: { csv: [supports("AllNamespaces", false), supports("SingleNamespace", true)] } },
    ["warning olm-v1"],
  ],
  [
    "several namespaces only",
    { edit: { csv: [supports("AllNamespaces", false), supports("MultiNamespace", true)] } },
    ["error olm-v1"],
  ],
  [
    "conditions of operators",
    { edit: { csv: [["          - memcacheds\n", "          - memcacheds\n          - operatorconditions\n"]] } },
    ["warning olm-v1"],
  ],
  ["a field that is gone", { edit: { crd: [["              size:", "              other:"]] } }, ["error olm-v1-crd"]],
  ["another default", { edit: { crd: [["default: 3", "default: 4"]] } }, ["error olm-v1-crd"]],
])("the olmv1 validator reports %s", async (_title, { edit, ...bundle }, expected) => {
  expect(await findings({ ...bundle, edit: { ...edit, csv: [withoutRequired, ...(edit?.["csv"] ?? [])] } })).toEqual(
    expected,
  );
});

it("the olmv1 validator reports CRDs that a bundle requires", async () => {
  expect(await findings({})).toEqual(["error olm-v1"]);
});

async function findings(bundle: BundleCase): Promise<string[]> {
  const previousCrds = crds as unknown as readonly CustomResourceDefinition[];
  const all = await validateBundle(loadBundle(bundleOf(bundle)), selectValidators("name=olmv1"), { previousCrds });
  return all.filter(({ rule }) => rule.startsWith("olm-v1")).map(({ level, rule }) => `${level} ${rule}`);
}
