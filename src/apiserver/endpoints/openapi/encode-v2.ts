import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { WireWriter } from "../../codec/protobuf/wire-writer.ts";
import { methods } from "./operations.ts";
import type { V2Document, V2Operation, V2Parameter, V2PathItem } from "./v2-document.ts";

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
