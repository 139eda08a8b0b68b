import { expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { differencesFrom } from "../../../src/check/plans/expectation.ts";
import type { Plan } from "../../../src/check/plans/plan.ts";
import type { RecordedRequest } from "../../../src/check/world/run-record.ts";
import { maskOf, normalizeState } from "../../../src/check/world/object-state.ts";

const at = { step: "create", signature: "create v1/configmaps", occurrence: 1 };
const planOf = (faultClass: Plan["faultClass"], ...steps: Plan["steps"]): Plan => ({
  id: "p",
  faultClass,
  description: "d",
  steps,
  ...(faultClass === "deletion" && { faults: [{ type: faultClass, at, targets: [] }] }),
});

const deletionBy = (by: RecordedRequest["by"], id: string, before: UnstructuredObject): RecordedRequest => {
  const changes = [{ id, before, after: undefined }];
  return { at: 0, step: "create", by, verb: "delete", signature: "", occurrence: 1, status: 200, changes };
};

const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { namespace: "n", name: "data-0" } };

it.each(["crash", "deletion"] as const)("with the class %s, compares claims for storage", (faultClass) => {
  const [none, one] = [
    normalizeState(new Map()),
    normalizeState(new Map([["/persistentvolumeclaims n/data-0", claim]])),
  ];
  const expectation = {
    states: new Map([
      ["none", none],
      ["one", one],
    ]),
    mask: maskOf([]),
  };
  const differences = (reaches: string, state: typeof none): number =>
    differencesFrom(expectation, planOf(faultClass), { reaches }, { state, requests: [] }).length;
  expect(differences("none", one)).toBe(1);
  // The claim of a pod that was never there is missing.
  expect(differences("one", none)).toBe(faultClass === "deletion" ? 0 : 1);
});

it("expects after an early deletion only the loss of existing objects", () => {
  const id = "/configmaps n/kept";
  const kept: UnstructuredObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "n", name: "kept" } };
  const expectation = { states: new Map([["delete", normalizeState(new Map([[id, kept]]))]]), mask: maskOf([]) };
  const differences = (...requests: RecordedRequest[]): number => {
    const outcome = { state: normalizeState(new Map()), requests };
    return differencesFrom(expectation, planOf("deletion"), { reaches: "delete" }, outcome).length;
  };
  expect(differences()).toBe(0);
  expect(differences(deletionBy("operator", id, kept))).toBe(1);
});

it("ignores what a change and its reversal leave behind without a fault", () => {
  const id = "/configmaps n/a";
  const stateWith = (hash: string) => {
    const metadata = { namespace: "n", name: "a", annotations: { hash } };
    return normalizeState(new Map([[id, { apiVersion: "v1", kind: "ConfigMap", metadata }]]));
  };
  const maskOfReturn = maskOf([{ id, path: "metadata.annotations.hash" }]);
  const expectation = { states: new Map([["create", stateWith("1")]]), mask: maskOf([]), maskOfReturn };
  const outcome = { state: stateWith("2"), requests: [] };
  const differences = (faultClass: Plan["faultClass"]): number =>
    differencesFrom(expectation, planOf(faultClass), { reaches: "create" }, outcome).length;
  expect([differences("exploration"), differences("drift"), differences("crash")]).toEqual([0, 1, 1]);
});

it("does not expect the return of an object that the operator deletes when it expires", () => {
  const id = "example.com/runs n/run";
  const run: UnstructuredObject = {
    apiVersion: "example.com/v1",
    kind: "Run",
    metadata: { namespace: "n", name: "run" },
  };
  const expectation = { states: new Map([["create", normalizeState(new Map([[id, run]]))]]), mask: maskOf([]) };
  const target = { apiVersion: "example.com/v1", kind: "Run", namespace: "n", name: "run" };
  const change = { name: "change spec.ttl", action: { type: "patch", target, patch: { spec: { ttl: 0 } } } } as const;
  const differences = (by: "operator" | "cluster"): number => {
    const outcome = { state: normalizeState(new Map()), requests: [deletionBy(by, id, run)] };
    return differencesFrom(expectation, planOf("exploration", change), { reaches: "create" }, outcome).length;
  };
  expect(differences("operator")).toBe(0);
  expect(differences("cluster")).toBe(1);
});

it.each(["exploration", "drift"] as const)(
  "with the class %s, does not expect the return of a size that an autoscaler has set",
  (faultClass) => {
    const objects = (replicas: number, minReplicas: number) => {
      const of = (kind: string, spec: object) => ({
        apiVersion: "v1",
        kind,
        metadata: { namespace: "n", name: "a" },
        spec,
      });
      return normalizeState(
        new Map([
          ["apps/deployments n/a", of("Deployment", { replicas })],
          ["autoscaling/horizontalpodautoscalers n/a", of("HorizontalPodAutoscaler", { minReplicas })],
        ]),
      );
    };
    const expectation = { states: new Map([["create", objects(1, 1)]]), mask: maskOf([]) };
    const plan = planOf(faultClass, { name: "create", action: { type: "apply", objects: [] } });
    const differences = (step: string, minReplicas: number): string[] => {
      const signature = "update apps/v1/namespaces/n/deployments/a/scale";
      const scaling = {
        at: 0,
        step,
        by: "cluster",
        verb: "update",
        signature,
        occurrence: 0,
        status: 200,
        changes: [],
      } as const;
      const outcome = { state: objects(3, minReplicas), requests: [scaling] };
      return differencesFrom(expectation, plan, { reaches: "create" }, outcome).map(({ path }) => path);
    };
    expect(differences("change", 1)).toEqual([]);
    expect(differences("change", 3)).toEqual(["spec.minReplicas"]);
    // The usual run has the same size then.
    expect(differences("create", 1)).toEqual(["spec.replicas"]);
  },
);
