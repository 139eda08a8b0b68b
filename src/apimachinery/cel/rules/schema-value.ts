import { goType } from "../../go-text.ts";
import { isObject } from "../../is-object.ts";
import type { JsonSchema } from "../../json-schema.ts";
import { parseDuration, parseTimestamp } from "../functions/timestamps.ts";
import { CelError } from "../values/issue.ts";
import { isEmbedded, visibleProperties } from "./schema-type.ts";
import { listSemantics, type CelMap, type CelValue } from "../values/values.ts";

/**
 * Converts JSON for rules by its schema, which distinguishes integers from doubles and times from texts. Objects are
 * read lazily.
 */
export function valueOfJson(json: unknown, schema: JsonSchema, isResource: boolean): CelValue {
  if (json === null || json === undefined) return null;
  if (!fits(json, schema))
    throw new CelError(`invalid data, expected ${schema.type ?? "a string or an integer"}, got ${goType(json)}`);
  return convert(json, schema, isResource);
}

/** Reports whether a value has the type of its schema, unlike one that was stored under an older schema. */
function fits(json: unknown, schema: JsonSchema): boolean {
  if (schema["x-kubernetes-int-or-string"]) return typeof json === "string" || Number.isInteger(json);
  if (schema.type === "object") return isObject(json);
  if (schema.type === "array") return Array.isArray(json);
  if (schema.type === "integer") return Number.isInteger(json);
  return schema.type === undefined || typeof json === schema.type;
}

function convert(json: unknown, schema: JsonSchema, isResource: boolean): CelValue {
  if (json === null || json === undefined) return null;
  if (schema["x-kubernetes-int-or-string"])
    return typeof json === "number" ? BigInt(Math.trunc(json)) : (json as string);
  if (Array.isArray(json)) return listOfJson(json, schema);
  if (typeof json === "object") return new SchemaMap(json as Record<string, unknown>, schema, isResource);
  if (typeof json === "number") return schema.type === "integer" ? BigInt(Math.trunc(json)) : json;
  return typeof json === "string" ? textOfJson(json, schema) : (json as boolean);
}

function listOfJson(list: readonly unknown[], schema: JsonSchema): CelValue {
  const items = schema.items ?? {};
  const values = list.map((item) => convert(item, items, isEmbedded(items)));
  const type = schema["x-kubernetes-list-type"];
  if (type !== "set" && type !== "map") return values;
  return Object.assign(values, { [listSemantics]: { type, keys: schema["x-kubernetes-list-map-keys"] ?? [] } });
}

function textOfJson(text: string, schema: JsonSchema): CelValue {
  const format = schema.type === "string" ? schema.format : undefined;
  if (format === "byte") return Uint8Array.from(Buffer.from(text, "base64"));
  if (format === "date-time") return parseTimestamp(text.replace(" ", "T"));
  if (format === "date") return parseTimestamp(`${text}T00:00:00Z`);
  return format === "duration" ? parseDuration(text) : text;
}

class SchemaMap implements CelMap {
  readonly isMap = true as const;
  private readonly json: Readonly<Record<string, unknown>>;
  private readonly children: (key: string) => { name: string; schema: JsonSchema } | undefined;
  private readonly names: () => string[];

  constructor(json: Readonly<Record<string, unknown>>, schema: JsonSchema, isResource: boolean) {
    this.json = json;
    const additional = schema.additionalProperties;
    if (typeof additional === "object") {
      this.children = (name) => ({ name, schema: additional });
      this.names = () => Object.keys(json);
    } else {
      const visible = visibleProperties(schema, isResource);
      this.children = (key) => visible.get(key) ?? visible.get(`__${key}__`);
      this.names = () => [...visible].flatMap(([key, { name }]) => (Object.hasOwn(json, name) ? [key] : []));
    }
  }

  get size(): number {
    return this.names().length;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") throw new CelError("no such overload");
    const child = this.children(key);
    // A null counts as absent.
    if (!child || !Object.hasOwn(this.json, child.name) || this.json[child.name] === null) return undefined;
    return valueOfJson(this.json[child.name], child.schema, isEmbedded(child.schema));
  }

  keys(): string[] {
    return this.names();
  }
}
