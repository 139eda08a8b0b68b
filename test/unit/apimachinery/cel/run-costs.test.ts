import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
import { compileExpression, scopeOf } from "../../../../src/apimachinery/cel/compile-rule.ts";
import { CostLimitError, CostMeter } from "../../../../src/apimachinery/cel/evaluate/comprehend.ts";
import { typeOfSchema } from "../../../../src/apimachinery/cel/rules/schema-type.ts";
import { valueOfJson } from "../../../../src/apimachinery/cel/rules/schema-value.ts";
import { dynamicValue, type CelValue } from "../../../../src/apimachinery/cel/values/values.ts";
import { dynType, type CelType } from "../../../../src/apimachinery/cel/values/types.ts";
import recorded from "./recorded/cel-run-costs.json" with { type: "json" };

type Cost = number | "limit";

const schema = recorded.schema as JsonSchema;
const costs = Object.entries(recorded.costs as Record<string, { typed?: Cost; dynamic?: Cost }>);

/** kube-apiserver does not find the form of a function whose argument is dynamic; here the call is evaluated. */
const otherResult = "cidr('10.0.0.0/8').containsIP(self.s) && cidr(self.s).containsCIDR('10.0.0.0/16')";

function costOf(
  source: string,
  types: Readonly<Record<string, CelType>>,
  values: Readonly<Record<string, CelValue>>,
): Cost {
  const { evaluate } = compileExpression(source, types, () => undefined, { structs: source.startsWith("Object") });
  const meter = new CostMeter();
  try {
    evaluate(scopeOf(values), meter);
    return meter.spent;
  } catch (error) {
    if (error instanceof CostLimitError) return "limit";
    throw error;
  }
}

describe("the cost of an evaluation is that of kube-apiserver's libraries, if the variable", () => {
  const { type } = typeOfSchema(schema, false)!;
  const self = valueOfJson(recorded.value, schema, false);
  it.each(costs.filter(([, { typed }]) => typed !== undefined))("has a schema: %s", (source, { typed }) => {
    expect(costOf(source, { self: type }, { self })).toBe(typed);
  });

  const [types, values] = [{ self: dynType }, { self: dynamicValue(recorded.value) }];
  it.each(costs.filter(([source, { dynamic }]) => dynamic !== undefined && source !== otherResult))(
    "is dynamic: %s",
    (source, { dynamic }) => {
      expect(costOf(source, types, values)).toBe(dynamic);
    },
  );
});
