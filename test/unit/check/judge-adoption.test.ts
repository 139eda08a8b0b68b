import { expect, it } from "vitest";
import { unadopted } from "../../../src/check/oracles/judge-adoption.ts";
import { maskOf, type ObjectState } from "../../../src/check/world/object-state.ts";

const stateOf = (id: string, value: string): ObjectState => new Map([[id, new Map([["spec.command", value]])]]);

function judge(id: string): string[] {
  const adoption = {
    field: "spec.command",
    isAdopted: false,
    isCustom: (other: string) => other.startsWith("example.com/"),
  };
  const states = { usual: stateOf(id, "old"), changed: stateOf(id, "old"), born: stateOf(id, "new") };
  return unadopted({ ...adoption, ...states }, maskOf([])).map(({ about }) => about);
}

it("finds a field that only the creation of the custom resource sets", () => {
  expect(judge("apps/deployments default/a")).toEqual(["apps/deployments spec.command not adopted"]);
});

it("finds an object that only the creation with the value makes, and one that stays although the value turns it off", () => {
  const adoption = { field: "spec.metrics", isAdopted: false, isCustom: () => false };
  const [none, service] = [new Map(), stateOf("/services default/a", "old")];
  const sentences = (usual: ObjectState, changed: ObjectState, born: ObjectState): string[] =>
    unadopted({ ...adoption, usual, changed, born }, maskOf([])).map(({ sentence }) => sentence);
  expect(sentences(none, none, service)[0]).toMatch("/services default/a is missing");
  expect(sentences(service, service, none)[0]).toMatch("/services default/a exists, and should not");
  expect(sentences(service, none, none)).toEqual([]);
});

it("asks of a change that leads to something only whether it turns off all of it", () => {
  const adoption = { field: "spec.metrics", isAdopted: true, isCustom: () => false };
  const both = new Map([...stateOf("/services default/a", "old"), ...stateOf("/services default/b", "old")]);
  const first = stateOf("/services default/a", "new");
  const causes = (changed: ObjectState): string[] =>
    unadopted({ ...adoption, usual: both, changed, born: first }, maskOf([])).map(({ about }) => about);
  expect(causes(both)).toEqual(["/services left not adopted"]);
  expect(causes(stateOf("/services default/a", "old"))).toEqual([]);
});

it.each(["/pods default/a", "batch/jobs default/a", "/secrets default/a", "example.com/ats default/a"])(
  "says nothing of %s",
  (id) => {
    expect(judge(id)).toEqual([]);
  },
);
