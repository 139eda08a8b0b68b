import { expect, expectTypeOf, it } from "vitest";
import { omitEmpty } from "../../../src/apimachinery/omit-empty.ts";

interface Status {
  active?: string[];
  last?: { name: string };
  phase?: string;
  ready?: boolean;
  replicas?: number;
  labels?: Record<string, string>;
}

it("leaves out what Go's omitempty does, of the object's own fields only", () => {
  const empty: Status = { active: [], phase: "", ready: false, replicas: 0, labels: {} };
  expect(omitEmpty(empty)).toStrictEqual({});
  const full: Status = { active: [""], phase: "Running", ready: true, replicas: 1, last: { name: "" } };
  expect(omitEmpty(full)).toStrictEqual(full);
});

it("keeps the type, and refuses one that requires a field", () => {
  const status: Status = {};
  expectTypeOf(omitEmpty(status)).toEqualTypeOf<Status>();
  const required: { active: string[] } = { active: [] };
  // @ts-expect-error -- a field that the server requires can't be left out
  expect(omitEmpty(required)).toEqual({});
});
