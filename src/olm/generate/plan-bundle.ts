import { join, posix } from "node:path";
import { equalJson } from "../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import { emitYaml } from "../../apimachinery/yaml/emit.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import type { FileChange, Plan } from "../../files/plan.ts";
import { annotationKeys } from "../bundle/bundle.ts";
import type { ClusterServiceVersion } from "../csv/csv.ts";
import { completeCsv, formatCsv } from "../csv/drop-empty.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";
import { parseObjects } from "../parse-objects.ts";
import { formatSemver, parseSemver } from "../semver.ts";
import { checkDockerfilePath, checkPackageName } from "../check-names.ts";
import { csvRules, runRules } from "../validate/csv-rules.ts";
import { formatFinding, type Finding } from "../validate/finding.ts";
import { assembleCsv, type CsvOptions } from "./assemble-csv.ts";
import { bundleFiles, manifestName } from "./bundle-files.ts";
import { formatAnnotations, formatDockerfile } from "./bundle-metadata.ts";
import { collect } from "./collect.ts";
import { dropUnknownScorecardFields } from "../csv/known-fields.ts";
import { typedScorecardConfig } from "./typed-form.ts";

export interface BundleOptions extends CsvOptions {
  /** The folder of `bundle.Dockerfile`, to which paths are relative. */
  readonly root: string;
  /** The bundle's folder, relative to the root. */
  readonly folder: string;
  readonly manifests: boolean;
  readonly metadata: boolean;
  /** True if existing metadata is overwritten. */
  readonly overwrite: boolean;
  readonly channels: string;
  readonly defaultChannel?: string | undefined;
  readonly now: Date;
  /** Replaces tags by digests. */
  readonly pin?: ((csv: ClusterServiceVersion) => Promise<ClusterServiceVersion>) | undefined;
}

export interface PlannedBundle {
  readonly plan: Plan;
  /** The manifests, the CSV first. */
  readonly manifests: readonly { readonly name: string; readonly text: string }[];
}

/** Plans the files of a bundle for the operator's manifests. */
export async function planBundle(
  objects: readonly UnstructuredObject[],
  options: BundleOptions,
  disk: Pick<Disk, "read" | "list">,
): Promise<PlannedBundle> {
  checkVersion(options.version);
  checkPackageName(options.packageName);
  checkDockerfilePath(options.folder);
  const collection = collect(objects);
  const scorecard = collection.scorecardConfigs.find(({ metadata }) => metadata.name);
  const at = (path: string): string => posix.join(options.folder, path);
  const changes: FileChange[] = [];
  const put = (path: string, text: string): void => {
    changes.push({ type: "create", path, text, ifExists: "overwrite" });
  };
  const manifests = options.manifests ? await planManifests(collection, options, disk) : [];
  for (const { name, text } of manifests) put(at(`manifests/${name}`), text);
  if (options.manifests) {
    if (scorecard) {
      const known = dropUnknownScorecardFields(scorecard, options.warn);
      put(at("tests/scorecard/config.yaml"), emitYaml(typedScorecardConfig(known)));
    }
    changes.push(...(await staleManifests(manifests, options, disk)));
  }
  if (options.metadata) {
    const hasScorecard = changes.some(({ path }) => path === at("tests/scorecard/config.yaml"));
    for (const { path, text } of await planMetadata(options, hasScorecard, disk)) put(path, text);
  }
  return { plan: { root: options.root, changes, outside: [options.folder] }, manifests };
}

/** Rejects a build number at once: it is not allowed in the name of the CSV. Go's tool accepts it and fails later. */
function checkVersion(version: string | undefined): void {
  if (version === undefined) return;
  const parsed = parseSemver(version);
  if (!parsed || formatSemver(parsed) !== version) {
    throw new TsopError("TSOP_BUNDLE_VERSION", { version, reason: "not a semantic version" });
  }
  if (parsed.build.length > 0) {
    throw new TsopError("TSOP_BUNDLE_VERSION", { version, reason: "a name cannot contain the + of build metadata" });
  }
}

async function planManifests(
  collection: ReturnType<typeof collect>,
  options: BundleOptions,
  disk: Pick<Disk, "read">,
): Promise<{ name: string; text: string }[]> {
  const assembled = assembleCsv(collection, options);
  const csv = options.pin ? completeCsv(await options.pin(assembled.csv)) : assembled.csv;
  await checkCsv(csv, options);
  const { files, dropped } = bundleFiles(collection, assembled);
  for (const object of dropped) {
    options.warn(`omitted ${object.kind} ${object.metadata.name ?? ""}: OLM does not install this kind from a bundle`);
  }
  const name = `${options.packageName.toLowerCase()}.clusterserviceversion.yaml`;
  const before = await disk.read(join(options.root, options.folder, "manifests", name));
  return [{ name, text: formatStamped(csv, before, options.now) }, ...files];
}

