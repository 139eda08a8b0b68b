import { loadBuiltins } from "../../apimachinery/builtin/load-builtins.ts";
import { goTimeError } from "../codec/go-time.ts";
import { goKind } from "../../apimachinery/go-text.ts";
import { QuantityError, parseQuantity } from "../../apimachinery/quantity.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { objectMetaSchema } from "../../apimachinery/builtin/object-meta-schema.ts";
import { jsonType } from "../codec/decode-body.ts";

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const crd = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";
const anything: JsonSchema = { "x-kubernetes-preserve-unknown-fields": true };
const ownTypes: Readonly<Record<string, JsonSchema>> = {
  [objectMeta]: objectMetaSchema,
  // A schema or something shorter: these read their JSON themselves.
  [`${crd}.JSONSchemaPropsOrBool`]: anything,
  [`${crd}.JSONSchemaPropsOrArray`]: anything,
  [`${crd}.JSONSchemaPropsOrStringArray`]: anything,
};

/**
 * What Go's decoder says of the first value of a wrong JSON type; `undefined` when it would take them all. `type` is an
 * OpenAPI name.
 */
export function decodeError(type: string, value: Readonly<Record<string, unknown>>): string | undefined {
  return structFits(type, value) ? undefined : structError(type, value, { path: "", words: decoderWords });
}

/** The same of a value that a strategic merge patch has made, which another part of the server puts into structs. */
export function restoreError(type: string, value: Readonly<Record<string, unknown>>): string | undefined {
  return structFits(type, value) ? undefined : structError(type, value, { path: "", words: restorerWords });
}

/** The same for the metadata alone, which custom resources share with built-in kinds. */
export function metaDecodeError(metadata: unknown): string | undefined {
  if (valueFits(metaReference, metadata)) return undefined;
  if (typeof metadata !== "object" || Array.isArray(metadata))
    return notInto(jsonType(metadata), nowhere, "v1.ObjectMeta");
  return structError(objectMeta, metadata as Record<string, unknown>, { path: "", words: decoderWords });
}

const metaReference: JsonSchema = { $ref: objectMeta };

/** Hardly any body is wrong: whether one is, is quicker to say than where. */
function structFits(type: string, fields: Readonly<Record<string, unknown>>): boolean {
  let properties = knownProperties.get(type);
  if (!properties) knownProperties.set(type, (properties = new Map(propertiesOf(schemaOf(type)))));
  for (const name in fields) {
    const property = properties.get(name);
    if (property && !valueFits(property, fields[name])) return false;
  }
  return true;
}

const knownProperties = new Map<string, ReadonlyMap<string, JsonSchema>>();

function valueFits(schema: JsonSchema, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  const { type, target } = resolve(schema);
  const special = specialOf(type);
  if (special) return special(value, nowhere) === undefined;
  if (target["x-kubernetes-int-or-string"] || target["x-kubernetes-preserve-unknown-fields"]) return true;
  if (!fits(target, value)) return false;
  if (Array.isArray(value)) return value.every((item) => valueFits(target.items ?? {}, item));
  if (typeof value === "string" && target.format === "byte") return base64Error(value) === undefined;
  if (typeof value !== "object") return true;
  const values = target.additionalProperties;
  if (typeof values === "object") return Object.values(value).every((item) => valueFits(values, item));
  return type ? structFits(type, value as Record<string, unknown>) : true;
}

/** How a part of the server says that a value does not fit. */
type Words = (schema: JsonSchema, value: unknown, place: Place) => string;

interface Way {
  readonly path: string;
  readonly words: Words;
}

interface Place extends Way {
  /** The Go struct that has the field. */
  readonly struct: string;
}

