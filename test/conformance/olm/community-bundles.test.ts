import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TsopError } from "../../../src/errors/tsop-error.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import type { BundleContent } from "../../../src/olm/bundle/bundle.ts";
import { loadBundle, readBundleFolder } from "../../../src/olm/bundle/load-bundle.ts";
import { renderBundle } from "../../../src/olm/catalog/render-bundle.ts";
import { selectValidators } from "../../../src/olm/validate/optional-validators.ts";
import { validateBundle } from "../../../src/olm/validate/validate-bundle.ts";
import { rulesOf } from "../../unit/olm/validate/rules-of.ts";

const bundles = process.env["TSOP_BUNDLES"];
const program = join(process.env["KUBEBUILDER_ASSETS"] ?? "", "operator-sdk");
const opm = join(process.env["KUBEBUILDER_ASSETS"] ?? "", "opm");
const selector = "suite=operatorframework";

/** Findings, one for each level and rule, or why nothing was checked. */
interface Verdict {
  readonly findings: Set<string>;
  readonly fatal: boolean;
}

/** What the two tools see otherwise in bundles of community catalogs, and why. */
const differences: readonly { readonly reason: string; readonly drop: (finding: string) => boolean }[] = [
  {
    reason: "operator-sdk takes rules for kinds whose old versions were removed for uses of these versions",
    drop: (finding) => finding.startsWith("warning removed-"),
  },
  {
    reason: "operator-sdk reads MinKubeVersion for minKubeVersion; a server drops the field",
    drop: (finding) => finding === "warning min-kube-version",
  },
  {
    reason: "operator-sdk means to check the names of channels, and does not see the annotations that hold them",
    drop: (finding) => finding.endsWith(" channel-name"),
  },
];

// Needs operator-sdk, and a folder with a bundle in each folder: a process for each takes a third of a second.
describe.skipIf(!bundles || !existsSync(program))("bundles of community catalogs (TSOP_BUNDLES)", () => {
  const names = bundles ? readdirSync(bundles) : [];

  it.each(names)("%s is judged as by operator-sdk", async (name) => {
    const folder = join(bundles!, name);
    const [theirs, ours] = await Promise.all([operatorSdk(folder), tsop(folder)]);
    // YAML that does not parse, and documents that are no objects, are skipped by operator-sdk in silence.
    if (ours.fatal) return;
    expect(known(ours.findings)).toEqual(known(theirs.findings));
  });

  it.skipIf(!existsSync(opm)).each(names)("%s is in a catalog as by opm", async (name) => {
    const folder = join(bundles!, name);
    const content = await readBundleFolder(folder, realDisk());
    const ours = renderedByTsop(content);
    // As above: opm skips what does not parse.
    if (!ours) return;
    const theirs = execFileSync(opm, ["render", folder, "-o", "json"], { maxBuffer: 2 ** 28, stdio: "pipe" });
    expect(sorted(ours)).toEqual(sorted(JSON.parse(String(theirs)) as Rendered));
  });
});

function renderedByTsop(content: BundleContent): Rendered | undefined {
  try {
    return JSON.parse(JSON.stringify(renderBundle(loadBundle(content), ""))) as Rendered;
  } catch (error) {
    if (error instanceof TsopError) return undefined;
    throw error;
  }
}

interface Rendered {
  readonly relatedImages?: readonly { readonly name: string; readonly image: string }[];
}

/** opm sorts images that are there under two names in any order. */
function sorted(blob: Rendered): object {
  const key = ({ name, image }: { name: string; image: string }): string => `${image} ${name}`;
  return { ...blob, relatedImages: blob.relatedImages?.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)) };
}

function known(findings: ReadonlySet<string>): string[] {
  return [...findings].filter((finding) => !differences.some(({ drop }) => drop(finding))).toSorted();
}

async function tsop(folder: string): Promise<Verdict> {
  try {
    const bundle = loadBundle(await readBundleFolder(folder, realDisk()));
    const all = await validateBundle(bundle, selectValidators(selector));
    return { findings: new Set(all.map(({ level, rule }) => `${level} ${rule}`)), fatal: false };
  } catch {
    return { findings: new Set(), fatal: true };
  }
}

async function operatorSdk(folder: string): Promise<Verdict> {
  const args = ["bundle", "validate", folder, "--select-optional", selector, "--output", "json-alpha1"];
  const text = await new Promise<string>((resolve) => execFile(program, args, (_, stdout) => resolve(stdout)));
  const { outputs } = JSON.parse(text) as { outputs: { type: string; message: string }[] | null };
  const findings = (outputs ?? []).flatMap(({ type, message }) =>
    rulesOf(message).map((finding) => finding.replace(/^\S+/, type)),
  );
  return { findings: new Set(findings), fatal: false };
}
