import { expect, it } from "vitest";
import { unadopted } from "../../../src/check/oracles/judge-adoption.ts";
import { maskOf, type ObjectState } from "../../../src/check/world/object-state.ts";

const stateOf = (id: string, value: string): ObjectState => new Map([[id, new Map([["spec.command", value]])]]);

function judge(id: string): string[] {
  const adoption = { field: "spec.command", isCustom: (other: string) => other.startsWith("example.com/") };
  const states = { usual: stateOf(id, "old"), changed: stateOf(id, "old"), born: stateOf(id, "new") };
  return unadopted({ ...adoption, ...states }, maskOf([])).map(({ about }) => about);
}

it("finds a field that only the creation of the custom resource sets", () => {
  expect(judge("apps/deployments default/a")).toEqual(["apps/deployments spec.command not adopted"]);
});

it.each(["/pods default/a", "batch/jobs default/a", "/secrets default/a", "example.com/ats default/a"])(
  "says nothing of %s",
  (id) => {
    expect(judge(id)).toEqual([]);
  },
);
