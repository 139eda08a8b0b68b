import type { ServedResource, ServedSubresource } from "../../registry/served-resource.ts";
import { compareText } from "../../../apimachinery/compare-text.ts";
import type { Builtins } from "../../../apimachinery/builtin/load-builtins.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { definitionName, metaName, referenceTo } from "./definitions.ts";

export type PathItem = Readonly<Partial<Record<Method, Operation>>> & { readonly parameters?: readonly Parameter[] };

/** Returns the paths of resources. Client generators write a function for each operation. */
export function openApiPaths(resources: readonly ServedResource[], builtins: Builtins): Record<string, PathItem> {
  return Object.assign({}, ...resources.map((each) => resourcePaths(each, builtins))) as Record<string, PathItem>;
}

function resourcePaths(resource: ServedResource, builtins: Builtins): Record<string, PathItem> {
  const { group, version, plural, namespaced: inNamespace, verbs, subresources } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}/${inNamespace ? "namespaces/{namespace}/" : ""}${plural}`;
  const names = inNamespace ? ["namespace"] : [];
  const own = { builtins, resource, inNamespace };
  const paths: Record<string, PathItem> = {
    [collection]: { ...operations(ofCollection, verbs, own), parameters: pathParameters(names) },
  };
  const parameters = pathParameters(["name", ...names]);
  if (verbs.includes("get")) {
    const single = verbs.filter((verb) => verb !== "create");
    paths[`${collection}/{name}`] = { ...operations(ofObject, single, own), parameters };
  }
  for (const subresource of subresources) {
    if (subresource.name === "proxy") continue;
    const target = { ...own, subresource };
    const item = subresource.kind.endsWith("Options")
      ? { get: describeConnection("get", target), post: describeConnection("post", target) }
      : operations(ofObject, subresource.verbs, target);
    paths[`${collection}/{name}/${subresource.name}`] = { ...item, parameters };
  }
  if (inNamespace && verbs.includes("list"))
    paths[`${root}/${plural}`] = {
      ...operations(ofCollection, ["list"], { builtins, resource }),
      parameters: pathParameters([]),
    };
  return paths;
}

function operations(
  uses: Readonly<Record<string, Use>>,
  verbs: readonly string[],
  target: Target,
): Partial<Record<Method, Operation>> {
  const served = Object.entries(uses).filter(([verb]) => verbs.includes(verb));
  return Object.fromEntries(served.map(([, use]) => [use.method, describeOperation(use, target)]));
}

/** A parameter of the path or the query. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description?: string | undefined;
  readonly required?: true;
  readonly schema: { readonly type: NonNullable<JsonSchema["type"]>; readonly uniqueItems: true };
}

type Content = Readonly<Record<string, { readonly schema: object }>>;

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

/** The methods of operations, in the order of version 2's protobuf message. */
export const methods = ["get", "put", "post", "delete", "options", "head", "patch"] as const;
export type Method = (typeof methods)[number];

/** What an operation is about. */
interface Target {
  readonly builtins: Builtins;
  readonly resource: ServedResource;
  readonly subresource?: ServedSubresource;
  readonly inNamespace?: boolean;
}

/** A way to use a resource or a subresource of it. */
interface Use {
  readonly method: Method;
  /** `x-kubernetes-action`. */
  readonly action: string;
  /** The start of the operationId. */
  readonly prefix: string;
  /** The types whose fields are the parameters of the query. */
  readonly options: readonly string[];
  readonly codes: readonly number[];
  readonly takes?: "object" | "options" | "patch";
}

type Uses = Readonly<Record<string, Use>>;

const create = use("post post create", ["CreateOptions"], [200, 201, 202], "object");

/** The uses of a collection, by verb. */
const ofCollection: Uses = {
  list: use("get list list", ["ListOptions"], [200]),
  create,
  deletecollection: use("delete deletecollection delete", ["ListOptions", "DeleteOptions"], [200], "options"),
};

/** The uses of an object, by verb. */
const ofObject: Uses = {
  get: use("get get read", [], [200]),
  update: use("put put replace", ["UpdateOptions"], [200, 201], "object"),
  patch: use("patch patch patch", ["PatchOptions"], [200, 201], "patch"),
  delete: use("delete delete delete", ["DeleteOptions"], [200, 202], "options"),
  create,
};

function use(words: string, options: readonly string[], codes: readonly number[], takes?: Use["takes"]): Use {
  const [method, action = "", prefix = ""] = words.split(" ");
  return { method: method as Method, action, prefix, options: options.map(metaName), codes, ...(takes && { takes }) };
}

/** Describes the use of a resource. */
function describeOperation(use: Use, target: Target): Operation {
  const { resource, subresource } = target;
  const { action, prefix, options, codes, takes } = use;
  const isLog = subresource?.name === "log";
  const types = resource.custom ? customTypes : isLog ? ["text/plain", ...builtinTypes] : builtinTypes;
  const content = contentOf(types, isLog ? { type: "string" } : answerOf(use, target));
  return {
    tags: [tagOf(resource)],
    description: [prefix, ...(subresource ? [subresource.name, "of"] : []), resource.kind].join(" "),
    operationId: operationId(prefix, target, action),
    parameters: parametersOf([...options, ...(isLog ? ["io.k8s.api.core.v1.PodLogOptions"] : [])], target.builtins),
    ...(takes && { requestBody: bodyOf(takes, target) }),
    responses: Object.fromEntries(codes.map((code) => [code, { description: successes[code]!, content }])),
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": kindOf(target),
  };
}

const successes: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 202: "Accepted" };

/** Describes a connection to a pod, such as exec. */
function describeConnection(method: Method, target: Target & { readonly subresource: ServedSubresource }): Operation {
  const { resource, subresource } = target;
  const start = `connect${joinWords(["core", resource.version])}`;
  const id = operationId("connect", target, "connect");
  return {
    tags: [tagOf(resource)],
    description: `connect to ${subresource.name} of ${resource.kind}`,
    operationId: start + joinWords([method]) + id.slice(start.length),
    parameters: parametersOf([definitionName({ ...resource, kind: subresource.kind })], target.builtins),
    responses: { 200: { description: "OK", content: contentOf(["*/*"], { type: "string" }) } },
    "x-kubernetes-action": "connect",
    "x-kubernetes-group-version-kind": kindOf(target),
  };
}

/** Returns the kind of an operation's objects. A custom resource's scale has the kind of the resource itself. */
function kindOf({ resource, subresource }: Target): { group: string; version: string; kind: string } {
  const { group, version, kind } = resource;
  if (!subresource || resource.custom) return { group, version, kind };
  return { group: subresource.group ?? group, version: subresource.version ?? version, kind: subresource.kind };
}

/** Returns an id such as `listAppsV1NamespacedDeployment`. */
function operationId(prefix: string, { resource, subresource, inNamespace = false }: Target, action: string): string {
  const collection = action === "deletecollection" ? "Collection" : "";
  const scope = inNamespace ? "Namespaced" : "";
  const all = resource.namespaced && !inNamespace ? "ForAllNamespaces" : "";
  const words = [...groupWords(resource.group), resource.version, collection, scope, resource.kind];
  return prefix + joinWords([...words, subresource?.name ?? "", all]);
}

const json = "application/json";
const yaml = "application/yaml";
const customTypes: readonly string[] = [json, yaml];
const builtinTypes: readonly string[] = [json, yaml, "application/vnd.kubernetes.protobuf"];
const patchTypes = ["json-patch+json", "merge-patch+json", "apply-patch+yaml"].map((type) => `application/${type}`);

function bodyOf(takes: NonNullable<Use["takes"]>, target: Target): NonNullable<Operation["requestBody"]> {
  const { custom } = target.resource;
  const types = custom ? customTypes : ["*/*"];
  if (takes === "options") return { content: contentOf(types, referenceTo(metaName("DeleteOptions"))) };
  const patches = custom ? patchTypes : [...patchTypes, "application/strategic-merge-patch+json"];
  const content =
    takes === "patch" ? contentOf(patches, referenceTo(metaName("Patch"))) : contentOf(types, objectOf(target));
  return { content, required: true };
}

/** Returns the same schema for each media type. */
function contentOf(types: readonly string[], schema: object): Content {
  return Object.fromEntries(types.toSorted().map((type) => [type, { schema }]));
}

function answerOf({ action }: Use, target: Target): object {
  const { resource } = target;
  if (action === "list") return referenceTo(definitionName(resource, resource.listKind));
  return action.startsWith("delete") ? referenceTo(metaName("Status")) : objectOf(target);
}

function objectOf(target: Target): object {
  const { resource, subresource } = target;
  if (!subresource || subresource.kind === resource.kind) return referenceTo(definitionName(resource));
  const { group = resource.group, version = resource.version, kind } = subresource;
  return referenceTo(definitionName({ group, version, kind }));
}

/** Returns the fields of options as parameters of the query. */
function parametersOf(types: readonly string[], { type: find }: Builtins): Parameter[] {
  const fields = Object.assign({}, ...types.map((name) => find(name)?.properties)) as Record<string, JsonSchema>;
  const parameters = Object.entries(fields).flatMap(([name, { type, items, description }]) => {
    const single = type === "array" ? items?.type : type;
    return single ? [queryParameter(name, single, description?.split(/\.\s/)[0])] : [];
  });
  return parameters.toSorted((a, b) => compareText(a.name, b.name));
}

function queryParameter(name: string, type: Parameter["schema"]["type"], description?: string): Parameter {
  return { name, in: "query", ...(description && { description }), schema: { type, uniqueItems: true } };
}

/** Returns the parameters that all operations of a path have. */
function pathParameters(names: readonly string[]): Parameter[] {
  const schema = { type: "string", uniqueItems: true } as const;
  const inPath = names.map((name): Parameter => ({ name, in: "path", required: true, schema }));
  return [...inPath, queryParameter("pretty", "string", "If 'true', then the output is pretty printed")];
}

/** Writes each word with a capital, without separators: `apps v1` → `AppsV1`. */
function joinWords(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** Returns the words of a group in operation ids: `admissionregistration.k8s.io` is one, the core group is `core`. */
function groupWords(group: string): string[] {
  return (group || "core").replace(/\.k8s\.io$/, "").split(/[.-]/);
}

/** Returns the tag of a version's operations. */
function tagOf({ group, version }: Pick<ServedResource, "group" | "version">): string {
  const [first = "", ...rest] = groupWords(group);
  return `${first}${joinWords(rest)}_${version}`;
}
