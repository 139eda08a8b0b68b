import { join, posix } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { FileChange, Plan } from "../../files/plan.ts";
import { relativePath } from "../../files/slashes.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";
import { readInside, type BundleDisk } from "../bundle/load-bundle.ts";
import { checkDockerfilePath, checkPackageName } from "../check-names.ts";
import { csvShape } from "../csv/csv-shape.ts";
import { csvKind, type ClusterServiceVersion } from "../csv/csv.ts";
import { parseObjects } from "../parse-objects.ts";
import { readShape, type Shape } from "../../apimachinery/read-shape.ts";
import { formatAnnotations, formatDockerfile } from "./bundle-metadata.ts";
import { isScorecardConfig } from "./collect.ts";

export interface PackageOptions {
  /** The folder of the package manifests, absolute. */
  readonly folder: string;
  /** The folder to which paths of the plan are relative. */
  readonly root: string;
  /** The folder of the bundles, relative to the root. */
  readonly outputDir: string;
  readonly warn: (text: string) => void;
}

export interface ConvertedPackage {
  readonly plan: Plan;
  /** The names of the folders of the versions, which become tags of images, and of the bundles. */
  readonly bundles: readonly { readonly version: string; readonly folder: string }[];
}

type Reader = BundleDisk;

/** Plans a bundle for each version of a package in the older format of operator-registry, package manifests. */
export async function convertPackage(options: PackageOptions, disk: Reader): Promise<ConvertedPackage> {
  const { folder, root, outputDir } = options;
  const paths = await disk.list(folder);
  const manifest = await readPackage(options, paths, disk);
  const versions = new Set(paths.flatMap((path) => (/^([^./][^/]*)\//.exec(path) ?? []).slice(1)));
  if (versions.size === 0) refuse(folder, "it has no folder of a version");
  const changes: FileChange[] = [];
  const bundles = [];
  for (const version of versions) {
    checkDockerfilePath(version);
    const target = posix.join(outputDir, `bundle-${version}`);
    const files = paths.filter((path) => path.startsWith(`${version}/`)).map((path) => join(folder, path));
    const texts = await convertVersion(join(folder, version), files, { manifest, options, disk });
    for (const [path, text] of Object.entries(texts))
      changes.push({ type: "create", path: posix.join(target, path), text });
    bundles.push({ version, folder: target });
  }
  return { plan: { root, changes, outside: [outputDir] }, bundles };
}

interface PackageManifest {
  readonly packageName: string;
  readonly channels: readonly { readonly name: string; readonly currentCSV: string }[];
  readonly defaultChannel: string;
}

const packageShape: Shape = {
  "packageName!": "text",
  "channels!": [{ "name!": "text", "currentCSV!": "text" }],
  "defaultChannel!": "text",
};

async function readPackage(
  { folder }: PackageOptions,
  paths: readonly string[],
  disk: Reader,
): Promise<PackageManifest> {
  const [path, ...others] = paths.filter((path) => /^[^/]*\.package\.(ya?ml|json)$/.test(path));
  if (path === undefined) refuse(folder, "it has no NAME.package.yaml");
  if (others.length > 0) refuse(folder, `it has more than one package: ${[path, ...others].join(", ")}`);
  const file = join(folder, path);
  const [document] = parseDocuments(await readInside(file, await disk.realPath(folder), disk), file);
  const manifest = readShape(document, packageShape, file, true) as PackageManifest;
  if (manifest.packageName === "") refuse(folder, `${path} has no packageName`);
  if (manifest.defaultChannel === "") refuse(folder, `${path} has no defaultChannel`);
  checkPackageName(manifest.packageName);
  return manifest;
}

interface Context {
  readonly manifest: PackageManifest;
  readonly options: PackageOptions;
  readonly disk: Reader;
}

/** Returns the texts of a bundle by path. Manifests stay as they are. */
async function convertVersion(
  folder: string,
  files: readonly string[],
  context: Context,
): Promise<Record<string, string>> {
  const { manifest, disk } = context;
  const strange = files.filter((file) => /\/|^\./.test(relativePath(folder, file)));
  if (strange.length > 0) throw new TsopError("TSOP_BUNDLE_STRANGE_FILES", { files: strange.join(", ") });
  const real = await disk.realPath(context.options.folder);
  const read = await Promise.all(files.map(async (file) => ({ file, text: await readInside(file, real, disk) })));
  const parsed = read.map(({ file, text }) => ({ file, text, object: parseObjects(text, file)[0] }));
  for (const { file, object } of parsed) if (!object) throw new TsopError("TSOP_BUNDLE_NO_OBJECT", { file });
  const csv = onlyCsv(folder, parsed);
  const scorecard = parsed.filter(({ object }) => isScorecardConfig(object!));
  if (scorecard.length > 1) {
    const names = scorecard.map(({ file }) => file).join(", ");
    throw new TsopError("TSOP_SCORECARD_TWICE", { count: scorecard.length, files: names });
  }
  const [config] = scorecard;
  const metadata = {
    packageName: manifest.packageName,
    channels: channelsOf(csv, context),
    defaultChannel: manifest.defaultChannel,
    origin: originOf(csv),
    hasScorecard: config !== undefined,
    custom: {},
  };
  const manifests = parsed.filter((one) => one !== config);
  return {
    ...Object.fromEntries(manifests.map(({ file, text }) => [`bundle/manifests/${relativePath(folder, file)}`, text])),
    "bundle/metadata/annotations.yaml": formatAnnotations(metadata),
    ...(config ? { "bundle/tests/scorecard/config.yaml": config.text } : {}),
    "bundle.Dockerfile": formatDockerfile(metadata, "bundle"),
  };
}

function onlyCsv(folder: string, parsed: readonly { file: string; object?: unknown }[]): ClusterServiceVersion {
  const csvs = parsed.flatMap(({ file, object }) =>
    (object as ClusterServiceVersion).kind === csvKind
      ? (readShape(object, csvShape, file, true) as ClusterServiceVersion)
      : [],
  );
  const [csv, ...others] = csvs;
  if (!csv) throw new TsopError("TSOP_BUNDLE_NO_CSV", { folder });
  if (others.length === 0) return csv;
  throw new TsopError("TSOP_BUNDLE_CSVS", { names: csvs.map(({ metadata }) => metadata.name ?? "").join(", ") });
}

/** The channels whose newest version this is; an older version goes to the default channel. */
function channelsOf({ metadata }: ClusterServiceVersion, { manifest, options }: Context): string {
  const { channels, defaultChannel } = manifest;
  const names = channels.filter(({ currentCSV }) => currentCSV === metadata.name).map(({ name }) => name);
  if (names.length > 0) return names.join(",");
  options.warn(`no channel names ${metadata.name}: its bundle is in the default channel ${defaultChannel}`);
  return defaultChannel;
}

/** The annotations of the CSV that name the tool that made it. */
function originOf({ metadata }: ClusterServiceVersion): Record<string, string> {
  const keys = ["operators.operatorframework.io/builder", "operators.operatorframework.io/project_layout"];
  const annotations = metadata.annotations ?? {};
  return Object.fromEntries(keys.flatMap((key) => (annotations[key] ? [[key, annotations[key]]] : [])));
}

function refuse(folder: string, reason: string): never {
  throw new TsopError("TSOP_PACKAGE_MANIFESTS", { folder, reason });
}
