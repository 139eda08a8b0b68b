import { metaReference } from "../../registry/open-api-texts.ts";
import { definitionReference } from "./definitions.ts";
import type { Parameter } from "./parameters.ts";

type Reference = object;
type Content = Readonly<Record<string, { readonly schema: Reference }>>;

/** An operation of a document. */
export interface Operation {
  readonly tags: readonly string[];
  readonly description: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content; readonly required?: true };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
  readonly "x-kubernetes-action"?: string;
  readonly "x-kubernetes-group-version-kind"?: object;
}

/** The methods of a path, in the order of version 2's protobuf message. */
export const methods = ["get", "put", "post", "delete", "options", "head", "patch"] as const;
export type Method = (typeof methods)[number];

export type PathItem = Readonly<Partial<Record<Method, Operation>>> & { readonly parameters?: readonly Parameter[] };

const json = "application/json";
const yaml = "application/yaml";
const protobuf = "application/vnd.kubernetes.protobuf";
export const customTypes: readonly string[] = [json, yaml];
export const builtinTypes: readonly string[] = [json, yaml, protobuf];
export const watchTypes: readonly string[] = [...builtinTypes, `${json};stream=watch`, `${protobuf};stream=watch`];

export const patchTypes: readonly string[] = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];
const listed = [...watchTypes, ...patchTypes];

const successes: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 202: "Accepted" };

/** Returns one answer for each code, and the answer to a request without a valid token. */
export function responses(
  codes: readonly number[],
  types: readonly string[],
  schema: Reference,
): Operation["responses"] {
  const known = codes.map((code) => [code, { description: successes[code]!, content: contentOf(types, schema) }]);
  return { ...Object.fromEntries(known), 401: { description: "Unauthorized" } };
}

/** Returns the same schema for each media type. */
export function contentOf(types: readonly string[], schema: Reference): Content {
  return Object.fromEntries(types.toSorted().map((type) => [type, { schema }]));
}

/** Sorts media types as the lists of version 2. */
export function sortTypes(types: Iterable<string>): string[] {
  return [...types].toSorted((a, b) => listed.indexOf(a) - listed.indexOf(b));
}

/** Returns an operation that only reads a document of the server. */
export function readOperation(
  tag: string,
  [description, operationId]: readonly [description: string, operationId: string],
  [types, schema]: readonly [types: readonly string[], schema: Reference],
): PathItem {
  return { get: { tags: [tag], description, operationId, responses: responses([200], types, schema) } };
}

/** Returns a reference to a metav1 type, or to the definition of another package. */
export function referenceTo(type: string): Reference {
  return { $ref: type.includes(".") ? definitionReference(type) : metaReference(type) };
}

/** Writes each word with a capital, without separators: `apps v1` → `AppsV1`. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** Returns the words of a group in operation ids: `admissionregistration.k8s.io` is one, the core group is `core`. */
export function groupWords(group: string): string[] {
  return (group || "core").replace(/\.k8s\.io$/, "").split(/[.-]/);
}

/** Returns the tag of a group's operations, or of one version's. */
export function tagOf(group: string, version?: string): string {
  const [first = "", ...rest] = groupWords(group);
  return [first + joinWords(rest), ...(version === undefined ? [] : [version])].join("_");
}
