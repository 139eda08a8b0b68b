import { describe, expect, it } from "vitest";
import type { Named } from "../../../../src/apimachinery/meta.ts";
import {
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  labelSelectorPredicate,
  not,
  or,
  predicateFuncs,
  resourceVersionChanged,
  type Predicate,
} from "../../../../src/runtime/controller/predicates.ts";

const base = {
  name: "a",
  generation: 1,
  resourceVersion: "1",
  labels: { a: "1" },
  annotations: { b: "1" },
};

function updateEvent(change: Partial<Named["metadata"]>) {
  return { objectOld: { metadata: base }, objectNew: { metadata: { ...base, ...change } } };
}

function verdicts(predicate: Predicate, object: Named): (boolean | undefined)[] {
  return [
    predicate.create?.({ object, isInInitialList: false }),
    predicate.update?.({ objectOld: { metadata: { name: "old" } }, objectNew: object }),
    predicate.delete?.({ object, deleteStateUnknown: false }),
    predicate.generic?.({ object }),
  ];
}

describe("predicates", () => {
  it.each<[string, Predicate, Partial<Named["metadata"]>, boolean]>([
    ["generationChanged: a new specification", generationChanged(), { generation: 2 }, true],
    ["generationChanged: a new status", generationChanged(), { resourceVersion: "2" }, false],
    ["resourceVersionChanged: any change", resourceVersionChanged(), { resourceVersion: "2" }, true],
    ["resourceVersionChanged: a resync", resourceVersionChanged(), {}, false],
    ["labelChanged: a label", labelChanged(), { labels: { a: "2" } }, true],
    ["labelChanged: one label more", labelChanged(), { labels: { a: "1", c: "1" } }, true],
    ["labelChanged: the same labels", labelChanged(), { labels: { a: "1" }, annotations: {} }, false],
    ["annotationChanged: an annotation", annotationChanged(), { annotations: { b: "2" } }, true],
    ["annotationChanged: a label", annotationChanged(), { labels: {} }, false],
  ])("%s", (_name, predicate, change, expected) => {
    expect(predicate.update!(updateEvent(change))).toBe(expected);
    // Predicates for updates ignore other events.
    expect(Object.keys(predicate)).toEqual(["update"]);
  });

  it("from a filter check the object, and the new object of an update", () => {
    const named = predicateFuncs((object) => object.metadata.name === "a");
    expect(verdicts(named, { metadata: { name: "a" } })).toEqual([true, true, true, true]);
    expect(verdicts(named, { metadata: { name: "b" } })).toEqual([false, false, false, false]);
  });

  it("from a selector check the labels", () => {
    const predicate = labelSelectorPredicate({ matchExpressions: [{ key: "a", operator: "In", values: ["1", "2"] }] });
    expect(verdicts(predicate, { metadata: { name: "a", labels: { a: "2" } } })).toEqual([true, true, true, true]);
    expect(verdicts(predicate, { metadata: { name: "a" } })).toEqual([false, false, false, false]);
  });

  const yes = predicateFuncs(() => true);
  const no = predicateFuncs(() => false);

  it.each<[string, Predicate, boolean]>([
    ["and of yes and yes", and(yes, yes), true],
    ["and of yes and no", and(yes, no), false],
    ["and of nothing", and(), true],
    ["or of no and yes", or(no, yes), true],
    ["or of no and no", or(no, no), false],
    ["not yes", not(yes), false],
    ["not no", not(no), true],
    ["not of or", not(or(no, no)), true],
    ["and with a predicate that ignores the event", and({}, yes), true],
  ])("combine: %s", (_name, predicate, expected) => {
    expect(verdicts(predicate, { metadata: { name: "a" } })).toEqual([expected, expected, expected, expected]);
  });
});
