import { sortedGoJson } from "../../apimachinery/go-text.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { annotationKeys, type Bundle } from "../bundle/bundle.ts";
import { containersOf, podsOf, type RelatedImage } from "../csv/csv.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";
import { readShape, type Shape } from "../../apimachinery/read-shape.ts";

/** A bundle in a file-based catalog. */
export interface BundleBlob {
  readonly schema: "olm.bundle";
  readonly name: string;
  readonly package: string;
  readonly image: string;
  readonly properties: readonly Property[];
  readonly relatedImages: readonly RelatedImage[];
}

interface Property {
  readonly type: string;
  readonly value: unknown;
}

/** Renders a bundle of an image, as `opm render` does. */
export function renderBundle(bundle: Bundle, image: string): BundleBlob {
  const { csv, annotations, objects } = bundle;
  const packageName = annotations[annotationKeys.package] ?? "";
  const version = csv.spec.version ?? "0.0.0";
  const properties = [
    ...providedApis(bundle),
    ...requiredApis(bundle),
    { type: "olm.package", value: { packageName, version } },
    ...annotatedProperties(bundle),
    ...listProperties(bundle, "properties"),
    ...listProperties(bundle, "dependencies").map(asRequirement),
  ];
  const data = objects.map((object) => Buffer.from(sortedGoJson(object)).toString("base64"));
  return {
    schema: "olm.bundle",
    name: csv.metadata.name ?? "",
    package: packageName,
    image,
    properties: [
      ...unique(properties).toSorted(byTypeAndValue),
      ...data.toSorted().map((data) => ({ type: "olm.bundle.object", value: { data } })),
    ],
    relatedImages: relatedImages(bundle, image),
  };
}

/** Renders a dependency, which is a property with another name. Of kinds and packages, opm keeps only the fields that it knows. */
function asRequirement({ type, value }: Property): Property {
  const { group, kind, version, packageName } = (value ?? {}) as Readonly<Record<string, string>>;
  if (type === "olm.gvk") return { type: "olm.gvk.required", value: { group, kind, version } };
  if (type === "olm.package") return { type: "olm.package.required", value: { packageName, versionRange: version } };
  return { type, value };
}

function providedApis({ crds, csv }: Bundle): Property[] {
  const ofCrds = crds.flatMap(({ spec }) =>
    (spec.versions ?? [{ name: spec.version ?? "" }]).map(({ name }) => ({
      group: spec.group,
      kind: spec.names.kind,
      version: name,
    })),
  );
  const ofServices = (csv.spec.apiservicedefinitions?.owned ?? []).map(({ group, kind, version }) => ({
    group,
    kind,
    version,
  }));
  return [...ofCrds, ...ofServices].map((value) => ({ type: "olm.gvk", value }));
}

function requiredApis({ csv }: Bundle): Property[] {
  const { customresourcedefinitions: crds, apiservicedefinitions: services } = csv.spec;
  const ofCrds = (crds?.required ?? []).map(({ name, kind, version }) => ({
    group: name.slice(name.indexOf(".") + 1),
    kind,
    version,
  }));
  const ofServices = (services?.required ?? []).map(({ group, kind, version }) => ({ group, kind, version }));
  return [...ofCrds, ...ofServices].map((value) => ({ type: "olm.gvk.required", value }));
}

const annotation = "olm.properties";

/** Lists the properties in the annotation of the CSV, a JSON list. */
function annotatedProperties({ csv }: Bundle): Property[] {
  const text = csv.metadata.annotations?.[annotation];
  if (text === undefined) return [];
  const file = csv.metadata.name ?? "";
  const path = `metadata.annotations.${annotation}`;
  try {
    return readProperties({ properties: JSON.parse(text) as unknown }, "properties", `${file}: ${path}`);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new TsopError("TSOP_BUNDLE_SHAPE", { file, path, reason: `must be JSON: ${cause.message}` }, { cause });
  }
}

/** Lists the entries of the first metadata file that has some; its name does not matter. */
function listProperties({ content }: Bundle, what: "properties" | "dependencies"): Property[] {
  const files = [...content].filter(([path]) => /^metadata\/[^/]+\.(ya?ml|json)$/.test(path));
  for (const [file, text] of files.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [document] = parseDocuments(text, file);
    const list = isObject(document) ? readProperties(document, what, file) : [];
    if (list.length > 0) return list;
  }
  return [];
}

function readProperties(document: object, what: string, file: string): Property[] {
  const shape: Shape = { [`${what}!`]: [{ "type!": "text" }] };
  const lists = readShape(document, shape, file) as Record<string, Property[]>;
  return lists[what]!.map(({ type, value = null }) => ({ type, value }));
}

/** Lists all images that the operator needs: in the CSV, in its Deployments, and the bundle's own. */
function relatedImages({ csv }: Bundle, image: string): RelatedImage[] {
  const containers = podsOf(csv).flatMap(containersOf);
  const known = [...(csv.spec.relatedImages ?? [])];
  for (const name of [...containers.map((container) => container.image ?? ""), image]) {
    if (name && !known.some((other) => other.image === name)) known.push({ name: "", image: name });
  }
  return known.map(({ name, image }) => ({ name, image })).toSorted((a, b) => (a.image < b.image ? -1 : 1));
}

function unique(properties: readonly Property[]): Property[] {
  return [...new Map(properties.map((property) => [sortedGoJson(property), property])).values()];
}

function byTypeAndValue(a: Property, b: Property): number {
  const key = ({ type, value }: Property): string => `${type}\0${sortedGoJson(value)}`;
  return key(a) < key(b) ? -1 : 1;
}
