import { pick, type Random } from "./mutate.ts";
import { valueOf } from "./random-value.ts";

/** Generates the schema of a kind, which is mostly valid. */
export function rootSchema(random: Random): any {
  const root: any = {
    type: "object",
    properties: { spec: objectSchema(3, random), status: objectSchema(1, random), revision: { type: "integer" } },
  };
  if (random() < 0.5) root.required = ["spec"];
  if (random() < 0.2) root.properties.spec.default = {};
  return root;
}

const names = ["a", "b", "c", "size", "mode", "from", "in", "x-y", "name"];

function objectSchema(depth: number, random: Random): any {
  const keys = [...new Set(Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(names, random)))];
  const schema: any = {
    type: "object",
    properties: Object.fromEntries(keys.map((key) => [key, anySchema(depth - 1, random)])),
  };
  if (random() < 0.3) schema.required = [pick(keys, random)];
  if (random() < 0.1) schema["x-kubernetes-preserve-unknown-fields"] = true;
  if (random() < 0.1) schema["x-kubernetes-map-type"] = "atomic";
  if (random() < 0.1) schema.minProperties = 1;
  if (random() < 0.1) schema.maxProperties = 3;
  if (random() < 0.2) schema["x-kubernetes-validations"] = [objectRule(keys, random)];
  if (random() < 0.1) schema.anyOf = [{ required: [pick(keys, random)] }, { required: [pick(keys, random)] }];
  if (random() < 0.1) schema.oneOf = [{ required: [pick(keys, random)] }, { required: [pick(keys, random)] }];
  if (random() < 0.05) schema.not = { required: [pick(keys, random)] };
  return schema;
}

function objectRule(keys: readonly string[], random: Random): object {
  const key = pick(keys, random);
  const field = { in: "__in__", "x-y": "x__dash__y" }[key] ?? key;
  const rule: any = {
    rule: pick([`has(self.${field})`, `!has(self.${field}) || has(oldSelf.${field})`, `!has(self.${field})`], random),
  };
  if (random() < 0.4) rule.message = pick(["must have it", "  trimmed  ", "a message"], random);
  if (random() < 0.2)
    rule.messageExpression = pick([`"no " + string(has(self.${field}))`, `string(1 / 0)`, `""`], random);
  if (random() < 0.3)
    rule.reason = pick(
      ["FieldValueForbidden", "FieldValueRequired", "FieldValueInvalid", "FieldValueDuplicate"],
      random,
    );
  if (random() < 0.3) rule.fieldPath = key.includes("-") ? `['${key}']` : `.${key}`;
  if (random() < 0.2 && rule.rule.includes("oldSelf")) rule.optionalOldSelf = false;
  return rule;
}

function anySchema(depth: number, random: Random): any {
  const schema = rawSchema(depth, random);
  if (random() < 0.12) schema.nullable = true;
  if (random() < 0.25 && schema.type) schema.default = valueOf(schema, random);
  if (random() < 0.1) schema.description = "text";
  return schema;
}

function rawSchema(depth: number, random: Random): any {
  switch (Math.floor(random() * (depth > 0 ? 12 : 7))) {
    case 0:
    case 1:
      return stringSchema(random);
    case 2:
      return integerSchema(random);
    case 3:
      return numberSchema(random);
    case 4:
      return { type: "boolean" };
    case 5:
      return random() < 0.6
        ? { "x-kubernetes-int-or-string": true }
        : { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] };
    case 6:
      return random() < 0.5
        ? { "x-kubernetes-preserve-unknown-fields": true }
        : { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    case 7:
    case 8:
      return listSchema(depth, random);
    case 9: {
      const schema: any = { type: "object", additionalProperties: anySchema(depth - 1, random) };
      if (random() < 0.2) schema.maxProperties = 2;
      if (random() < 0.2) schema["x-kubernetes-map-type"] = pick(["granular", "atomic"], random);
      if (random() < 0.2)
        schema["x-kubernetes-validations"] = [{ rule: pick(["self.all(k, k != 'b')", "size(self) < 3"], random) }];
      return schema;
    }
    case 10:
      return random() < 0.2
        ? {
            type: "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
          }
        : objectSchema(depth, random);
    default:
      return objectSchema(depth, random);
  }
}

