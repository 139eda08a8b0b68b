import { join, posix } from "node:path";
import { equalJson } from "../../apimachinery/equal.ts";
import type { Disk } from "../../files/disk.ts";
import type { FileChange, Plan } from "../../files/plan.ts";
import { checkPackageName } from "../check-names.ts";
import type { ClusterServiceVersion } from "../csv/csv.ts";
import { defaultCsv, readBase } from "../csv/default-csv.ts";
import { completeCsv, formatCsv } from "../csv/drop-empty.ts";
import { dropUnknownFields } from "../csv/known-fields.ts";
import { askMetadata, type Ask } from "./ask-metadata.ts";
import { ownedCrds, type ProjectKinds } from "./owned-crds.ts";

export interface KustomizeOptions {
  readonly root: string;
  readonly packageName: string;
  /** The folder of the existing base, relative to the root. */
  readonly inputDir: string;
  readonly outputDir: string;
  readonly types: ProjectKinds;
  /**
   * Returns the function that asks for metadata, or nothing to skip the questions; it depends on whether a base exists.
   */
  readonly ask: (hasBase: boolean) => Ask | undefined;
  readonly warn: (text: string) => void;
}

/** Plans the base of the CSV and, if it is missing, the kustomization around it. */
export async function planKustomize(options: KustomizeOptions, disk: Pick<Disk, "read">): Promise<Plan> {
  const { root, packageName, outputDir, types } = options;
  checkPackageName(packageName);
  const name = `bases/${packageName}.clusterserviceversion.yaml`;
  const file = join(root, options.inputDir, name);
  const read = await readBase(file, disk);
  const found = read && dropUnknownFields(read, file, options.warn);
  const ask = options.ask(found !== undefined);
  const base = found ? renameCsv(found, packageName) : defaultCsv(packageName);
  const answered = ask ? await askMetadata(base, ask) : base;
  const { customresourcedefinitions: crds } = answered.spec;
  const owned = ownedCrds(types, crds?.owned ?? []);
  const csv = { ...answered, spec: { ...answered.spec, customresourcedefinitions: { ...crds, owned } } };
  const hasSamples = (await disk.read(join(root, "config/samples/kustomization.yaml"))) !== undefined;
  const around = kustomization(packageName, hasSamples);
  const changes: FileChange[] = [
    { type: "create", path: posix.join(outputDir, "kustomization.yaml"), text: around, ifExists: "keep" },
  ];
  // An equal base keeps its comments.
  const isSame = read && options.inputDir === outputDir && equalJson(completeCsv(read), completeCsv(csv));
  if (!isSame)
    changes.push({ type: "create", path: posix.join(outputDir, name), text: formatCsv(csv), ifExists: "overwrite" });
  return { root, changes, outside: [outputDir] };
}

/** Renames the CSV; a name that contains the version keeps doing so. */
function renameCsv(csv: ClusterServiceVersion, packageName: string): ClusterServiceVersion {
  const follows = /^v\d+\.\d+\.\d+$/.test((csv.metadata.name ?? "").slice(packageName.length + 1));
  if (!follows || !csv.metadata.name?.startsWith(`${packageName}.`) || !csv.spec.version) return csv;
  return { ...csv, metadata: { ...csv.metadata, name: `${packageName}.v${csv.spec.version}` } };
}

function kustomization(packageName: string, hasSamples: boolean): string {
  return `# What \`make bundle\` packs for the Operator Lifecycle Manager.
resources:
- bases/${packageName}.clusterserviceversion.yaml
- ../default
- ../scorecard
${hasSamples ? "- ../samples\n" : ""}# +kubebuilder:scaffold:manifestsresources
`;
}
