import type { ServedResource, ServedSubresource } from "../../registry/served-resource.ts";
import { definitionName, definitionReference } from "./definitions.ts";
import { metaReference } from "../../registry/open-api-texts.ts";
import { scaleName } from "./open-api-schemas.ts";

/**
 * Returns the paths of a document. kubectl reads the kind of a resource and the parameters of an operation from them.
 */
export function openApiPaths(resources: readonly ServedResource[]): Record<string, PathItem> {
  return Object.assign({}, ...resources.map(resourcePaths)) as Record<string, PathItem>;
}

export type PathItem = Record<string, unknown>;

interface Verb {
  readonly name: string;
  readonly method: string;
  /** `x-kubernetes-action` differs from the verb of RBAC for three of them. */
  readonly action: string;
  /** The start of operationId. */
  readonly prefix: string;
  readonly parameters: readonly string[];
  readonly takes?: "object" | "options" | "patch";
}

const writeOptions = "dryRun fieldManager fieldValidation";
const selectOptions =
  "continue fieldSelector labelSelector limit:integer resourceVersion resourceVersionMatch " +
  "sendInitialEvents:boolean timeoutSeconds:integer";
const listOptions = `allowWatchBookmarks:boolean ${selectOptions} watch:boolean`;
const deleteOptions = "dryRun gracePeriodSeconds:integer orphanDependents:boolean propagationPolicy";

const list = verb("list get list list", listOptions);
const create = verb("create post post create", writeOptions, "object");
const update = verb("update put put replace", writeOptions, "object");
const patch = verb("patch patch patch patch", `${writeOptions} force:boolean`, "patch");
const remove = verb("delete delete delete delete", deleteOptions, "options");
const collection = "deletecollection delete deletecollection delete";

// The two documents of a real server come from different generators, which describe two operations differently.
const builtinVerbs: VerbTable = {
  collection: [list, create, verb(collection, `${selectOptions} ${deleteOptions}`, "options")],
  item: [verb("get get get read", ""), update, patch, remove, create],
};
const customVerbs: VerbTable = {
  collection: [list, create, verb(collection, listOptions)],
  item: [verb("get get get read", "resourceVersion"), update, patch, remove, create],
};

interface VerbTable {
  readonly collection: readonly Verb[];
  readonly item: readonly Verb[];
}

/** Creates a verb from its name, method, action and prefix in one text. */
function verb(words: string, parameters: string, takes?: Verb["takes"]): Verb {
  const [name = "", method = "", action = "", prefix = ""] = words.split(" ");
  return {
    name,
    method,
    action,
    prefix,
    parameters: parameters.split(" ").filter((parameter) => parameter !== ""),
    ...(takes ? { takes } : {}),
  };
}

function resourcePaths(resource: ServedResource): Record<string, PathItem> {
  const { group, version, plural, namespaced, verbs, subresources } = resource;
  const table = resource.custom ? customVerbs : builtinVerbs;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const inPath = namespaced ? ["namespace"] : [];
  const paths: Record<string, PathItem> = { [collection]: pathItem(inPath, table.collection, { resource, verbs }) };
  if (verbs.includes("get")) {
    const single = verbs.filter((name) => name !== "create");
    paths[`${collection}/{name}`] = pathItem(["name", ...inPath], table.item, { resource, verbs: single });
  }
  for (const subresource of subresources) {
    const target = { resource, subresource, verbs: subresource.verbs };
    paths[`${collection}/{name}/${subresource.name}`] = pathItem(["name", ...inPath], table.item, target);
  }
  if (namespaced && verbs.includes("list")) {
    paths[`${root}/${plural}`] = pathItem([], [list], { resource, verbs });
  }
  return paths;
}

interface Target {
  readonly resource: ServedResource;
  readonly subresource?: ServedSubresource;
  readonly verbs: readonly string[];
}

function pathItem(inPath: readonly string[], verbs: readonly Verb[], target: Target): PathItem {
  const served = verbs.filter((verb) => target.verbs.includes(verb.name));
  const required = inPath.map((name) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", uniqueItems: true },
  }));
  return {
    ...Object.fromEntries(served.map((verb) => [verb.method, operation(verb, inPath, target)])),
    parameters: [...required, queryParameter("pretty")],
  };
}

function operation(verb: Verb, inPath: readonly string[], target: Target): object {
  const { resource, subresource } = target;
  const { group, version, kind } = resource;
  // A custom resource's scale is tagged as the resource itself, a built-in one's as Scale.
  const own = !resource.custom && subresource?.group !== undefined;
  return {
    operationId: operationId(verb, inPath, target),
    parameters: verb.parameters.map(queryParameter),
    ...requestBody(verb, target),
    responses: responses(verb, target),
    "x-kubernetes-action": verb.action,
    "x-kubernetes-group-version-kind": own
      ? { group: subresource.group, version: subresource.version, kind: subresource.kind }
      : { group, version, kind },
  };
}

const successes: Readonly<Record<string, string>> = { 200: "OK", 201: "Created", 202: "Accepted" };
const codes: Readonly<Record<string, readonly number[]>> = {
  create: [200, 201, 202],
  update: [200, 201],
  delete: [200, 202],
};

function responses(verb: Verb, target: Target): object {
  const content = { "application/json": { schema: answer(verb, target) } };
  const known = verb.name === "patch" && !target.resource.custom ? codes["update"] : codes[verb.name];
  return Object.fromEntries((known ?? [200]).map((code) => [code, { description: successes[code], content }]));
}

function operationId(verb: Verb, inPath: readonly string[], { resource, subresource }: Target): string {
  const group = (resource.group || "core").replace(/\.k8s\.io$/, "").split(/[.-]/);
  const collection = verb.name === "deletecollection" ? "Collection" : "";
  const inNamespace = inPath.includes("namespace");
  const scope = inNamespace ? "Namespaced" : "";
  const all = resource.namespaced && !inNamespace ? "ForAllNamespaces" : "";
  const words = [...group, resource.version, collection, scope, resource.kind, subresource?.name ?? "", all];
  return verb.prefix + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function queryParameter(notation: string): object {
  const [name, type = "string"] = notation.split(":");
  return { name, in: "query", schema: { type, uniqueItems: true } };
}

function requestBody(verb: Verb, target: Target): object {
  if (!verb.takes) return {};
  if (verb.takes === "patch") return { requestBody: { content: patchContent(target.resource), required: true } };
  const schema = verb.takes === "options" ? { $ref: metaReference("DeleteOptions") } : objectSchema(target);
  const types = target.resource.custom ? ["application/json", "application/yaml"] : ["*/*"];
  return { requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) } };
}

function patchContent({ custom }: ServedResource): object {
  const schema = { $ref: metaReference("Patch") };
  const types = ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"];
  if (!custom) types.push("application/strategic-merge-patch+json");
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function answer(verb: Verb, target: Target): object {
  if (verb.action !== "list") return objectSchema(target);
  return { $ref: definitionReference(definitionName(target.resource, target.resource.listKind)) };
}

/** Returns the schema of a body: subresources other than scale have that of the resource, or none. */
function objectSchema({ resource, subresource }: Target): object {
  if (!subresource || subresource.kind === resource.kind)
    return { $ref: definitionReference(definitionName(resource)) };
  return subresource.name === "scale" ? { $ref: definitionReference(scaleName) } : { type: "object" };
}
