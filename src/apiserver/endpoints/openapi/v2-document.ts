import type { Builtins } from "../../../apimachinery/builtin/load-builtins.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { mapValues } from "./definitions.ts";
import { infoOf, securityDefinitions, openApiSchemas } from "./open-api-document.ts";
import { openApiPaths, type PathItem, methods, type Method, type Operation, type Parameter } from "./open-api-paths.ts";
import { WireWriter } from "../../codec/protobuf/wire-writer.ts";

/** The document of OpenAPI version 2, with all resources. */
interface V2Document {
  readonly swagger: "2.0";
  readonly info: ReturnType<typeof infoOf>;
  readonly paths: Readonly<Record<string, V2PathItem>>;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly securityDefinitions: typeof securityDefinitions;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

/** A parameter of a path or a query, which has a type, or of the body, which has a schema. */
interface V2Parameter extends Pick<JsonSchema, "type" | "uniqueItems"> {
  readonly name: string;
  readonly in: Parameter["in"] | "body";
  readonly description?: string | undefined;
  readonly required?: true;
  readonly schema?: JsonSchema;
}

interface V2Response {
  readonly description: string;
  readonly schema?: JsonSchema;
}

interface V2Operation extends Omit<Operation, "parameters" | "requestBody" | "responses"> {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly schemes: readonly ["https"];
  readonly parameters: readonly V2Parameter[];
  readonly responses: Readonly<Record<string, V2Response>>;
}

type V2PathItem = Readonly<Partial<Record<Method, V2Operation>>> & {
  readonly parameters?: readonly V2Parameter[];
};

/** Renders the definitions and paths of all resources as one document. */
export function v2Document(resources: readonly ServedResource[], builtins: Builtins): V2Document {
  const paths = openApiPaths(resources, builtins);
  return {
    swagger: "2.0",
    info: infoOf(builtins),
    paths: mapValues(paths, v2PathItem),
    definitions: mapValues(openApiSchemas(paths, resources, builtins), v2Schema),
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

/**
 * The media type of the response. The name in their Accept header is not a media type, but kubectl and client-go read
 * this one.
 */
export const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/** Reports whether a client asks for the document in protobuf. */
export function wantsProtobuf(accept: string | undefined): boolean {
  return accept?.includes("application/com.github.proto-openapi.spec.v2") ?? false;
}

/**
 * Encodes a document of version 2 as the message that kubectl and client-go read (openapi.v2 of gnostic); each
 * character is a byte. Fields are written from the last to the first; what neither of them reads is left out.
 */
export function encodeV2(document: V2Document): string {
  const { swagger, info, paths, definitions } = document;
  const to = new WireWriter();
  within(to, 9, () => writeNamed(to, 1, definitions, writeSchema));
  within(to, 8, () => writeNamed(to, 2, paths, writePathItem));
  within(to, 2, () => writeTexts(to, { 1: info.title, 2: info.version }));
  to.text(1, swagger);
  return to.toText();
}

function within(to: WireWriter, field: number, write: () => void): void {
  const { size } = to;
  write();
  to.message(field, size);
}

type Write<T> = (to: WireWriter, value: T) => void;

/** Writes a map, which is a list of names with values. */
function writeNamed<T>(to: WireWriter, field: number, values: Readonly<Record<string, T>>, write: Write<T>): void {
  for (const [name, value] of Object.entries(values).reverse())
    within(to, field, () => {
      within(to, 2, () => write(to, value));
      to.text(1, name);
    });
}

function writeTexts(to: WireWriter, texts: Readonly<Record<number, string | undefined>>): void {
  for (const [field, text] of Object.entries(texts).reverse()) if (text !== undefined) to.text(Number(field), text);
}

function writeList(to: WireWriter, field: number, texts: readonly string[] = []): void {
  for (const text of texts.toReversed()) to.text(field, text);
}

/** Writes any value as YAML, of which JSON is a subset. */
function writeAny(to: WireWriter, field: number, value: unknown): void {
  if (value !== undefined) within(to, field, () => to.text(2, JSON.stringify(value)));
}

function writeExtensions(to: WireWriter, field: number, value: object): void {
  const extensions = Object.entries(value).filter(([name]) => name.startsWith("x-"));
  for (const [name, extension] of extensions.reverse())
    within(to, field, () => {
      writeAny(to, 2, extension);
      to.text(1, name);
    });
}

function writePathItem(to: WireWriter, item: V2PathItem): void {
  writeParameters(to, 9, item.parameters);
  for (const method of methods.toReversed()) {
    const found = item[method];
    if (found) within(to, methods.indexOf(method) + 2, () => writeOperation(to, found));
  }
}

function writeOperation(to: WireWriter, operation: V2Operation): void {
  writeExtensions(to, 13, operation);
  writeParameters(to, 8, operation.parameters);
  writeTexts(to, { 3: operation.description, 5: operation.operationId });
}

function writeParameters(to: WireWriter, field: number, parameters: readonly V2Parameter[] = []): void {
  for (const parameter of parameters.toReversed())
    within(to, field, () => within(to, 1, () => writeParameter(to, parameter)));
}

/** Writes a parameter: of the body, the query or the path, each a message in a message. */
function writeParameter(to: WireWriter, parameter: V2Parameter): void {
  const { name, description, required, type, uniqueItems, schema } = parameter;
  const flag = (field: number, value: boolean | undefined): void => {
    if (value) to.number(field, 1);
  };
  if (parameter.in === "body") {
    within(to, 1, () => {
      if (schema) within(to, 5, () => writeSchema(to, schema));
      flag(4, required);
      writeTexts(to, { 1: description, 2: name, 3: parameter.in });
    });
    return;
  }
  const isQuery = parameter.in === "query";
  within(to, 2, () =>
    within(to, isQuery ? 3 : 4, () => {
      flag(isQuery ? 20 : 19, uniqueItems);
      writeTexts(to, { 2: parameter.in, 3: description, 4: name, [isQuery ? 6 : 5]: type });
      flag(1, required);
    }),
  );
}

function writeSchema(to: WireWriter, schema: JsonSchema): void {
  writeExtensions(to, 31, schema);
  const { properties, items, type, additionalProperties } = schema;
  if (properties) within(to, 25, () => writeNamed(to, 1, properties, writeSchema));
  if (items) within(to, 23, () => within(to, 1, () => writeSchema(to, items)));
  if (type) within(to, 22, () => to.text(1, type));
  if (typeof additionalProperties === "object")
    within(to, 21, () => within(to, 1, () => writeSchema(to, additionalProperties)));
  else if (additionalProperties !== undefined) within(to, 21, () => to.number(2, additionalProperties ? 1 : 0));
  for (const value of schema.enum?.toReversed() ?? []) writeAny(to, 20, value);
  writeList(to, 19, schema.required);
  writeAny(to, 5, schema.default);
  writeTexts(to, { 1: schema.$ref, 2: schema.format, 3: schema.title, 4: schema.description });
}
