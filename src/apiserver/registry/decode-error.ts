import { loadBuiltins, type Builtins } from "../../apimachinery/builtin/load-builtins.ts";
import { objectMetaSchema } from "../../apimachinery/builtin/object-meta-schema.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { isQuantity, quantityProblem } from "../../apimachinery/quantity.ts";
import { jsonType } from "../codec/decode-body.ts";

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const jsonSchema = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

/**
 * Returns the error for the first value of a wrong JSON type, with its field, which `at` begins if the value is a part
 * of a body. `type` is an OpenAPI name.
 */
export function decodeError(
  type: string,
  value: Readonly<Record<string, unknown>>,
  { at = "", builtins = loadBuiltins() }: { readonly at?: string; readonly builtins?: Builtins } = {},
): string | undefined {
  const misfit = findMisfit(type, value, builtins);
  return textOf(misfit && { ...misfit, path: `${at}${misfit.path}` });
}

/** Checks only the metadata, which custom resources share with built-in kinds. */
export function metaDecodeError(metadata: unknown): string | undefined {
  return textOf(misfitOf({ $ref: objectMeta }, metadata, loadBuiltins()));
}

/** A value whose JSON type is wrong. Its path is complete when the search has returned to the object. */
export interface Misfit {
  path: string;
  /** The name of the struct that has the field; missing for the object itself. */
  struct?: string;
  readonly value: unknown;
  readonly schema: JsonSchema;
}

function textOf(misfit: Misfit | undefined): string | undefined {
  if (!misfit) return undefined;
  const { path, struct, value, schema } = misfit;
  if (schema.$ref?.endsWith(".JSONSchemaPropsOrBool")) return "boolean or JSON schema expected";
  if (schema.$ref?.endsWith(".Quantity")) return quantityProblem(typeof value === "string" ? value : jsonType(value));
  const found = typeof value === "number" && /int/.test(goType(schema)) ? `number ${value}` : jsonType(value);
  const place = struct === undefined ? "value" : `struct field ${struct}.${path}`;
  return `json: cannot unmarshal ${found} into Go ${place} of type ${goType(schema)}`;
}

/** Returns the first value of a wrong JSON type. */
export function findMisfit(
  type: string,
  fields: Readonly<Record<string, unknown>>,
  builtins: Builtins = loadBuiltins(),
): Misfit | undefined {
  const properties = propertiesOf(type, builtins);
  for (const name in fields) {
    const property = properties.get(name);
    const misfit = property && misfitOf(property, fields[name], builtins);
    if (!misfit) continue;
    misfit.struct ??= shortName(type);
    misfit.path = misfit.path === "" ? name : `${name}.${misfit.path}`;
    return misfit;
  }
  return undefined;
}

function misfitOf(schema: JsonSchema, value: unknown, builtins: Builtins): Misfit | undefined {
  if (value === null || value === undefined) return undefined;
  const { type, target } = resolve(schema, builtins);
  if (type?.startsWith(`${jsonSchema}Or`)) return choiceMisfitOf(schema, value, builtins);
  const isRight = type === undefined ? undefined : specials[shortName(type)];
  if (isRight ? !isRight(value) : !fits(target, value)) return { path: "", value, schema };
  if (isRight || typeof value !== "object" || target["x-kubernetes-preserve-unknown-fields"]) return undefined;
  if (Array.isArray(value)) return first(value, target.items ?? {}, builtins);
  const values = target.additionalProperties;
  if (typeof values === "object") return first(Object.values(value), values, builtins);
  return type === undefined ? undefined : findMisfit(type, value as Record<string, unknown>, builtins);
}

/** Looks into a part of a CRD's schema that is a schema or something shorter. */
function choiceMisfitOf(choice: JsonSchema, value: unknown, builtins: Builtins): Misfit | undefined {
  if (Array.isArray(value) && choice.$ref === `${jsonSchema}OrArray`)
    return first(value, { $ref: jsonSchema }, builtins);
  if (isObject(value)) return findMisfit(jsonSchema, value, builtins);
  const isRight = typeof value === "boolean" || choice.$ref !== `${jsonSchema}OrBool`;
  return isRight ? undefined : { path: "", value, schema: choice };
}

