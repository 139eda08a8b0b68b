import type { ServedResource, ServedSubresource } from "../../registry/served-resource.ts";
import { definitionName, definitionReference } from "./definitions.ts";
import {
  builtinTypes,
  contentOf,
  customTypes,
  groupWords,
  joinWords,
  patchTypes,
  referenceTo,
  responses,
  tagOf,
  watchTypes,
  type Operation,
} from "./operation.ts";
import { findParameter, ownParameters } from "./parameters.ts";
import type { Verb } from "./verbs.ts";

/** The place of an operation. */
export interface Target {
  readonly resource: ServedResource;
  readonly subresource?: ServedSubresource;
  readonly inNamespace?: boolean;
  readonly named?: boolean;
}

/** Returns an operation with all of its parameters of the query but `pretty`. */
export function describeOperation(verb: Verb, target: Target): Operation {
  const { resource, subresource } = target;
  const { group, version } = resource;
  const owner = subresource ? `${resource.plural}/${subresource.name}` : verb.name;
  const parameters = [
    ...verb.parameters.map((name) => findParameter(name, verb.name)),
    ...(subresource && !resource.custom ? ownParameters(owner) : []),
  ];
  return {
    tags: [tagOf(group, version)],
    description: describe(verb, target),
    operationId: operationId(verb.prefix, target, verb.action),
    parameters,
    ...requestBody(verb, target),
    responses: responses(verb.codes, answerTypes(verb, target), answer(verb, target)),
    "x-kubernetes-action": verb.action,
    "x-kubernetes-group-version-kind": kindOf(target),
  };
}

/** Returns the kind of an operation's objects. A custom resource's scale has the kind of the resource itself. */
export function kindOf({ resource, subresource }: Target): object {
  const { group, version, kind } = resource;
  if (!subresource || resource.custom) return { group, version, kind };
  return {
    group: subresource.group ?? group,
    version: subresource.version ?? version,
    kind: subresource.kind,
  };
}

function describe(verb: Verb, { resource, subresource }: Target): string {
  const { kind } = resource;
  const watched = resource.verbs.includes("watch") && !resource.custom;
  const { name } = subresource ?? {};
  const of = name === undefined ? "" : `${name} of `;
  switch (verb.action) {
    case "list":
      return `list ${watched ? "or watch " : ""}objects of kind ${kind}`;
    case "watchlist":
      return `watch individual changes to a list of ${kind}. deprecated: use the 'watch' parameter with a list operation instead.`;
    case "watch":
      return (
        `watch changes to an object of kind ${kind}. deprecated: use the 'watch' parameter with a list operation ` +
        "instead, filtered to a single item with the 'fieldSelector' parameter."
      );
    case "post":
      return `create ${of}${withArticle(kind)}`;
    case "delete":
      return `delete ${of}${withArticle(kind)}`;
    case "deletecollection":
      return `delete collection of ${kind}`;
    case "patch":
      return `partially update ${of}the specified ${kind}`;
    default:
      return `${verb.prefix} ${of}the specified ${kind}`;
  }
}

/** Kinds that look like a plural have no article. */
function withArticle(kind: string): string {
  if (/(?<!s)s$/.test(kind)) return kind;
  return `${/^[aeiou]/i.test(kind) ? "an" : "a"} ${kind}`;
}

/** Returns an id such as `listAppsV1NamespacedDeployment`; `action` decides whether it names a collection. */
export function operationId(prefix: string, target: Target, action: string): string {
  const { resource, subresource, inNamespace = false } = target;
  const collection = action === "deletecollection" ? "Collection" : "";
  const scope = inNamespace ? "Namespaced" : "";
  const list = action === "watchlist" ? "List" : "";
  const all = resource.namespaced && !inNamespace ? "ForAllNamespaces" : "";
  const words = [...groupWords(resource.group), resource.version, collection, scope, resource.kind];
  return prefix + joinWords([...words, list, subresource?.name ?? "", all]);
}

function requestBody({ takes }: Verb, target: Target): Pick<Operation, "requestBody"> {
  if (!takes) return {};
  const { custom } = target.resource;
  const types = custom ? customTypes : ["*/*"];
  if (takes === "options") return { requestBody: { content: contentOf(types, referenceTo("DeleteOptions")) } };
  const patches = custom ? patchTypes.filter((type) => !type.includes("strategic")) : patchTypes;
  const content = takes === "patch" ? contentOf(patches, referenceTo("Patch")) : contentOf(types, objectSchema(target));
  return { requestBody: { content, required: true } };
}

function answerTypes(verb: Verb, { resource, subresource }: Target): readonly string[] {
  if (resource.custom) return customTypes;
  if (subresource?.name === "log") return ["text/plain", ...builtinTypes];
  return verb.action.startsWith("watch") || verb.action === "list" ? watchTypes : builtinTypes;
}

function answer(verb: Verb, target: Target): object {
  const { resource, subresource } = target;
  if (verb.action === "list") return { $ref: definitionReference(definitionName(resource, resource.listKind)) };
  if (verb.action.startsWith("watch")) return referenceTo("WatchEvent");
  if (verb.takes === "options" || verb.name === "deletecollection")
    return verb.name === "delete" && answersDeleted.has(`${resource.group}/${resource.plural}`)
      ? objectSchema(target)
      : referenceTo("Status");
  return subresource?.name === "log" ? { type: "string" } : objectSchema(target);
}

/** Resources of which a delete is answered with the object. */
const answersDeleted = new Set([
  ..."persistentvolumeclaims pods podtemplates resourcequotas serviceaccounts services persistentvolumes"
    .split(" ")
    .map((plural) => `/${plural}`),
  ..."deviceclasses resourceclaims resourceclaimtemplates resourceslices"
    .split(" ")
    .map((plural) => `resource.k8s.io/${plural}`),
  ..."csidrivers csinodes storageclasses volumeattachments volumeattributesclasses"
    .split(" ")
    .map((plural) => `storage.k8s.io/${plural}`),
]);

function objectSchema({ resource, subresource }: Target): object {
  if (!subresource || subresource.kind === resource.kind)
    return { $ref: definitionReference(definitionName(resource)) };
  const { group = resource.group, version = resource.version, kind } = subresource;
  return { $ref: definitionReference(definitionName({ group, version, kind })) };
}
