import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { typeOf, type NamedType } from "../types/type-names.ts";
import { kubernetesRelease } from "../../apimachinery/kubernetes-version.ts";

/** Links a type that has a section on the page; `at` names an object type without a name. */
export type LinkSection = (schema: JsonSchema, at: string) => string;

/** Describes the type of a value in a few words with links. */
export function describeType(schema: JsonSchema, at: string, link: LinkSection): string {
  const named = typeOf(schema);
  if (named) return describeNamed(named, schema, { at, link });
  return describeStructure(schema, at, link);
}

/** Describes a type by its structure, also if it has a name. */
export function describeStructure(schema: JsonSchema, at: string, link: LinkSection): string {
  if (schema["x-kubernetes-int-or-string"]) return knownTypeWords["IntOrString"]!;
  if (schema["x-kubernetes-embedded-resource"]) return knownTypeWords["EmbeddedObject"]!;
  if (schema.type === "array") return `list of ${describeType(schema.items ?? {}, `${at}[]`, link)}`;
  if (typeof schema.additionalProperties === "object")
    return `map of string to ${describeType(schema.additionalProperties, `${at}[key]`, link)}`;
  if (hasSection(schema)) return link(schema, at);
  if (schema.type === undefined) return knownTypeWords["JSONValue"]!;
  if (schema.type === "object") return knownTypeWords["RawExtension"]!;
  return schema.type;
}

/** Reports whether a type has fields to list. */
export function hasSection({ properties }: JsonSchema): boolean {
  return properties !== undefined && Object.keys(properties).length > 0;
}

function describeNamed(
  named: NamedType,
  schema: JsonSchema,
  { at, link }: { readonly at: string; readonly link: LinkSection },
): string {
  if (named.file !== undefined) return link(schema, at);
  if (named.builtin === undefined) return knownTypeWords[named.name] ?? named.name;
  const address = builtinLink(named.builtin);
  return address ? `[${named.name}](${address})` : named.name;
}

const reference = "https://kubernetes.io/docs/reference";

/** Returns the address of a type in the API reference of Kubernetes, by its OpenAPI name. */
function builtinLink(openApiName: string): string | undefined {
  const [, place = "", version = "", name = ""] = /([\w-]+)\.(v\d\w*)\.(\w+)$/.exec(openApiName) ?? [];
  if (!name) return undefined;
  const anchor = `${name}-${version}-${fullGroup(place)}`.toLowerCase().replaceAll(".", "-");
  return `${reference}/generated/kubernetes-api/v${kubernetesRelease}/#${anchor}`;
}

/** The types of `tsop` that have no OpenAPI name: a page of their own, or words. */
export const knownTypeWords: Readonly<Record<string, string>> = {
  Quantity: `[Quantity](${reference}/kubernetes-api/common-definitions/quantity/)`,
  ObjectMeta: `[ObjectMeta](${reference}/generated/kubernetes-api/v${kubernetesRelease}/#objectmeta-v1-meta)`,
  IntOrString: "integer or string",
  Time: "string (time)",
  MicroTime: "string (time)",
  Duration: "string (duration such as `1h30m`)",
  RawExtension: "object with any fields",
  EmbeddedObject: "any Kubernetes object",
  JSONValue: "any JSON value",
};

/** Groups of which the Go package has another name than the group's first part, or the group has only one part. */
function fullGroup(place: string): string {
  if (["core", "apps", "batch", "autoscaling", "policy", "meta"].includes(place)) return place;
  const prefix = {
    rbac: "rbac.authorization",
    flowcontrol: "flowcontrol.apiserver",
    apiserverinternal: "internal.apiserver",
  };
  return `${(prefix as Record<string, string>)[place] ?? place}.k8s.io`;
}