function structError(type: string, fields: Readonly<Record<string, unknown>>, way: Way): string | undefined {
  const { path, words } = way;
  const members = fields as Record<string, unknown>;
  const schema = schemaOf(type);
  const struct = type.slice(type.lastIndexOf(".") + 1);
  const properties = new Map(propertiesOf(schema));
  // A decoder goes by the text, and tells the first.
  for (const [name, value] of Object.entries(fields)) {
    const property = properties.get(name);
    // What is put into structs without a text in between loses its upper bits.
    if (words === restorerWords && property && isTooLong(property, value)) {
      members[name] = lowBits(value as number);
      continue;
    }
    const place = { struct, words, path: path ? `${path}.${name}` : name };
    const error = property && valueError(property, value, place);
    if (error) return error;
  }
  return undefined;
}

function schemaOf(type: string): JsonSchema {
  return ownTypes[type] ?? loadBuiltins().type(type) ?? {};
}

function propertiesOf({ properties = {}, allOf = [] }: JsonSchema): [string, JsonSchema][] {
  const inherited = allOf.flatMap(({ $ref = "" }) => propertiesOf(loadBuiltins().type($ref) ?? {}));
  return [...inherited, ...Object.entries(properties)];
}

function valueError(schema: JsonSchema, value: unknown, place: Place): string | undefined {
  if (value === null || value === undefined) return undefined;
  const { type, target } = resolve(schema);
  const special = specialOf(type);
  if (special) return special(value, place.words === restorerWords ? nowhere : place);
  if (target["x-kubernetes-int-or-string"] || target["x-kubernetes-preserve-unknown-fields"]) return undefined;
  if (isBytes(target) && typeof value !== "string") return bytesError(value, place);
  if (!fits(target, value)) return place.words(schema, value, place);
  if (Array.isArray(value)) return first(value, (item) => valueError(target.items ?? {}, item, place));
  if (typeof value === "string" && target.format === "byte") {
    const error = base64Error(value);
    return error && place.words === restorerWords ? `error decoding from json: ${error}` : error;
  }
  if (typeof value !== "object") return undefined;
  const fields = value as Record<string, unknown>;
  const values = target.additionalProperties;
  if (typeof values === "object") return first(Object.values(fields), (item) => valueError(values, item, place));
  return type ? structError(type, fields, place) : undefined;
}

function isBytes({ type, format }: JsonSchema): boolean {
  return type === "string" && format === "byte";
}

/** Bytes are a list to Go, too: of numbers. */
function bytesError(value: unknown, place: Place): string | undefined {
  if (Array.isArray(value)) return first(value, (item) => valueError(byteSchema, item, place));
  const schema: JsonSchema = { type: "array", items: byteSchema };
  return place.words === restorerWords ? restorerWords(schema, value) : decoderWords(bytesSchema, value, place);
}

const byteSchema: JsonSchema = { type: "integer", format: "uint8" };
const bytesSchema: JsonSchema = { type: "string", format: "byte" };

function base64Error(text: string): string | undefined {
  const wrong = /^[A-Za-z0-9+/\r\n]*={0,2}/.exec(text)?.[0].length ?? 0;
  if (wrong < text.length) return illegalBase64(wrong);
  const rest = text.replace(/[\r\n]/g, "").length % 4;
  return rest === 0 ? undefined : illegalBase64(text.length - rest);
}

function illegalBase64(at: number): string {
  return `illegal base64 data at input byte ${at}`;
}

/** Follows a chain of references to the type that says what the JSON must be. */
function resolve(schema: JsonSchema): { type: string | undefined; target: JsonSchema } {
  if (schema.$ref === undefined) return { type: undefined, target: schema };
  const target = schemaOf(schema.$ref);
  return { type: schema.$ref, target: target.$ref ? resolve(target).target : target };
}

const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && !Array.isArray(value),
};

function fits({ type, format }: JsonSchema, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value) && isWithin(value as number, format);
  return type === undefined || checks[type]?.(value) !== false;
}

function isWithin(value: number, format: string | undefined): boolean {
  if (format === "uint8") return value >= 0 && value < 256;
  const limit = format === "int32" ? 2 ** 31 : 2 ** 63;
  return value >= -limit && value < limit;
}

