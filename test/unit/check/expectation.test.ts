import { expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { differencesFrom } from "../../../src/check/plans/expectation.ts";
import type { Plan } from "../../../src/check/plans/plan.ts";
import type { RunRecord } from "../../../src/check/world/run-record.ts";
import { maskOf, normalizeState } from "../../../src/check/world/object-state.ts";

const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { namespace: "n", name: "data-0" } };

it.each(["crash", "deletion"] as const)("with the class %s, compares claims for storage", (faultClass) => {
  const [none, one] = [
    normalizeState(new Map()),
    normalizeState(new Map([["/persistentvolumeclaims n/data-0", claim]])),
  ];
  const plan: Plan = { id: "p", faultClass, description: "d", steps: [] };
  const expectation = {
    states: new Map([
      ["none", none],
      ["one", one],
    ]),
    mask: maskOf([]),
  };
  const differences = (reaches: string, state: typeof none): number =>
    differencesFrom(expectation, plan, { reaches }, { state, requests: [] }).length;
  expect(differences("none", one)).toBe(1);
  // The claim of a pod that was never there is missing.
  expect(differences("one", none)).toBe(faultClass === "deletion" ? 0 : 1);
});

it("misses after an early deletion only what was there", () => {
  const id = "/configmaps n/kept";
  const kept: UnstructuredObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "n", name: "kept" } };
  const expectation = { states: new Map([["delete", normalizeState(new Map([[id, kept]]))]]), mask: maskOf([]) };
  const plan: Plan = { id: "p", faultClass: "deletion", description: "d", steps: [] };
  const request = {
    at: 0,
    step: "create",
    by: "operator",
    verb: "delete",
    signature: "",
    occurrence: 1,
    status: 200,
  } as const;
  const differences = (requests: RunRecord["requests"]): number =>
    differencesFrom(expectation, plan, { reaches: "delete" }, { state: normalizeState(new Map()), requests }).length;
  expect(differences([])).toBe(0);
  expect(differences([{ ...request, changes: [{ id, before: kept, after: undefined }] }])).toBe(1);
});

it("leaves out what a change and its way back leave without a fault, if a plan takes a change back", () => {
  const id = "/configmaps n/a";
  const stateWith = (hash: string) => {
    const metadata = { namespace: "n", name: "a", annotations: { hash } };
    return normalizeState(new Map([[id, { apiVersion: "v1", kind: "ConfigMap", metadata }]]));
  };
  const maskOfReturn = maskOf([{ id, path: "metadata.annotations.hash" }]);
  const expectation = { states: new Map([["create", stateWith("1")]]), mask: maskOf([]), maskOfReturn };
  const differences = (faultClass: Plan["faultClass"]): number => {
    const plan: Plan = { id: "p", faultClass, description: "d", steps: [] };
    return differencesFrom(expectation, plan, { reaches: "create" }, { state: stateWith("2"), requests: [] }).length;
  };
  expect([differences("exploration"), differences("drift"), differences("crash")]).toEqual([0, 1, 1]);
});

it("expects nothing back of an object that the operator itself deletes when its time is over", () => {
  const id = "example.com/runs n/run";
  const run: UnstructuredObject = {
    apiVersion: "example.com/v1",
    kind: "Run",
    metadata: { namespace: "n", name: "run" },
  };
  const expectation = { states: new Map([["create", normalizeState(new Map([[id, run]]))]]), mask: maskOf([]) };
  const target = { apiVersion: "example.com/v1", kind: "Run", namespace: "n", name: "run" };
  const change = { name: "change spec.ttl", action: { type: "patch", target, patch: { spec: { ttl: 0 } } } } as const;
  const plan: Plan = { id: "p", faultClass: "exploration", description: "d", steps: [change] };
  const differences = (by: "operator" | "cluster"): number => {
    const changes = [{ id, before: run, after: undefined }];
    const requests = [
      { at: 0, step: change.name, by, verb: "delete", signature: "", occurrence: 1, status: 200, changes },
    ];
    const outcome = { state: normalizeState(new Map()), requests: requests as RunRecord["requests"] };
    return differencesFrom(expectation, plan, { reaches: "create" }, outcome).length;
  };
  expect(differences("operator")).toBe(0);
  expect(differences("cluster")).toBe(1);
});
