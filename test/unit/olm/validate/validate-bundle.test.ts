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
  /** Reason why nothing was checked. */
  readonly fatal?: string;
}

interface Found {
  readonly findings: Set<string>;
  readonly exit: number;
  readonly fatal?: string;
}

describe("validateBundle", () => {
  it.each(Object.entries(cases))("reports the findings of operator-sdk: %s", async (name, bundle) => {
    const { exit, outputs = [], fatal } = recorded[name]!;
    const found = await validate(bundle);
    if (bundle.stricter) return expect([exit, found.exit], bundle.stricter).toEqual([0, 1]);
    expect(found.fatal !== undefined, found.fatal ?? fatal).toBe(fatal !== undefined);
    expect(found.findings).toEqual(withoutEchoes(new Set(outputs.flatMap(rulesOf))));
    expect(found.exit).toBe(exit);
  });

  it("compares at least sixty bundles", () => {
    expect(Object.keys(cases).length).toBeGreaterThanOrEqual(60);
    expect(Object.keys(recorded)).toEqual(Object.keys(cases));
  });
});

async function validate(bundle: BundleCase): Promise<Found> {
  try {
    const { flags = [] } = bundle;
    const flag = (name: string): string | undefined => flags[flags.indexOf(name) + 1 || flags.length];
    const selector = flag("--select-optional");
    const [key, value] = flag("--optional-values")?.split("=") ?? [];
    const validators = selector ? selectValidators(selector) : [];
    const content = bundleOf(bundle);
    const options = {
      ...(key ? { [key]: value } : {}),
      ...(key === "index-path" ? { indexDockerfile: content.get(value!.replace("bundle/", ""))! } : {}),
    };
    const all = await validateBundle(loadBundle(content), validators, options);
    // The Go tool intends to check the names of channels, but does not see the annotations that hold them.
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

/** Drops the warnings by which the validator "community" repeats its errors. */
function withoutEchoes(findings: ReadonlySet<string>): Set<string> {
  const isEcho = (finding: string): boolean => finding === "warning community" && findings.has("error community");
  return new Set([...findings].filter((finding) => !isEcho(finding)));
}

/** Returns the rules behind a message of operator-sdk; a message about the format covers several. */
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
  [/dependency of type|^(Package|API|Label|The) |^Invalid (semver|CEL)/, "dependency"],
  [/unsupported media type/, "unsupported-kind"],
  [/error validating object|Object 'Kind'/, "object-metadata"],
  [/invalid service account/, "service-account"],
  [/duplicate CRD/, "crd-twice"],
  [/owned CRD ".*" not found/, "owned-crd-missing"],
  [/not defined in CSV/, "crd-not-owned"],
  [/couldn't parse plural.group/, "owned-crd-name"],
  [/(metadata.name|spec.replaces) ".*" is invalid/, "csv-name"],
  [/annotations not found/, "examples-missing"],
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
  [/index image file|Upgrade the APIs from|Migrate the APIs for/, "community-index"],
  [/removed in v1.22/, "removed-1.22"],
  [/removed in v1.25/, "removed-1.25"],
  [/removed in v1.26/, "removed-1.26"],
  [/k8s key option/, "k8s-version"],
  [/bundle compressed size/, "bundle-size"],
  [/olm.maxOpenShiftVersion|olm.properties/, "community"],
];

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