function isTooLong(schema: JsonSchema, value: unknown): boolean {
  const { type, format } = resolve(schema).target;
  const isInt32 = type === "integer" && format === "int32" && resolve(schema).type === undefined;
  return isInt32 && Number.isInteger(value) && !isWithin(value as number, format);
}

/** Beyond 64 bits all of them are zero. */
function lowBits(value: number): number {
  return isWithin(value, "int64") ? Number(BigInt.asIntN(32, BigInt(value))) : 0;
}

function decoderWords(schema: JsonSchema, value: unknown, { struct, path }: Place): string {
  const isNumber = resolve(schema).target.type === "integer";
  const found = isNumber && typeof value === "number" ? `number ${value}` : jsonType(value);
  return notInto(found, { struct, path }, goType(schema));
}

function notInto(found: string, { struct, path }: Pick<Place, "struct" | "path">, type: string): string {
  const where = path === "" ? "value" : `struct field ${struct ? `${struct}.${path}` : path}`;
  return `json: cannot unmarshal ${found} into Go ${where} of type ${type}`;
}

const nowhere = { struct: "", path: "" };

type Reads = (value: unknown, place: Pick<Place, "struct" | "path">) => string | undefined;

function specialOf(type: string | undefined): Reads | undefined {
  return type === undefined ? undefined : specials[type.slice(type.lastIndexOf(".") + 1)];
}

/** Types that read their JSON themselves. */
const specials: Readonly<Record<string, Reads>> = {
  Quantity(value) {
    try {
      if (typeof value === "string" || typeof value === "number") return void parseQuantity(String(value));
    } catch (error) {
      if (!(error instanceof QuantityError)) throw error;
    }
    return new QuantityError().message;
  },
  Time: (value, place) => timeError(value, "2006-01-02T15:04:05Z07:00", place),
  MicroTime: (value, place) => timeError(value, "2006-01-02T15:04:05.000000Z07:00", place),
  IntOrString(value, place) {
    if (typeof value === "string") return undefined;
    if (Number.isInteger(value) && isWithin(value as number, "int32")) return undefined;
    return notInto(typeof value === "number" ? `number ${value}` : jsonType(value), place, "int32");
  },
};

function timeError(value: unknown, layout: string, place: Pick<Place, "struct" | "path">): string | undefined {
  if (typeof value !== "string") return notInto(jsonType(value), place, "string");
  return goTimeError(value, layout);
}

function restorerWords(schema: JsonSchema, value: unknown): string {
  const { type = "object", additionalProperties } = resolve(schema).target;
  const kind = goKind(value);
  if (type === "array") return `cannot restore slice from ${kind}`;
  if (type === "object")
    return additionalProperties ? `cannot restore map from ${kind}` : `cannot restore struct from: ${kind}`;
  const wanted = type === "string" ? "string" : type === "boolean" ? "bool" : goType(schema);
  const isConvertible = kind === "int64" ? type === "string" : kind === "float64" && type === "integer";
  return isConvertible ? `cannot convert ${kind} to ${wanted}` : `unrecognized type: ${wanted}`;
}

function goType(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.split(".").slice(-2).join(".");
  if (typeof schema.additionalProperties === "object") return `map[string]${goType(schema.additionalProperties)}`;
  switch (schema.type ?? "object") {
    case "string":
      return schema.format === "byte" ? "[]uint8" : "string";
    case "integer":
      return schema.format ?? "int64";
    case "number":
      return "float64";
    case "boolean":
      return "bool";
    case "array":
      return `[]${goType(schema.items ?? {})}`;
    case "object":
    default:
      return "map[string]interface {}";
  }
}

function first(values: readonly unknown[], check: (value: unknown) => string | undefined): string | undefined {
  for (const value of values) {
    const error = check(value);
    if (error) return error;
  }
  return undefined;
}
