import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { mapValues } from "./definitions.ts";
import { info, securityDefinitions } from "./open-api-document.ts";
import { openApiPaths, type PathItem } from "./open-api-paths.ts";
import { openApiSchemas } from "./open-api-schemas.ts";
import { methods, type Method, type Operation, type Parameter } from "./operations.ts";

/** The document of OpenAPI version 2, with all resources. */
export interface V2Document {
  readonly swagger: "2.0";
  readonly info: typeof info;
  readonly paths: Readonly<Record<string, V2PathItem>>;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly securityDefinitions: typeof securityDefinitions;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

/** A parameter of a path or a query, which has a type, or of the body, which has a schema. */
export interface V2Parameter extends Pick<JsonSchema, "type" | "uniqueItems"> {
  readonly name: string;
  readonly in: Parameter["in"] | "body";
  readonly description?: string | undefined;
  readonly required?: true;
  readonly schema?: JsonSchema;
}

export interface V2Response {
  readonly description: string;
  readonly schema?: JsonSchema;
}

export interface V2Operation extends Omit<Operation, "parameters" | "requestBody" | "responses"> {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly schemes: readonly ["https"];
  readonly parameters: readonly V2Parameter[];
  readonly responses: Readonly<Record<string, V2Response>>;
}

export type V2PathItem = Readonly<Partial<Record<Method, V2Operation>>> & {
  readonly parameters?: readonly V2Parameter[];
};

/** Renders the definitions and paths of all resources as one document. */
export function v2Document(resources: readonly ServedResource[]): V2Document {
  const paths = openApiPaths(resources);
  return {
    swagger: "2.0",
    info,
    paths: mapValues(paths, v2PathItem),
    definitions: mapValues(openApiSchemas(paths, resources), v2Schema),
    securityDefinitions,
    security: [{ BearerToken: [] }],
  };
}

function v2PathItem(item: PathItem): V2PathItem {
  const operations = methods.flatMap((method) => {
    const found = item[method];
    return found ? [[method, v2Operation(found)] as const] : [];
  });
  return {
    ...Object.fromEntries(operations),
    ...(item.parameters && { parameters: item.parameters.map(v2Parameter) }),
  };
}

function v2Operation({ parameters = [], requestBody, responses, ...rest }: Operation): V2Operation {
  const [{ schema: body } = { schema: {} }] = Object.values(requestBody?.content ?? {});
  const sent: V2Parameter[] = requestBody
    ? [{ name: "body", in: "body", ...(requestBody.required && { required: true }), schema: v2Schema(body) }]
    : [];
  return {
    ...rest,
    consumes: requestBody ? Object.keys(requestBody.content) : ["*/*"],
    produces: [...new Set(Object.values(responses).flatMap(({ content = {} }) => Object.keys(content)))],
    schemes: ["https"],
    parameters: [...sent, ...parameters.map(v2Parameter)],
    responses: mapValues(responses, ({ description, content }) => {
      const [{ schema } = {}] = Object.values(content ?? {});
      return { description, ...(schema && { schema: v2Schema(schema) }) };
    }),
  };
}

function v2Parameter({ schema, ...rest }: Parameter): V2Parameter {
  return { ...rest, ...schema };
}

/**
 * Converts a schema of version 3, without the keywords that version 2 lacks. kubectl would report unknown fields next
 * to known ones as errors, so an object that keeps them has no properties.
 */
function v2Schema(schema: JsonSchema): JsonSchema {
  const { nullable, default: _default, anyOf: _anyOf, oneOf, not: _not, allOf, $ref, ...rest } = schema;
  const kinds = rest["x-kubernetes-group-version-kind"];
  if (kinds && rest["x-kubernetes-preserve-unknown-fields"])
    return { type: "object", "x-kubernetes-group-version-kind": kinds };
  const [{ $ref: only = $ref } = {}] = allOf?.length === 1 ? allOf : [];
  const shown: JsonSchema = { ...rest, ...(only !== undefined && { $ref: v2Reference(only) }) };
  // A built-in type that is a text or a number is declared as a text.
  if (oneOf && rest.type === undefined && oneOf.some(({ type }) => type === "string")) shown.type = "string";
  if (nullable || rest["x-kubernetes-preserve-unknown-fields"]) {
    delete shown.type;
    delete shown.properties;
    delete shown.items;
    if (rest["x-kubernetes-embedded-resource"]) dropTypeFields(shown);
  }
  if (shown.properties) shown.properties = mapValues(shown.properties, v2Schema);
  if (shown.items) shown.items = v2Schema(shown.items);
  if (typeof shown.additionalProperties === "object") shown.additionalProperties = v2Schema(shown.additionalProperties);
  return shown;
}

/** The kind of an embedded object is required only together with its properties. */
function dropTypeFields(schema: JsonSchema): void {
  const required = schema.required?.filter((name) => name !== "kind" && name !== "apiVersion") ?? [];
  if (required.length > 0) schema.required = required;
  else delete schema.required;
}

function v2Reference(reference: string): string {
  return reference.replace("#/components/schemas/", "#/definitions/");
}
