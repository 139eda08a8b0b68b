import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { TsopError } from "../../../../src/errors/tsop-error.ts";
import { loadBundle } from "../../../../src/olm/bundle/load-bundle.ts";
import { selectValidators } from "../../../../src/olm/validate/optional-validators.ts";
import { validateBundle } from "../../../../src/olm/validate/validate-bundle.ts";
import { bundleOf, type BundleCase } from "../bundle-case.ts";
import { rulesOf } from "./rules-of.ts";

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

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
