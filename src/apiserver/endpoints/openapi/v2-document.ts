import { kubernetesRelease } from "../../../apimachinery/kubernetes-version.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { openApiPaths } from "./open-api-paths.ts";
import { mapValues } from "./definitions.ts";
import { openApiSchemas } from "./open-api-schemas.ts";

/** The document of OpenAPI version 2, with all resources. */
export interface V2Document {
  readonly swagger: "2.0";
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, V2PathItem>>;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/** Renders the definitions and paths of all resources as one document. */
export function v2Document(resources: readonly ServedResource[]): V2Document {
  const info = { title: "Kubernetes", version: kubernetesRelease };
  return { swagger: "2.0", info, paths: v2Paths(resources), definitions: v2Schemas(resources) };
}

/** A parameter of a path or a query, which has a type, or of the body, which has a schema. */
export interface V2Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "body";
  readonly required?: boolean;
  readonly type?: string;
  readonly uniqueItems?: boolean;
  readonly schema?: JsonSchema;
}

export interface V2Response {
  readonly description: string;
  readonly schema?: JsonSchema;
}

export interface V2Operation {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly schemes: readonly ["https"];
  readonly operationId: string;
  readonly parameters?: readonly V2Parameter[];
  readonly responses: Readonly<Record<string, V2Response>>;
  readonly "x-kubernetes-action": string;
  readonly "x-kubernetes-group-version-kind": object;
}

export const v2Methods = ["get", "put", "post", "delete", "patch"] as const;

export type V2PathItem = Readonly<Partial<Record<(typeof v2Methods)[number], V2Operation>>> & {
  readonly parameters: readonly V2Parameter[];
};

/** Converts the paths of version 3: bodies become parameters, and types stand beside them. */
function v2Paths(resources: readonly ServedResource[]): Record<string, V2PathItem> {
  const paths = openApiPaths(resources) as unknown as Readonly<Record<string, V3PathItem>>;
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, pathItem(item)]));
}

type V3Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

interface V3Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly schema: { readonly type: string; readonly uniqueItems: boolean };
}

interface V3Operation {
  readonly operationId: string;
  readonly parameters: readonly V3Parameter[];
  readonly requestBody?: { readonly content: V3Content; readonly required?: boolean };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: V3Content }>>;
  readonly "x-kubernetes-action": string;
  readonly "x-kubernetes-group-version-kind": object;
}

type V3PathItem = Readonly<Partial<Record<(typeof v2Methods)[number], V3Operation>>> & {
  readonly parameters: readonly V3Parameter[];
};

function pathItem(item: V3PathItem): V2PathItem {
  const operations = v2Methods.flatMap((method) => {
    const found = item[method];
    return found ? [[method, operation(found)] as const] : [];
  });
  return { ...Object.fromEntries(operations), parameters: item.parameters.map(parameter) };
}

function operation({ parameters, requestBody, responses, ...rest }: V3Operation): V2Operation {
  const own = [...(requestBody ? [bodyParameter(requestBody)] : []), ...parameters.map(parameter)];
  return {
    consumes: Object.keys(requestBody?.content ?? { "*/*": {} }),
    produces: ["application/json", "application/yaml"],
    schemes: ["https"],
    ...rest,
    ...(own.length > 0 && { parameters: own }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([code, { description, content }]) => [
        code,
        { description, schema: v2Schema(content["application/json"]?.schema ?? {}) },
      ]),
    ),
  };
}

function bodyParameter({ content, required = false }: NonNullable<V3Operation["requestBody"]>): V2Parameter {
  const [{ schema } = { schema: {} }] = Object.values(content);
  return { name: "body", in: "body", ...(required && { required }), schema: v2Schema(schema) };
}

function parameter({ schema, ...rest }: V3Parameter): V2Parameter {
  return { ...rest, ...schema };
}

/** Converts the definitions of version 3, without keywords that version 2 does not have. */
function v2Schemas(resources: readonly ServedResource[]): Record<string, JsonSchema> {
  return { ...mapValues(openApiSchemas(resources), v2Schema), ...texts };
}

/** Types that are a string or a number, which version 2 declares as strings. */
const texts: Readonly<Record<string, JsonSchema>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { type: "string" },
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": { type: "string", format: "int-or-string" },
};

/** Converts a schema for kubectl, which would report unknown fields beside known ones as errors. */
function v2Schema(schema: JsonSchema): JsonSchema {
  const { nullable, default: _default, anyOf: _anyOf, oneOf: _oneOf, not: _not, allOf, $ref, ...rest } = schema;
  const [{ $ref: only = $ref } = {}] = allOf?.length === 1 ? allOf : [];
  const shown: JsonSchema = { ...rest, ...(only !== undefined && { $ref: v2Reference(only) }) };
  if (nullable || rest["x-kubernetes-preserve-unknown-fields"]) {
    delete shown.type;
    delete shown.properties;
    delete shown.items;
    if (rest["x-kubernetes-embedded-resource"]) delete shown.required;
  }
  if (shown.properties) shown.properties = mapValues(shown.properties, v2Schema);
  if (shown.items) shown.items = v2Schema(shown.items);
  if (typeof shown.additionalProperties === "object") shown.additionalProperties = v2Schema(shown.additionalProperties);
  return shown;
}

function v2Reference(reference: string): string {
  return reference.replace("#/components/schemas/", "#/definitions/");
}
