import { describe, expect, it } from "vitest";
import { compileExpression, scopeOf } from "../../../../src/apimachinery/cel/compile-rule.ts";
import { CostMeter } from "../../../../src/apimachinery/cel/evaluate/comprehend.ts";
import { ruleErrors as findRuleErrors } from "../../../../src/apimachinery/cel/rules/rule-errors.ts";
import { TurnBudget } from "../../../../src/apimachinery/turn-budget.ts";
import { typeOfSchema } from "../../../../src/apimachinery/cel/rules/schema-type.ts";
import { valueOfJson } from "../../../../src/apimachinery/cel/rules/schema-value.ts";
import { validateRules } from "../../../../src/apimachinery/cel/rules/validate-rules.ts";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
import recorded from "./recorded/cel.json" with { type: "json" };
import recordedCosts from "./recorded/cel-costs.json" with { type: "json" };

const ruleErrors = (schema: JsonSchema, path: string) =>
  findRuleErrors(schema, path, { unsound: [], turns: new TurnBudget() });

interface Case {
  causes?: { reason: string; message: string; field: string }[];
  result?: true | string;
}

const schema = recorded.schema as JsonSchema;
const cases = Object.entries(recorded.cases as Record<string, Case>);

const root = "spec.validation.openAPIV3Schema";

/** Masks the name of an object's type, which the server generates anew each time. */
const withoutSerial = (text: string): string => text.replace(/selfType\d*/g, "selfType");

/** Returns a message after the rejected value, which a real server prints as the JSON of an internal form. */
const detailOf = (message: string, rule: string): string => {
  const ours = `Invalid value: ${JSON.stringify(rule)}: `;
  return withoutSerial(
    message.startsWith(ours) ? message.slice(ours.length) : message.replace(/^.*?"OptionalOldSelf":null\}: /s, ""),
  );
};

/** If cel-go's parser continues after an error or guesses the meaning, only the rejection is compared. */
const parserTexts = ["self..i == 1", "'abc", "self.i = 5", "{'a': 1, 'a': 2}.size() == 1"];

describe("rules that a recorded server rejects", () => {
  it.each(cases.filter(([, { causes }]) => causes))("%s", async (rule, { causes }) => {
    const withRule: JsonSchema = { ...schema, "x-kubernetes-validations": [{ rule }] };
    const errors = await ruleErrors({ type: "object", properties: { spec: withRule } }, root);
    if (parserTexts.includes(rule)) expect(errors).toHaveLength(1);
    else {
      const shown = errors.map(({ reason, message, field }) => ({
        reason,
        message: detailOf(message, rule),
        field: field.replace(/^.*\]\./, ""),
      }));
      expect(shown).toEqual(causes?.map((cause) => ({ ...cause, message: detailOf(cause.message, rule) })));
    }
  });
});

describe("rules that a recorded server runs", () => {
  it.each(cases.filter(([, { causes }]) => !causes))("%s", async (rule, { result }) => {
    const withRule: JsonSchema = { ...schema, "x-kubernetes-validations": [{ rule, message: "#" }] };
    const { errors } = validateRules({ type: "object", properties: { spec: withRule } }, { spec: recorded.value });
    const [error] = errors.map(({ message }) => message.replace(/^Invalid value: ("object": )?/, "").replace(/#$/, ""));
    expect(error ?? true).toBe(result);
    expect(await ruleErrors({ type: "object", properties: { spec: withRule } }, root)).toEqual([]);
  });
});

describe("texts that a recorded server renders", () => {
  const { type } = typeOfSchema(schema, false)!;
  it.each(Object.entries(recorded.texts))("%s", (source, text) => {
    const { evaluate } = compileExpression(source, { self: type }, () => undefined);
    const scope = scopeOf({ self: valueOfJson(recorded.value, schema, false) });
    expect(evaluate(scope, new CostMeter())).toBe(text);
  });
});

describe("costs that a recorded server estimates", () => {
  const costs = recordedCosts.costs as Record<string, { items: number; problem: string | null }>;
  it.each(Object.entries(costs))("%s", async (rule, { items, problem }) => {
    const withRule: JsonSchema = { ...schema, "x-kubernetes-validations": [{ rule }] };
    const errors = await ruleErrors(
      { type: "object", properties: { spec: { type: "array", maxItems: items, items: withRule } } },
      root,
    );
    const found = errors.find(({ message }) => message.startsWith("Forbidden: estimated rule cost"));
    expect(found?.message ?? null).toBe(problem);
  });
});
