import { expect, it } from "vitest";
import { withoutWords } from "./contract.ts";

const refusal = (over: object): any => ({
  step: "POST /x",
  status: 422,
  body: { kind: "Status", code: 422, reason: "Invalid", message: "words", details: { causes: [] }, ...over },
});
const causes = (...fields: readonly string[]): object => ({
  details: { causes: fields.map((field) => ({ field, reason: "FieldValueInvalid", message: `words about ${field}` })) },
});

it("compares neither words nor the order and repetition of errors", () => {
  const [one] = withoutWords([refusal(causes("a", "b", "a"))]);
  expect(withoutWords([{ ...refusal({ message: "others", ...causes("b", "a") }), warnings: ["w"] }])).toEqual([one]);
});

it.each([
  ["status", { ...refusal({}), status: 400 }],
  ["reason", refusal({ reason: "BadRequest" })],
  ["field", refusal(causes("a"))],
  ["reason of a cause that clients act on", refusal({ details: { causes: [{ reason: "DisruptionBudget" }] } })],
])("compares the %s", (_, other) => {
  expect(withoutWords([other])).not.toEqual(withoutWords([refusal({})]));
});

it("compares what users say in their objects", () => {
  const object = (message: string): any => ({ step: "GET /x", status: 200, body: { spec: { message, size: 1 } } });
  expect(withoutWords([object("a")])).not.toEqual(withoutWords([object("b")]));
});

it("compares conditions and events but for their messages", () => {
  const answer = (condition: object): any => ({
    step: "GET /x",
    status: 200,
    body: { status: { conditions: [{ type: "Ready", status: "True", reason: "R", message: "m", ...condition }] } },
  });
  const one = withoutWords([answer({})]);
  expect(withoutWords([answer({ message: "other" })])).toEqual(one);
  expect(withoutWords([answer({ reason: "Other" })])).not.toEqual(one);
});
