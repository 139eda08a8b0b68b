import { isObject } from "../../apimachinery/is-object.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { propertyName } from "../format-literal.ts";
import { descriptionLines, docComment } from "../from-crd/doc-comment.ts";
import { json } from "../from-crd/marker-lines.ts";
import { pascalCase } from "../from-crd/pascal-case.ts";

export type Schema = Readonly<Record<string, unknown>>;

const refused = /^(not|if|patternProperties|contains|dependent\w+|unevaluated\w+)$/;

/** The keywords with a type of tsop: `minLength` is `MinLength`, `exclusiveMaximum` is `ExclusiveMax`. */
const bounds: Readonly<Record<string, RegExp>> = {
  string: /^(minLength|maxLength|pattern)$/,
  integer: /imum$|^multipleOf$/,
  number: /imum$|^multipleOf$/,
  array: /^m..Items$/,
  object: /^m..Properties$/,
};

/** Writes the TypeScript types of a JSON schema, from which the generators make a structural one. */
export class SchemaTypes {
  readonly imports: Set<string> = new Set();
  readonly declarations: string[] = [];
  private readonly definitions: Schema;
  private readonly named = new Set<string>();

  constructor(root: Schema) {
    this.definitions = (root["$defs"] ?? root["definitions"] ?? {}) as Schema;
  }

  /** Returns the properties of an object, a line or more each. */
  fields(schema: Schema, path: string, indent: string): string {
    const required = (schema["required"] ?? []) as readonly string[];
    const lines = Object.entries((schema["properties"] ?? {}) as Schema).map(([name, value]) => {
      const type = this.type(value, `${path}.${name}`, `${indent}  `);
      const { description, default: fallback } = isObject(value) ? value : {};
      const defaults = fallback === undefined ? [] : [`+default=${json(fallback)}`];
      const text = descriptionLines(typeof description === "string" ? description : "");
      const comment = docComment([text, [...markersOf(value), ...defaults]], indent);
      return `${comment}${indent}${propertyName(name)}${required.includes(name) ? "" : "?"}: ${type};\n`;
    });
    return lines.join("") + (isOpen(schema) ? `${indent}[key: string]: unknown;\n` : "");
  }

  private type(schema: unknown, path: string, indent: string): string {
    if (schema === true) return this.use("JSONValue");
    if (!isObject(schema)) return refuse(path, "allows no value: leave the field out");
    const found = Object.keys(schema).find((key) => refused.test(key));
    if (found) refuse(path, `has ${found}: write a rule, .meta({ "x-kubernetes-validations": [{ rule: "…" }] })`);
    const { $ref, const: constant, enum: values, anyOf = [], oneOf = [], allOf = [] } = schema;
    const each = (parts: unknown): string[] => (parts as unknown[]).map((part) => this.element(part, path, indent));
    const referred = typeof $ref === "string" ? [this.reference($ref, path)] : [];
    const parts = [...referred, union(each(anyOf)), union(each(oneOf)), ...each(allOf)].filter(Boolean);
    const literals = Object.hasOwn(schema, "const") ? [constant] : (values as unknown[] | undefined);
    if (literals) parts.push(union(literals.map((value) => JSON.stringify(value))));
    else if (schema["type"] !== undefined || parts.length === 0) {
      const types = [schema["type"] ?? (schema["properties"] ? "object" : undefined)].flat();
      parts.push(union(types.map((type) => this.base(type, schema, { path, indent }))));
    }
    return parts.join(" & ");
  }

  /** Writes a type where no marker can stand: an element, a value, a branch. */
  private element(schema: unknown, path: string, indent: string): string {
    const type = this.type(schema, path, indent);
    const markers = markersOf(schema);
    if (markers.length === 0) return type;
    return this.declare(`${pascalCase(path)}Value`, type, markers);
  }

