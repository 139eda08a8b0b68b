import { kubernetesRelease } from "../../../apimachinery/kubernetes-version.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { openApiTexts, type RecordedParameter } from "../../registry/open-api-texts.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { openApiPaths } from "./open-api-paths.ts";
import { mapValues } from "./definitions.ts";
import { openApiSchemas } from "./open-api-schemas.ts";
import { customTypes, methods, sortTypes, type Method, type Operation, type PathItem } from "./operation.ts";
import type { Parameter } from "./parameters.ts";
import { groupNames, versionsOf } from "../discovery/group-lists.ts";
import { securityDefinitions, serverDocuments, serverPaths } from "./server-paths.ts";
import { v2Schema } from "./v2-schema.ts";

/** The document of OpenAPI version 2, with all resources. */
export interface V2Document {
  readonly swagger: "2.0";
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, V2PathItem>>;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly parameters: Readonly<Record<string, V2Parameter>>;
  readonly securityDefinitions: typeof securityDefinitions;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

/** Renders the definitions and paths of all resources as one document. */
export function v2Document(resources: readonly ServedResource[]): V2Document {
  const info = { title: "Kubernetes", version: kubernetesRelease };
  const paths = { ...builtinRoots(resources), ...openApiPaths(resources) };
  const parameters = sharedParameters();
  const names = new Map(Object.entries(parameters).map(([name, parameter]) => [keyOf(parameter), name]));
  return {
    swagger: "2.0",
    info,
    paths: mapValues(paths, (item) => v2PathItem(item, names)),
    definitions: mapValues(openApiSchemas(paths, resources), v2Schema),
    parameters,
    securityDefinitions,
    security: [{ BearerToken: [] }],
  };
}

function builtinRoots(resources: readonly ServedResource[]): Record<string, PathItem> {
  const builtin = resources.filter((resource) => !resource.custom);
  const versions = groupNames(builtin).flatMap((group) =>
    versionsOf(group, builtin).map((version) => (group === "" ? `api/${version}` : `apis/${group}/${version}`)),
  );
  const roots = [...serverDocuments(builtin), ...versions].map((path) => serverPaths(path));
  return Object.assign({}, ...roots) as Record<string, PathItem>;
}

/** A parameter of a path or a query, which has a type, or of the body, which has a schema. */
export type V2Parameter = Omit<RecordedParameter, "shared">;
export type V2ParameterOrReference = V2Parameter | { readonly $ref: string };

export interface V2Response {
  readonly description: string;
  readonly schema?: JsonSchema;
}

export interface V2Operation extends Pick<
  Operation,
  "tags" | "description" | "operationId" | "x-kubernetes-action" | "x-kubernetes-group-version-kind"
> {
  readonly consumes?: readonly string[];
  readonly produces: readonly string[];
  readonly schemes: readonly ["https"];
  readonly parameters?: readonly V2ParameterOrReference[];
  readonly responses: Readonly<Record<string, V2Response>>;
}

export type V2PathItem = Readonly<Partial<Record<Method, V2Operation>>> & {
  readonly parameters?: readonly V2ParameterOrReference[];
};

/** Returns the parameters to which operations refer, by name. */
function sharedParameters(): Record<string, V2Parameter> {
  const shared = Object.values(openApiTexts().parameters).flatMap(({ shared, ...parameter }) =>
    shared === undefined ? [] : [[shared, parameter] as const],
  );
  return Object.fromEntries(shared.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type Names = ReadonlyMap<string, string>;

function keyOf({ name, in: place, description, required, schema }: V2Parameter): string {
  return JSON.stringify([name, place, description, required, schema]);
}

function shorten(parameter: V2Parameter, names: Names): V2ParameterOrReference {
  const name = names.get(keyOf(parameter));
  return name === undefined ? parameter : { $ref: `#/parameters/${name}` };
}

function v2PathItem(item: PathItem, names: Names): V2PathItem {
  const operations = methods.flatMap((method) => {
    const found = item[method];
    return found ? [[method, operation(found, names)] as const] : [];
  });
  const parameters = item.parameters?.map((each) => shorten(v2Parameter(each), names));
  return { ...Object.fromEntries(operations), ...(parameters && { parameters }) };
}

function operation(from: Operation, names: Names): V2Operation {
  const { parameters = [], requestBody, responses, ...rest } = from;
  const own = [...(requestBody ? [bodyParameter(requestBody)] : []), ...parameters.map(v2Parameter)];
  const answered = new Set(Object.values(responses).flatMap(({ content = {} }) => Object.keys(content)));
  const produces = sortTypes(answered);
  const consumes = consumed(from, produces);
  return {
    ...rest,
    ...(consumes && { consumes }),
    produces,
    schemes: ["https"],
    ...(own.length > 0 && { parameters: own.map((parameter) => shorten(parameter, names)) }),
    responses: mapValues(responses, ({ description, content }) => {
      const [{ schema } = {}] = Object.values(content ?? {});
      return { description, ...(schema && { schema: v2Schema(schema) }) };
    }),
  };
}

/**
 * Without a body, custom resources and documents of the server consume the types that they produce; texts consume
 * nothing.
 */
function consumed(
  { requestBody, responses, "x-kubernetes-action": action }: Operation,
  produces: readonly string[],
): readonly string[] | undefined {
  if (requestBody) return sortTypes(Object.keys(requestBody.content));
  const [{ schema } = {}] = Object.values(responses[200]?.content ?? {});
  if (action === undefined) return schema && "$ref" in schema ? produces : undefined;
  return produces.length === customTypes.length ? produces : ["*/*"];
}

function bodyParameter({ content, required }: NonNullable<Operation["requestBody"]>): V2Parameter {
  const [{ schema } = { schema: {} }] = Object.values(content);
  return { name: "body", in: "body", ...(required && { required }), schema: v2Schema(schema) };
}

function v2Parameter({ schema, ...rest }: Parameter): V2Parameter {
  return { ...rest, ...schema };
}
