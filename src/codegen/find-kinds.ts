import { posix } from "node:path";
import type { TSType } from "oxc-parser";
import type { JsonSchema } from "../apimachinery/json-schema.ts";
import { describeForCatalogue } from "./describe-for-catalogue.ts";
import {
  embeddedObjectMeta,
  external as externalMarker,
  groupName,
  maxDescLen as maxDescLenMarker,
  skipPackage,
  versionName,
} from "./markers/package.ts";
import { valuesOf, type ParsedMarker } from "./source/parse-markers.ts";
import { requiredMarkers } from "./markers/schema-fields.ts";
import { objectRoot } from "./markers/resource.ts";
import type { KindVersion, ProjectTypes } from "./model.ts";
import type { Place, Report } from "./report.ts";
import type { Declared } from "./source/declarations.ts";
import type { Module, ProjectSources } from "./source/project-sources.ts";
import { Evaluator } from "./types/evaluator.ts";
import { literalValue } from "./types/literals.ts";
import { propertyOf, type Property } from "./types/object-types.ts";
import { mapSubschemas } from "../apimachinery/map-subschemas.ts";
import { inheritName, typeOf } from "./types/type-names.ts";

/** Finds the root types of all folders and evaluates them. */
export function findKinds(sources: ProjectSources, report: Report): ProjectTypes {
  const evaluator = new Evaluator(sources, report);
  const kinds: KindVersion[] = [];
  const packageMarkers: ParsedMarker[] = [];
  for (const [folder, modules] of sources.markedFolders()) {
    const markers = sources.folderMarkers(folder);
    packageMarkers.push(...markers);
    if (valuesOf(markers, skipPackage).length > 0) continue;
    const [group] = valuesOf(markers, groupName);
    const external = valuesOf(markers, externalMarker).length > 0;
    const embedsMeta = valuesOf(markers, embeddedObjectMeta).at(-1);
    const maxDescLen = valuesOf(markers, maxDescLenMarker).at(-1);
    const version = valuesOf(markers, versionName)[0] ?? posix.basename(folder);
    for (const module of modules) {
      for (const root of rootTypes(module)) {
        const candidate = { ...root, module, folder, group, version, external, embedsMeta, maxDescLen };
        const kind = readKind(candidate, evaluator, report);
        if (kind) kinds.push(kind);
      }
    }
  }
  reportTwins(kinds, report);
  return { kinds: kinds.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)), packageMarkers };
}

interface Root {
  readonly name: string;
  readonly declared: Declared;
  readonly markers: readonly ParsedMarker[];
}

function rootTypes(module: Module): Root[] {
  return [...module.declarations.types].flatMap(([name, declared]) => {
    const markers = module.markers.byDeclaration.get(declared.start) ?? [];
    // Lists are root types in Go; here they are generated.
    const isList = propertyType(declared, "items") !== undefined;
    return valuesOf(markers, objectRoot).at(-1) === true && !isList ? [{ name, declared, markers }] : [];
  });
}

interface Candidate extends Root {
  readonly module: Module;
  readonly folder: string;
  readonly group: string | undefined;
  readonly version: string;
  readonly external: boolean;
  readonly embedsMeta: boolean | undefined;
  readonly maxDescLen: number | undefined;
}

function readKind(candidate: Candidate, evaluator: Evaluator, report: Report): KindVersion | undefined {
  const { sources } = evaluator;
  const { name, declared, module, folder, group, version, external, embedsMeta, maxDescLen, markers } = candidate;
  const place: Place = { file: module.file, offset: declared.start };
  const refuse = (reason: string, advice: string): undefined =>
    report.error(place, "TSOP_KIND_INVALID", { kind: name, reason, advice }) as undefined;
  if (!declared.exported) return refuse("the root type is not exported", "write export before it");
  if ("typeParameters" in declared.node && declared.node.typeParameters) {
    return refuse(
      "a root type cannot have type parameters",
      "export an interface that extends it with concrete type arguments",
    );
  }
  const scope = { module, parameters: new Map(), path: name, stack: [] };
  const found = { is: "type", module, declared, name } as const;
  const schema = evaluator.declaredSchema(found, evaluator.bind(found, [], { node: declared.node, scope }));
  if (report.errors.some(({ code }) => code === "TSOP_TYPE_LARGE")) return undefined;
  if (!schema.properties?.["metadata"]) {
    return refuse("the root type has no metadata", 'add: metadata: ObjectMeta, imported from "tsop"');
  }
  if (propertyNamed(declared, "metadata")?.optional) {
    return refuse("its metadata is optional, but every object has it", "remove the ? of metadata");
  }
  if (group === undefined) {
    return refuse(`no group is set for ${folder}`, "add a comment to a file of the folder: // +groupName=example.com");
  }
  checkLiteral(candidate, "apiVersion", group ? `${group}/${version}` : version, report);
  checkLiteral(candidate, "kind", name, report);
  const catalogue = describeForCatalogue(declared, module, sources);
  const file = module.file.path;
  const root = rootSchema(embedsMeta ? withEmbeddedObjectMeta(schema) : schema, requiresMetadata(candidate));
  const options = { external, maxDescLen, dropsEmbeddedMeta: embedsMeta === false };
  return { group, version, kind: name, folder, file, place, schema: root, ...options, markers, catalogue };
}