  private base(type: unknown, schema: Schema, at: { readonly path: string; readonly indent: string }): string {
    const { path, indent } = at;
    const limits = Object.keys(schema)
      .filter((key) => bounds[String(type)]?.test(key) && !isImplied(schema, key))
      .map((key) => `${this.use(pascalCase(key).replace("imum", ""))}<${JSON.stringify(schema[key])}>`);
    const text = ((): string => {
      if (type === undefined) return this.use("JSONValue");
      if (type === "integer") return "number";
      if (type === "number") return this.use("Float");
      if (type === "array") return this.array(schema, path, indent);
      return type === "object" ? this.object(schema, path, indent) : (type as string);
    })();
    return [text, ...limits].join(" & ");
  }

  private array({ items, prefixItems }: Schema, path: string, indent: string): string {
    const element = (value: unknown): string => this.element(value, `${path}[]`, indent);
    if (!Array.isArray(prefixItems)) return `(${element(items ?? true)})[]`;
    const rest = isObject(items) ? [`...(${element(items)})[]`] : [];
    return `[${[...prefixItems.map(element), ...rest].join(", ")}]`;
  }

  private object(schema: Schema, path: string, indent: string): string {
    const { additionalProperties: values = false, propertyNames } = schema;
    const keys = isObject(propertyNames) ? propertyNames["enum"] : undefined;
    if (Array.isArray(keys)) {
      const properties = Object.fromEntries(keys.map((key) => [key, values]));
      return this.object({ type: "object", properties, required: schema["required"] }, path, indent);
    }
    if (isObject(propertyNames) && Object.keys(propertyNames).some((key) => key !== "type"))
      refuse(path, "limits the keys of a map: leave the limits out, or list the keys in an enum");
    if (Object.keys(schema["properties"] ?? {}).length === 0)
      return values === false ? "{}" : `Record<string, ${this.element(values, `${path}[]`, indent)}>`;
    if (values !== false && !isOpen(schema))
      refuse(path, "has both fields and a type for others: put the others into a record");
    return `{\n${this.fields(schema, path, indent)}${indent.slice(2)}}`;
  }

  private reference(reference: string, path: string): string {
    const [, key] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
    if (key === undefined)
      return refuse(path, "contains itself, as no CRD can: use a type for any value, such as z.any()");
    const name = pascalCase(key);
    if (this.named.has(name)) return name;
    this.named.add(name);
    return this.declare(name, this.element(this.definitions[key], path, "  "), []);
  }

  private declare(wanted: string, type: string, markers: readonly string[]): string {
    const name = this.declarations.some((each) => each.includes(` ${wanted} =`))
      ? `${wanted}${this.declarations.length}`
      : wanted;
    this.declarations.push(`${docComment([markers], "")}export type ${name} = ${type};\n`);
    return name;
  }

  private use(name: string): string {
    this.imports.add(name);
    return name;
  }
}

/** The keywords that only markers express. */
function markersOf(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const format = typeof schema["format"] === "string" ? [`+kubebuilder:validation:Format=${schema["format"]}`] : [];
  const own = Object.entries(schema).filter(([key]) => key.startsWith("x-kubernetes-"));
  return [...format, ...(own.length > 0 ? [`+tsop:schema=${json(Object.fromEntries(own))}`] : [])];
}

/** Libraries write the range of an integer, and the pattern of a format, in which the server has no lookahead. */
function isImplied(schema: Schema, key: string): boolean {
  const value = schema[key];
  if (key === "pattern") return schema["format"] !== undefined && /\(\?[=!<]/.test(String(value));
  return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

function isOpen({ properties, additionalProperties: values }: Schema): boolean {
  return properties !== undefined && (values === true || (isObject(values) && Object.keys(values).length === 0));
}

function refuse(path: string, reason: string): never {
  throw new TsopError("TSOP_SCHEMA_REFUSED", { path, reason });
}

function union(types: readonly string[]): string {
  return types.length > 1 ? `(${types.join(" | ")})` : types.join("");
}
