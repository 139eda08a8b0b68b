import { emitYamlDocuments } from "../../apimachinery/yaml/emit.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { annotationKeys, type Bundle } from "../bundle/bundle.ts";
import { checkPackageName } from "../check-names.ts";
import { compareSemver, parseTolerantSemver, type Semver } from "../semver.ts";
import { renderBundle } from "./render-bundle.ts";

export interface BundleInImage {
  readonly bundle: Bundle;
  readonly image: string;
}

/** A file-based catalog of one package. */
export interface Catalog {
  readonly packageName: string;
  readonly text: string;
}

/**
 * Makes a catalog of the bundles of one package: the package, its channels, and the bundles. In a channel, a bundle
 * that names no predecessor replaces the version before it.
 */
export function makeCatalog(bundles: readonly BundleInImage[]): Catalog {
  const members = bundles.map(readMember).toSorted((a, b) => compareSemver(a.version, b.version));
  const [first] = members;
  const newest = members.at(-1);
  if (!first || !newest) throw new TsopError("TSOP_CATALOG_EMPTY", {});
  const packages = new Set(members.map((member) => member.packageName));
  if (packages.size > 1) throw new TsopError("TSOP_CATALOG_PACKAGES", { packages: [...packages].join(", ") });
  checkPackageName(newest.packageName);
  const twice = members.find((member, index) => members[index + 1]?.name === member.name);
  if (twice) throw new TsopError("TSOP_CATALOG_TWICE", { name: twice.name });
  const described = describePackage(newest);
  const channels = [...new Set(members.flatMap((member) => member.channels))]
    .toSorted()
    .map((name) => describeChannel(name, members));
  checkGraph(described.defaultChannel, channels);
  const blobs = [
    described,
    ...channels,
    ...members.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ bundle, image }) => renderBundle(bundle, image)),
  ];
  return { packageName: newest.packageName, text: emitYamlDocuments(blobs) };
}

interface Member extends BundleInImage {
  readonly name: string;
  readonly packageName: string;
  readonly version: Semver;
  readonly channels: readonly string[];
}

function readMember({ bundle, image }: BundleInImage): Member {
  const { csv, annotations } = bundle;
  const channels = (annotations[annotationKeys.channels] ?? "").split(",").map((name) => name.trim());
  return {
    bundle,
    image,
    name: csv.metadata.name ?? "",
    packageName: annotations[annotationKeys.package] ?? "",
    version: parseTolerantSemver(csv.spec.version ?? "0.0.0")!,
    channels: channels.filter(Boolean),
  };
}

/** Rejects a catalog that its server refuses to load, which would be seen only when the image runs. */
function checkGraph(defaultChannel: string, channels: readonly ReturnType<typeof describeChannel>[]): void {
  const refuse = (reason: string): never => {
    throw new TsopError("TSOP_CATALOG_GRAPH", { reason });
  };
  if (!channels.some(({ name }) => name === defaultChannel))
    refuse(`no bundle is in the default channel ${JSON.stringify(defaultChannel)}`);
  for (const { name, entries } of channels) {
    const superseded = new Set(entries.flatMap(({ replaces, skips = [] }) => [replaces, ...skips]));
    const heads = entries.filter((entry) => !superseded.has(entry.name)).map((entry) => entry.name);
    if (heads.length === 0) refuse(`in the channel ${name}, each bundle is replaced or skipped by one of them`);
    if (heads.length > 1)
      refuse(`in the channel ${name}, nothing replaces ${heads.join(" and ")}: one may be the newest`);
  }
}

function describePackage({ bundle, packageName, channels }: Member) {
  const { description, icon } = bundle.csv.spec;
  const [picture] = icon ?? [];
  const hasIcon = picture?.base64data && picture.mediatype;
  return {
    schema: "olm.package",
    name: packageName,
    defaultChannel: bundle.annotations[annotationKeys.defaultChannel] || channels[0] || "",
    ...(description ? { description } : {}),
    ...(hasIcon ? { icon: { base64data: picture.base64data, mediatype: picture.mediatype } } : {}),
  };
}

function describeChannel(name: string, members: readonly Member[]) {
  const inside = members.filter(({ channels }) => channels.includes(name));
  const entries = inside.map(({ bundle, name }, index) => {
    const { replaces = inside[index - 1]?.name, skips } = bundle.csv.spec;
    const skipRange = bundle.csv.metadata.annotations?.["olm.skipRange"];
    return { name, replaces, skips, skipRange };
  });
  return { schema: "olm.channel", package: members[0]!.packageName, name, entries };
}