/** Checks that a literal type of apiVersion or kind equals the generated value. */
function checkLiteral({ name, declared, module }: Candidate, property: string, expected: string, report: Report): void {
  const type = propertyType(declared, property);
  if (type?.type !== "TSLiteralType") return;
  const value = literalValue(type.literal);
  if (value === expected) return;
  report.error({ file: module.file, offset: type.start }, "TSOP_KIND_INVALID", {
    kind: name,
    reason: `${property} is ${JSON.stringify(value)}, but the markers and the folder define "${expected}"`,
    advice: `write "${expected}", or change +groupName, +versionName or the type's name`,
  });
}

/** Reports whether a marker requires the metadata; the type alone does not, because the server always sets it. */
function requiresMetadata({ declared, module }: Candidate): boolean {
  const start = propertyNamed(declared, "metadata")?.node.start ?? -1;
  const markers = module.markers.byDeclaration.get(start) ?? [];
  return requiredMarkers.some((marker) => valuesOf(markers, marker).length > 0);
}

function propertyType(declared: Declared, name: string): TSType | undefined {
  return propertyNamed(declared, name)?.type;
}

function propertyNamed({ node }: Declared, name: string): Property | undefined {
  const members = node.type === "TSInterfaceDeclaration" ? node.body.body : [];
  return members.map(propertyOf).find((property) => property?.name === name);
}

/** Adds the properties that every kind has, with the texts of metav1.TypeMeta. */
function rootSchema(schema: JsonSchema, requiresMetadata: boolean): JsonSchema {
  const { required, ...rest } = schema;
  const dropped = new Set(["apiVersion", "kind", ...(requiresMetadata ? [] : ["metadata"])]);
  const stillRequired = required?.filter((name) => !dropped.has(name)) ?? [];
  return {
    ...rest,
    properties: { ...schema.properties, apiVersion, kind, metadata: { type: "object" } },
    ...(stillRequired.length > 0 ? { required: stillRequired } : {}),
  };
}

const apiVersion: JsonSchema = {
  description:
    "APIVersion defines the versioned schema of this representation of an object.\nServers should convert recognized schemas to the latest internal value, and\nmay reject unrecognized values.\nMore info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources",
  type: "string",
};

const kind: JsonSchema = {
  description:
    "Kind is a string value representing the REST resource this object represents.\nServers may infer this from the endpoint the client submits requests to.\nCannot be updated.\nIn CamelCase.\nMore info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds",
  type: "string",
};

function reportTwins(kinds: readonly KindVersion[], report: Report): void {
  const seen = new Map<string, KindVersion>();
  for (const kind of kinds) {
    const first = seen.get(sortKey(kind));
    if (first) {
      report.error(kind.place, "TSOP_KIND_INVALID", {
        kind: kind.kind,
        reason: `version ${kind.version} of group ${kind.group} is already declared in ${first.file}`,
        advice: "rename one of the two types",
      });
    } else seen.set(sortKey(kind), kind);
  }
}

function sortKey({ group, kind, version }: KindVersion): string {
  return `${group}\0${kind}\0${version}`;
}

/** Gives the metadata of embedded objects, such as pod templates, the fields that the server keeps in a custom resource. */
function withEmbeddedObjectMeta(schema: JsonSchema): JsonSchema {
  const type = typeOf(schema);
  if (type?.name === "ObjectMeta" && type.file === undefined) return inheritName({ ...schema, properties }, schema);
  const changed = mapSubschemas(schema, withEmbeddedObjectMeta);
  return Object.keys(changed).length > 0 ? inheritName({ ...schema, ...changed }, schema) : schema;
}

const text: JsonSchema = { type: "string" };
const texts: JsonSchema = { type: "object", additionalProperties: text };

/** The fields that controller-gen writes with `generateEmbeddedObjectMeta=true`. */
const properties: Readonly<Record<string, JsonSchema>> = {
  annotations: texts,
  finalizers: { type: "array", items: text },
  labels: texts,
  name: text,
  namespace: text,
};