/** Rejects a CSV that OLM would reject. */
async function checkCsv(csv: ClusterServiceVersion, { packageName, warn }: BundleOptions): Promise<void> {
  const alone = { content: new Map(), annotations: {}, manifests: [], crds: [], objects: [csv], csv };
  const findings = await runRules(csvRules, alone);
  const texts = (level: Finding["level"]): string[] =>
    findings.filter((finding) => finding.level === level).map(formatFinding);
  for (const text of texts("warning")) warn(`ClusterServiceVersion: ${text}`);
  const errors = texts("error");
  if (errors.length > 0) {
    throw new TsopError("TSOP_BUNDLE_CSV_INVALID", { findings: errors.join("\n"), package: packageName });
  }
}

/** Changes the time of a bundle only if its content changes, so that generating it twice leaves no diff. */
function formatStamped(csv: ClusterServiceVersion, before: string | undefined, now: Date): string {
  const withTime = (createdAt: string): ClusterServiceVersion => ({
    ...csv,
    metadata: { ...csv.metadata, annotations: { ...csv.metadata.annotations, createdAt } },
  });
  const time = /^    createdAt: ["']?([^"'\n]+)["']?$/m.exec(before ?? "")?.[1];
  const text = time === undefined ? undefined : formatCsv(withTime(time));
  // Parsing YAML takes longer than the rest, and the bytes are usually equal.
  if (text !== undefined && (text === before || equalJson(tryLoad(before!), tryLoad(text)))) return text;
  return formatCsv(withTime(formatTime(now)));
}

/** Finds the files of objects that no longer exist: those whose name tsop would give to the object in them. */
async function staleManifests(
  manifests: readonly { name: string }[],
  { root, folder, warn }: BundleOptions,
  disk: Pick<Disk, "read" | "list">,
): Promise<FileChange[]> {
  const current = new Set(manifests.map(({ name }) => name));
  const found = await disk.list(join(root, folder, "manifests"));
  const stale: FileChange[] = [];
  for (const name of found.filter((name) => !current.has(name))) {
    const path = posix.join(folder, "manifests", name);
    const before = (await disk.read(join(root, path))) ?? "";
    if (isGenerated(name, before)) {
      warn(`removed ${path}: the input no longer contains it`);
      stale.push({ type: "remove", path, before });
    }
  }
  return stale;
}

function isGenerated(name: string, text: string): boolean {
  const object = tryLoad(text);
  if (typeof object !== "object" || object === null) return false;
  const [manifest] = parseObjects(text, name);
  if (!manifest) return false;
  return /^(dup\d+_)?(.*)$/.exec(name)![2] === manifestName(manifest) || name.endsWith(".clusterserviceversion.yaml");
}

async function planMetadata(
  options: BundleOptions,
  writesScorecard: boolean,
  disk: Pick<Disk, "read">,
): Promise<{ path: string; text: string }[]> {
  const { root, folder } = options;
  const file = posix.join(folder, "metadata/annotations.yaml");
  const before = await disk.read(join(root, file));
  if (before !== undefined && !options.overwrite) return [];
  const hasScorecard =
    writesScorecard || (await disk.read(join(root, folder, "tests/scorecard/config.yaml"))) !== undefined;
  const { builder, metrics, layout } = annotationKeys;
  const origin = { [builder]: options.builder, [metrics]: "metrics+v1", [layout]: options.layout };
  const metadata = { ...options, origin, hasScorecard, custom: customAnnotations(before, file) };
  return [
    { path: file, text: formatAnnotations(metadata) },
    { path: "bundle.Dockerfile", text: formatDockerfile(metadata, posix.relative("", folder)) },
  ];
}

function customAnnotations(text: string | undefined, file: string): Record<string, string> {
  const known = new Set<string>(Object.values(annotationKeys));
  const [document] = text === undefined ? [] : parseDocuments(text, file);
  const annotations = Object.entries((document as { annotations?: Record<string, unknown> })?.annotations ?? {});
  return Object.fromEntries(annotations.filter(([key]) => !known.has(key)).map(([key, value]) => [key, String(value)]));
}

function tryLoad(text: string): unknown {
  try {
    return parseDocuments(text, "")[0];
  } catch {
    return undefined; // an edit broke it; it is overwritten
  }
}
