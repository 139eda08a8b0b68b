import type { JsonSchema } from "../../json-schema.ts";
import { boolType, type CelField, type CelType } from "../values/types.ts";

/** The type of a schema, and the minimum size of its JSON, which limits how many values fit into a request. */
export interface SchemaType {
  readonly type: CelType;
  readonly smallest: number;
}

/** The limit of a request, and so of every string and list. */
export const largestRequest: number = 3 * 1024 * 1024;

const texts = {
  date: { type: "timestamp", smallest: 12, size: 12 },
  "date-time": { type: "timestamp", smallest: 21, size: 32 },
  duration: { type: "duration", smallest: 3, size: 32 },
} as const;

/**
 * Returns the CEL type of a structural schema; `undefined` if rules cannot access the value, such as one of unknown
 * type. A resource's root has apiVersion, kind, metadata.name and metadata.generateName even if they are not declared.
 */
export function typeOfSchema(schema: JsonSchema, isResource: boolean, name = "selfType"): SchemaType | undefined {
  if (schema["x-kubernetes-int-or-string"])
    return {
      type: { kind: "dyn", size: schema.maxLength === undefined ? largestRequest - 2 : schema.maxLength * 4 },
      smallest: 1,
    };
  switch (schema.type) {
    case "array":
      return listType(schema, name);
    case "object":
      return objectType(schema, isResource, name);
    case "string":
      return textType(schema);
    case "boolean":
      return { type: boolType, smallest: 4 };
    case "integer":
      return { type: { kind: "int" }, smallest: 1 };
    case "number":
      return { type: { kind: "double" }, smallest: 1 };
    case undefined:
      // A resource's root needs no declared type.
      return isResource ? objectType(schema, true, name) : undefined;
    default:
      // The rules of a schema with an unknown type are checked, too, before it is refused.
      schema.type satisfies never;
      return undefined;
  }
}

/** Returns the properties of an object that rules can access, by their names in CEL. */
export function visibleProperties(
  schema: JsonSchema,
  isResource: boolean,
): ReadonlyMap<string, { name: string; schema: JsonSchema }> {
  const text: JsonSchema = { type: "string" };
  const metadata: JsonSchema = { type: "object", properties: { name: text, generateName: text } };
  const properties = { ...schema.properties, ...(isResource ? { apiVersion: text, kind: text, metadata } : {}) };
  const visible = new Map<string, { name: string; schema: JsonSchema }>();
  for (const [name, property] of Object.entries(properties)) {
    const escaped = escapeName(name);
    if (escaped !== undefined) visible.set(escaped, { name, schema: property });
  }
  return visible;
}

/** Reports whether a schema describes an embedded resource. */
export function isEmbedded(schema: JsonSchema): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

function listType(schema: JsonSchema, name: string): SchemaType | undefined {
  const items = schema.items && typeOfSchema(schema.items, isEmbedded(schema.items), `${name}.@idx`);
  if (!items) return undefined;
  const size = schema.maxItems ?? Math.floor((largestRequest - 2) / (items.smallest + 1));
  return { type: { kind: "list", element: items.type, size }, smallest: 2 };
}

function objectType(schema: JsonSchema, isResource: boolean, name: string): SchemaType | undefined {
  const additional = schema.additionalProperties;
  if (typeof additional === "object") {
    const values = typeOfSchema(additional, isEmbedded(additional), `${name}.@elem`);
    if (!values) return undefined;
    const size = schema.maxProperties ?? Math.floor((largestRequest - 2) / (values.smallest + 6));
    return {
      type: { kind: "map", key: { kind: "string", size: 0 }, value: values.type, size },
      smallest: 2,
    };
  }
  const fields = new Map<string, CelField>();
  let smallest = 2;
  for (const [escaped, property] of visibleProperties(schema, isResource)) {
    const found = typeOfSchema(property.schema, isEmbedded(property.schema), `${name}.${escaped}`);
    if (!found) continue;
    fields.set(escaped, { name: property.name, type: found.type });
    if (schema.required?.includes(property.name) && property.schema.default === undefined)
      smallest += property.name.length + found.smallest + 4;
  }
  return { type: { kind: "object", name, fields }, smallest };
}

function textType(schema: JsonSchema): SchemaType {
  const special = Object.hasOwn(texts, schema.format ?? "") ? texts[schema.format as keyof typeof texts] : undefined;
  if (special) return { type: { kind: special.type, size: special.size }, smallest: special.smallest };
  if (schema.format === "byte")
    return { type: { kind: "bytes", size: schema.maxLength ?? largestRequest - 2 }, smallest: 2 };
  const longest = Math.max(
    0,
    ...(schema.enum ?? []).map((value) => (typeof value === "string" ? Buffer.byteLength(value) : 0)),
  );
  const size = schema.maxLength !== undefined ? schema.maxLength * 4 : schema.enum ? longest : largestRequest - 2;
  return { type: { kind: "string", size }, smallest: 2 };
}

const reserved = new Set(
  (
    "true false null in as break const continue else for function if import let loop package namespace return " +
    "var void while"
  ).split(" "),
);

const replacements: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/** Returns the name of a property in CEL; `undefined` if CEL cannot express it. */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (part) => replacements[part]!);
}
