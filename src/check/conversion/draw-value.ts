import { cloneJson } from "../../apimachinery/clone.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { itemIdentity } from "../../apimachinery/schema/correlate.ts";
import { matchesPattern } from "../../apimachinery/schema/pattern.ts";
import { edgesOf } from "../scenario/schema-values.ts";

/** Texts of which one fits most patterns and quantities; the samples have others. */
const usualTexts = [
  "a",
  "b1",
  "v1",
  "x.example.com",
  "https://example.com/",
  "1",
  "100m",
  "1Gi",
  "30s",
  "2m30s",
].concat(
  ["*", "*/5", "0 3 * * *", "10.0.0.1", "10.0.0.0/8", "1.2.3", "v1.2.3", "A", "ABC", "50%", "a/b", "/a", "a=b"],
  ["registry.example.com/a:1", `sha256:${"a".repeat(64)}`, "00000000-0000-4000-8000-000000000000"],
);
/** Values below this level are rarely drawn: pod templates have a thousand fields. */
const usualDepth = 3;
const mostItems = 3;

/** Draws values that a schema mostly accepts; rules may refuse some. */
export class ValueDrawer {
  private readonly random: () => number;
  private readonly texts: readonly string[];
  private readonly fitting = new WeakMap<JsonSchema, readonly string[]>();

  constructor(random: () => number, samples: readonly unknown[]) {
    this.random = random;
    this.texts = [...new Set([...samples.flatMap(textsIn), ...usualTexts])];
  }

  /** Returns true with a probability. */
  chance(probability: number): boolean {
    return this.random() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  draw(schema: JsonSchema, depth = 0): unknown {
    if (schema.default !== undefined && this.chance(0.2)) return cloneJson(schema.default);
    if (schema.nullable && this.chance(0.05)) return null;
    if (schema.enum) return this.pick(schema.enum);
    if (schema["x-kubernetes-embedded-resource"])
      return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { key: "value" } };
    if (schema["x-kubernetes-int-or-string"])
      return schema.pattern === undefined ? this.pick([1, 8080, "50%", "http"]) : this.drawText(schema);
    switch (schema.type) {
      case "string":
        return this.drawText(schema);
      case "array":
        return this.drawList(schema, depth);
      case "object":
        return this.drawFields(schema, depth);
      case "integer":
      case "number":
      case "boolean":
        return this.pick(edgesOf(schema))?.[1];
      case undefined:
      default:
        return this.pick<unknown>([{ key: "value" }, this.drawWord()]);
    }
  }

  private drawWord(): string {
    return `w${this.below(1000)}`;
  }

  private drawText(schema: JsonSchema): string | undefined {
    let known = this.fitting.get(schema);
    if (!known) {
      const { pattern, format, minLength = 0, maxLength = Infinity } = schema;
      const fits = (text: string): boolean =>
        text.length >= minLength && text.length <= maxLength && (!pattern || matchesPattern(pattern, text));
      const edges = edgesOf(schema).map(([, value]) => String(value));
      known = [...(format === undefined ? this.texts : []), ...edges].filter(fits);
      this.fitting.set(schema, known);
    }
    const isFree = schema.pattern === undefined && schema.format === undefined;
    return isFree && this.chance(0.3) ? this.drawWord() : this.pick(known);
  }

  private drawList(schema: JsonSchema, depth: number): unknown[] {
    const { items = {}, minItems = 0, maxItems = Infinity, "x-kubernetes-list-type": type } = schema;
    const most = Math.max(minItems, Math.min(maxItems, mostItems));
    const length = minItems + this.below(most - minItems + 1);
    const drawn = Array.from({ length }, () => this.draw(items, depth + 1));
    if (type !== "map" && type !== "set") return drawn;
    const identityOf = type === "map" ? itemIdentity(schema) : JSON.stringify;
    return [...new Map(drawn.map((item) => [identityOf(item), item])).values()];
  }

  private drawFields(schema: JsonSchema, depth: number): Record<string, unknown> {
    const { properties = {}, additionalProperties, required = [] } = schema;
    const branches = [schema.anyOf, schema.oneOf].map((all = []) => this.pick(all)?.required ?? []);
    const others = (schema.oneOf ?? []).flatMap((branch) => branch.required ?? []);
    const needed = new Set([...required, ...branches.flat()]);
    const fields: Record<string, unknown> = {};
    for (const [name, child] of Object.entries(properties)) {
      const isWanted = !others.includes(name) && this.chance(depth < usualDepth ? 0.5 : 0.1);
      const value = needed.has(name) || isWanted ? this.draw(child, depth + 1) : undefined;
      if (value !== undefined) fields[name] = value;
    }
    const isOpen = schema["x-kubernetes-preserve-unknown-fields"] && !schema.properties;
    const additional = additionalProperties === true || isOpen ? { type: "string" as const } : additionalProperties;
    const keys = additional ? this.below(mostItems) : 0;
    for (let key = 0; key < keys; key++) fields[`key${key}`] = this.draw(additional as JsonSchema, depth + 1);
    return fields;
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
