import { describe, expect, it } from "vitest";
import { ruleErrors as findRuleErrors } from "../../../../src/apimachinery/cel/rules/rule-errors.ts";
import { TurnBudget } from "../../../../src/apimachinery/turn-budget.ts";
import { validateWithRules } from "../../../../src/apimachinery/cel/rules/validate-rules.ts";
import type { JsonSchema, ValidationRule } from "../../../../src/apimachinery/json-schema.ts";

const ruleErrors = (schema: JsonSchema, path: string) =>
  findRuleErrors(schema, path, { unsound: [], turns: new TurnBudget() });

const specWith = (rules: ValidationRule[], properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties: { spec: { type: "object", properties, "x-kubernetes-validations": rules } },
});
const integers = { a: { type: "integer" }, b: { type: "integer" } } as const;

describe("validateWithRules", () => {
  it("takes reason, path and message from the rule", () => {
    const schema = specWith(
      [
        {
          rule: "self.a > 1",
          reason: "FieldValueForbidden",
          fieldPath: ".a",
          messageExpression: "'got ' + string(self.a)",
        },
        { rule: "self.b > 1" },
      ],
      integers,
    );
    expect(validateWithRules(schema, { spec: { a: 1, b: 1 } }).errors).toEqual([
      { reason: "FieldValueForbidden", field: "spec.a", message: "Forbidden: got 1" },
      { reason: "FieldValueInvalid", field: "spec", message: "Invalid value: failed rule: self.b > 1" },
    ]);
  });

  it("falls back to the message when its expression fails", () => {
    const schema = specWith([{ rule: "self.a > 1", message: "small", messageExpression: "string(self.b)" }], integers);
    expect(validateWithRules(schema, { spec: { a: 1 } }).errors).toEqual([
      { reason: "FieldValueInvalid", field: "spec", message: "Invalid value: small" },
    ]);
  });

  it("runs transition rules only if there is an old value", () => {
    const schema = specWith([{ rule: "self.a >= oldSelf.a", message: "shrinks" }], integers);
    expect(validateWithRules(schema, { spec: { a: 1 } }).errors).toEqual([]);
    expect(validateWithRules(schema, { spec: { a: 1 } }, { spec: { a: 2 } }).errors).toHaveLength(1);
    expect(validateWithRules(schema, { spec: { a: 1 } }, {}).errors).toEqual([]);
  });

  it("looks at the items of a dynamic list for the form of a function", () => {
    const schema = specWith([{ rule: "dyn([1.5, 2.5]).sum() == 4.0" }, { rule: "dyn(['a']).sum() == 1" }], integers);
    expect(validateWithRules(schema, { spec: {} }).errors.map(({ message }) => message)).toEqual([
      `Invalid value: "object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: dyn(['a']).sum() == 1`,
    ]);
  });

  it("always runs a rule with an optional oldSelf", () => {
    const rule = "oldSelf.hasValue() || self.a == 1";
    const schema = specWith([{ rule, optionalOldSelf: true }], integers);
    expect(validateWithRules(schema, { spec: { a: 2 } }).errors).toHaveLength(1);
    expect(validateWithRules(schema, { spec: { a: 2 } }, { spec: { a: 1 } }).errors).toEqual([]);
  });

  it("warns about an unchanged value that was already invalid", () => {
    const schema = specWith([{ rule: "self.a > 1", message: "small" }], integers);
    const found = validateWithRules(schema, { spec: { a: 1 } }, { spec: { a: 1 } });
    expect(found).toEqual({
      errors: [],
      warnings: [{ reason: "FieldValueInvalid", field: "spec", message: "Invalid value: small" }],
    });
  });

  it("identifies an item of a list map by its keys", () => {
    const item: JsonSchema = {
      type: "object",
      required: ["k"],
      properties: { k: { type: "string" }, v: { type: "integer" } },
      "x-kubernetes-validations": [{ rule: "self.v >= oldSelf.v" }],
    };
    const list: JsonSchema = {
      type: "array",
      items: item,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    };
    const schema: JsonSchema = { type: "object", properties: { list } };
    const old = { list: [{ k: "a", v: 5 }] };
    const { errors } = validateWithRules(
      schema,
      {
        list: [
          { k: "b", v: 1 },
          { k: "a", v: 4 },
        ],
      },
      old,
    );
    expect(errors.map(({ field }) => field)).toEqual(["list[1]"]);
  });

  it("skips rules for a value of another type", () => {
    const schema = specWith([{ rule: "self.a > 1" }], integers);
    const { errors } = validateWithRules(schema, { spec: { a: "x" } });
    expect(errors.map(({ field }) => field)).toEqual(["spec.a", "<nil>"]);
  });

  it("exposes the name of an object only to rules at its root", async () => {
    const schema: JsonSchema = {
      type: "object",
      "x-kubernetes-validations": [{ rule: "self.metadata.name.startsWith('a') && self.kind == 'K'" }],
    };
    const object = { apiVersion: "e.com/v1", kind: "K", metadata: { name: "abc", labels: {} } };
    expect(validateWithRules(schema, object).errors).toEqual([]);
    expect(validateWithRules(schema, { ...object, metadata: { name: "b" } }).errors).toHaveLength(1);
    expect(
      await ruleErrors({ ...schema, "x-kubernetes-validations": [{ rule: "has(self.metadata.labels)" }] }, "s"),
    ).toHaveLength(1);
  });
});

describe("ruleErrors", () => {
  it("rejects oldSelf for items without an old value", async () => {
    const items: JsonSchema = { type: "integer", "x-kubernetes-validations": [{ rule: "self > oldSelf" }] };
    const schema: JsonSchema = { type: "object", properties: { list: { type: "array", maxItems: 5, items } } };
    expect((await ruleErrors(schema, "s")).map(({ message }) => message)).toEqual([
      'Invalid value: "self > oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within s.properties[list]',
    ]);
  });

  it.each<[string, ValidationRule, string]>([
    ["an empty rule", { rule: " " }, "rule: Required value: rule is not specified"],
    ["an empty message", { rule: "true", message: " " }, 'message: Invalid value: " ": must be non-empty if specified'],
    [
      "a message of two lines",
      { rule: "true", message: "a\nb" },
      'message: Invalid value: "a\\nb": must not contain line breaks',
    ],
    [
      "a rule of two lines without a message",
      { rule: "true &&\n true" },
      "message: Required value: message must be specified if rule contains line breaks",
    ],
    [
      "a path that does not exist",
      { rule: "true", fieldPath: ".zz" },
      'fieldPath: Invalid value: ".zz": must be a valid path',
    ],
    [
      "an unused optional oldSelf",
      { rule: "true", optionalOldSelf: true },
      "optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule",
    ],
  ])("rejects %s", async (_name, rule, expected) => {
    const [error] = await ruleErrors(specWith([rule], integers), "s");
    expect(`${error?.field.replace(/^.*\]\./, "")}: ${error?.message}`).toBe(expected);
  });

  it("supports deep nesting", async () => {
    const rule = `${"(".repeat(5000)}true${")".repeat(5000)}`;
    expect(await ruleErrors(specWith([{ rule }], integers), "s")).toHaveLength(1);
  });
});