function first(values: readonly unknown[], schema: JsonSchema, builtins: Builtins): Misfit | undefined {
  for (const value of values) {
    const misfit = misfitOf(schema, value, builtins);
    if (misfit) return misfit;
  }
  return undefined;
}

type Properties = ReadonlyMap<string, JsonSchema>;

const knownProperties = new WeakMap<Builtins, Map<string, Properties>>();

function propertiesOf(type: string, builtins: Builtins): Properties {
  let ofTypes = knownProperties.get(builtins);
  if (!ofTypes) knownProperties.set(builtins, (ofTypes = new Map()));
  let known = ofTypes.get(type);
  if (!known) {
    const { properties = {}, allOf = [] } = schemaOf(type, builtins);
    const inherited = allOf.flatMap(({ $ref = "" }) => [...propertiesOf($ref, builtins)]);
    ofTypes.set(type, (known = new Map([...inherited, ...Object.entries(properties)])));
  }
  return known;
}

function schemaOf(type: string, builtins: Builtins): JsonSchema {
  return type === objectMeta ? objectMetaSchema : (builtins.type(type) ?? {});
}

/** Follows a chain of references to the type that describes the JSON. */
export function resolve(
  schema: JsonSchema,
  builtins: Builtins = loadBuiltins(),
): { type: string | undefined; target: JsonSchema } {
  if (schema.$ref === undefined) return { type: undefined, target: schema };
  const target = schemaOf(schema.$ref, builtins);
  return { type: schema.$ref, target: target.$ref ? resolve(target, builtins).target : target };
}

function fits(schema: JsonSchema, value: unknown): boolean {
  if (schema["x-kubernetes-int-or-string"] || schema["x-kubernetes-preserve-unknown-fields"]) return true;
  if (schema.format === "byte") return isBytes(value);
  if (schema.type === "integer") return isInteger(value, schema.format === "int32" ? 31 : 63);
  if (schema.type === "array") return Array.isArray(value);
  if (schema.type === "object") return typeof value === "object" && !Array.isArray(value);
  if (schema.type === "string" && schema.format === "date-time") return specials["Time"]!(value);
  return schema.type === undefined || typeof value === schema.type;
}

function isInteger(value: unknown, bits: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= -(2 ** bits) && value < 2 ** bits;
}

/** Reports whether a value is base64 or, as in Go, a list of bytes. */
function isBytes(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((byte) => byte === null || (isInteger(byte, 8) && byte >= 0));
  return (
    typeof value === "string" &&
    /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value.replace(/[\r\n]/g, ""))
  );
}

/** Types with a notation of their own, by the last part of their name. */
const specials: Readonly<Record<string, (value: unknown) => boolean>> = {
  Quantity: (value) => (typeof value === "string" || typeof value === "number") && isQuantity(String(value)),
  Time: (value) => isTime(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[-+]\d\d:\d\d)$/),
  MicroTime: (value) => isTime(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,]\d{6}(Z|[-+]\d\d:\d\d)$/),
  IntOrString: (value) => typeof value === "string" || isInteger(value, 31),
};

function isTime(value: unknown, form: RegExp): boolean {
  return typeof value === "string" && form.test(value) && !Number.isNaN(Date.parse(value.replace(",", ".")));
}

export function goType({ $ref, type, format, items, additionalProperties }: JsonSchema): string {
  if ($ref) return $ref.split(".").slice(-2).join(".");
  if (typeof additionalProperties === "object") return `map[string]${goType(additionalProperties)}`;
  if (type === "array") return `[]${goType(items ?? {})}`;
  if (type === "integer") return format ?? "int64";
  return type === "boolean" ? "bool" : (type ?? "object");
}

function shortName(type: string): string {
  return type.slice(type.lastIndexOf(".") + 1);
}