function stringSchema(random: Random): any {
  const schema: any = { type: "string" };
  if (random() < 0.3) return { ...schema, enum: ["a", "b", "On"] };
  if (random() < 0.3) schema.minLength = Math.floor(random() * 3);
  if (random() < 0.3) schema.maxLength = 2 + Math.floor(random() * 4);
  if (random() < 0.2) schema.pattern = pick(["^[a-z]*$", "a|b", "^\\d+$", "^(?i)x"], random);
  if (random() < 0.3)
    schema.format = pick(
      [
        "date-time",
        "date",
        "duration",
        "uuid",
        "ipv4",
        "cidr",
        "email",
        "byte",
        "hostname",
        "uri",
        "password",
        "unknown",
      ],
      random,
    );
  if (random() < 0.25)
    schema["x-kubernetes-validations"] = [
      {
        rule: pick(["self.size() < 4", "self == oldSelf", "self != 'b'", "self.startsWith('a')"], random),
        ...(random() < 0.5 && { message: "not so" }),
      },
    ];
  return schema;
}

function integerSchema(random: Random): any {
  const schema: any = { type: "integer" };
  if (random() < 0.4) schema.format = pick(["int32", "int64"], random);
  if (random() < 0.3) schema.minimum = Math.floor(random() * 3);
  if (random() < 0.3) schema.maximum = 2 + Math.floor(random() * 100);
  if (random() < 0.1 && schema.minimum !== undefined) schema.exclusiveMinimum = true;
  if (random() < 0.1 && schema.maximum !== undefined) schema.exclusiveMaximum = true;
  if (random() < 0.15) schema.multipleOf = pick([2, 5], random);
  if (random() < 0.15) schema.enum = [1, 2, 7];
  if (random() < 0.25)
    schema["x-kubernetes-validations"] = [{ rule: pick(["self >= oldSelf", "self < 5", "self % 2 == 0"], random) }];
  return schema;
}

function numberSchema(random: Random): any {
  const schema: any = { type: "number" };
  if (random() < 0.3) schema.format = pick(["float", "double"], random);
  if (random() < 0.3) schema.minimum = pick([0, 0.5, -1.5], random);
  if (random() < 0.3) schema.maximum = pick([1.5, 10, 1e3], random);
  if (random() < 0.2) schema.multipleOf = pick([0.5, 0.1], random);
  return schema;
}

function listSchema(depth: number, random: Random): any {
  const listType = pick([undefined, "atomic", "set", "map"], random);
  const schema: any = { type: "array" };
  if (listType === "set") schema.items = pick([() => stringSchema(random), () => integerSchema(random)], random)();
  else if (listType === "map") {
    schema.items = objectSchema(depth - 1, random);
    delete schema.items["x-kubernetes-preserve-unknown-fields"];
    const key = pick([{ type: "string" }, { type: "integer" }, { type: "string", enum: ["a", "b"] }], random);
    schema.items.properties.key = random() < 0.3 && key.type === "string" ? { ...key, default: "a" } : key;
    if (schema.items.properties.key.default === undefined) schema.items.required = ["key"];
    schema["x-kubernetes-list-map-keys"] = ["key"];
    if (random() < 0.2) {
      schema.items.properties.zone = { type: "string", default: "z" };
      schema["x-kubernetes-list-map-keys"] = ["key", "zone"];
    }
  } else schema.items = anySchema(depth - 1, random);
  if (listType) schema["x-kubernetes-list-type"] = listType;
  if (random() < 0.3) schema.maxItems = 1 + Math.floor(random() * 3);
  if (random() < 0.2) schema.minItems = 1;
  if (random() < 0.2)
    schema["x-kubernetes-validations"] = [{ rule: pick(["self.size() < 3", "self.size() >= oldSelf.size()"], random) }];
  return schema;
}

/** Adds limits to a schema that an object may break. */
export function tighten(schema: any, random: Random): any {
  const copy = structuredClone(schema);
  for (const part of partsOf(copy.properties.spec)) {
    if (random() < 0.7) continue;
    if (part.type === "string" && !part.enum) part.maxLength = 1;
    if (part.type === "integer") Object.assign(part, { maximum: 1, minimum: 0 });
    if (part.type === "array") part.maxItems = 1;
    if (part.properties && random() < 0.3) part.required = Object.keys(part.properties).slice(0, 1);
    if (part.type === "boolean") part.enum = [true];
    if (part.default !== undefined && random() < 0.7) delete part.default;
    if (part.properties && random() < 0.2) delete part.properties[Object.keys(part.properties)[0]!];
  }
  for (const part of partsOf(copy)) delete part.default;
  return copy;
}

function* partsOf(schema: any): Generator<any> {
  if (typeof schema !== "object" || schema === null) return;
  yield schema;
  for (const part of Object.values(schema.properties ?? {})) yield* partsOf(part);
  if (schema.items) yield* partsOf(schema.items);
  if (schema.additionalProperties) yield* partsOf(schema.additionalProperties);
}
