import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { TsopError } from "../../../../src/errors/tsop-error.ts";
import { loadBundle } from "../../../../src/olm/bundle/load-bundle.ts";
import { selectValidators } from "../../../../src/olm/validate/optional-validators.ts";
import { validateBundle } from "../../../../src/olm/validate/validate-bundle.ts";
import { bundleOf, type BundleCase } from "../bundle-case.ts";

const cases = load(read("../cases/findings.yaml")) as Record<string, BundleCase>;
const recorded = JSON.parse(read("../recorded/findings.json")) as Record<string, Recorded>;

interface Recorded {
  readonly exit: number;
  readonly outputs?: readonly string[];
  /** Why nothing was checked. */
  readonly fatal?: string;
}

describe("validateBundle", () => {
  it.each(Object.entries(cases))("finds what operator-sdk finds: %s", (name, bundle) => {
    const { exit, outputs = [], fatal } = recorded[name]!;
    const found = validate(bundle);
    expect(found.fatal !== undefined, found.fatal ?? fatal).toBe(fatal !== undefined);
    expect(found.findings).toEqual(new Set(outputs.flatMap(rulesOf)));
    expect(found.exit).toBe(exit);
  });

  it("has at least sixty bundles to compare", () => {
    expect(Object.keys(cases).length).toBeGreaterThanOrEqual(60);
    expect(Object.keys(recorded)).toEqual(Object.keys(cases));
  });
});

function validate(bundle: BundleCase): { findings: Set<string>; exit: number; fatal?: string } {
  try {
    const { flags = [] } = bundle;
    const flag = (name: string): string | undefined => flags[flags.indexOf(name) + 1 || flags.length];
    const selector = flag("--select-optional");
    const [key, value] = flag("--optional-values")?.split("=") ?? [];
    const validators = selector ? selectValidators(selector) : [];
    const all = validateBundle(loadBundle(bundleOf(bundle)), validators, key ? { [key]: value } : {});
    // The Go tool means to check the names of channels, but does not see the annotations that hold them.
    const findings = all.filter(({ rule }) => rule !== "channel-name");
    return {
      findings: new Set(findings.map(({ level, rule }) => `${level} ${rule}`)),
      exit: findings.some(({ level }) => level === "error") ? 1 : 0,
    };
  } catch (error) {
    if (!(error instanceof TsopError)) throw error;
    return { findings: new Set(), exit: 1, fatal: error.message };
  }
}

/** The rules that a message of operator-sdk stands for; a message of the format holds several. */
function rulesOf(output: string): string[] {
  const [level = ""] = output.split(" ");
  const parts = /Bundle validation errors: (.*)/s.exec(output)?.[1]?.split(/,(?=[A-Z])/) ?? [output];
  return parts.map((part) => {
    const rule = ruleTexts.find(([text]) => text.test(part))?.[1];
    if (!rule) throw new Error(`no rule is known for: ${part}`);
    return `${level} ${rule}`;
  });
}

const ruleTexts: readonly (readonly [RegExp, string])[] = [
  [/^Missing annotation|^Expecting annotation/, "annotation"],
  [/dependency of type|^(Package|API|Label) |^Invalid semver/, "dependency"],
  [/unsupported media type/, "unsupported-kind"],
  [/error validating object/, "object-metadata"],
  [/invalid service account/, "service-account"],
  [/duplicate CRD/, "crd-twice"],
  [/owned CRD ".*" not found/, "owned-crd-missing"],
  [/not defined in CSV/, "crd-not-owned"],
  [/couldn't parse plural.group/, "owned-crd-name"],
  [/(metadata.name|spec.replaces) ".*" is invalid/, "csv-name"],
  [/example annotations not found/, "examples-missing"],
  [/both `alm-examples` and `olm.examples`/, "examples-twice"],
  [/invalid character|error decoding example/, "examples-invalid"],
  [/example must have a provided API/, "example-without-api"],
  [/provided API should have an example/, "api-without-example"],
  [/install modes not found/, "install-modes-missing"],
  [/none of InstallModeTypes/, "install-modes-unsupported"],
  [/only AllNamespaces InstallModeType/, "install-modes-conversion"],
  [/[mM]inKubeVersion/, "min-kube-version"],
  [/required field missing/, "required-field"],
  [/uses wrong case/, "annotation-case"],
  [/found olm.properties annotation/, "annotation-properties"],
  [/Field (metadata\.name|spec\.)/, "crd"],
  [/csv.Spec.(Provider|Maintainers|Links|Version)/, "hub"],
  [/csv.Spec.Icon/, "hub-icon"],
  [/Annotations.Capabilities/, "capabilities"],
  [/Annotations\["categories"\]/, "categories"],
  [/validator is deprecated/, "deprecated-validator"],
  [/unable to find the resource requests/, "no-requests"],
  [/has an empty description/, "no-description"],
  [/permissions to create CRD/, "creates-crds"],
  [/recommended naming convention/, "csv-name-convention"],
  [/removed in v1.22/, "removed-1.22"],
  [/removed in v1.25/, "removed-1.25"],
  [/k8s key option/, "k8s-version"],
];

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
