import { describe, expect, it } from "vitest";
import { unfollowed } from "../../../src/check/oracles/judge-mirrors.ts";
import type { Step } from "../../../src/check/scenario/scenario.ts";
import { normalizeState, type NormalObject } from "../../../src/check/world/object-state.ts";
import type { RunRecord } from "../../../src/check/world/run-record.ts";
import { emptyRecord } from "./empty-record.ts";

const target = { apiVersion: "example.com/v1", kind: "Cache", namespace: "default", name: "a" };

/** A state with a custom resource, and a Deployment that repeats its replicas. */
function stateWith(replicas: number, actual: number | undefined, port = 2) {
  const cache = { kind: "Cache", metadata: { name: "a" }, spec: { replicas, port } };
  const deployment = {
    kind: "Deployment",
    metadata: { name: "a" },
    spec: { replicas: actual, revisionHistoryLimit: 2 },
  };
  return normalizeState(
    new Map<string, object>([
      ["example.com/caches default/a", cache],
      ...(actual === undefined ? [] : ([["apps/deployments default/a", deployment]] as const)),
    ]) as Parameters<typeof normalizeState>[0],
  );
}

const steps: Step[] = [
  { name: "create", action: { type: "apply", objects: [] } },
  { name: "change", action: { type: "patch", target, patch: { spec: { replicas: 0 } } } },
];

function recordWith(actual: number | undefined, quiet = true, port = 2): RunRecord {
  const at = (name: string, state: ReturnType<typeof stateWith>, quiet = true) => ({ name, state, quiet, ended: 0 });
  return {
    ...emptyRecord,
    steps: [at("create", stateWith(2, 2)), at("change", stateWith(0, actual, port), quiet)],
  };
}

describe("a number that another object repeats", () => {
  it("may repeat another field of the same name", () => {
    const record = recordWith(1);
    const cache = record.steps[0]?.state.get("example.com/caches default/a");
    (cache as Map<string, string>).set("spec.sentinel.replicas", "2");
    expect(unfollowed(steps, record)).toEqual([]);
  });

  it("may repeat an object that the operator creates for another sample", () => {
    const record = recordWith(1);
    const sample = { apiVersion: "example.com/v1", kind: "Cache", metadata: { name: "b" } };
    const create: Step = { name: "create", action: { type: "apply", objects: [sample] } };
    const cache = new Map([
      ["kind", "Cache"],
      ["metadata.name", "b"],
      ["spec.replicas", "2"],
    ]);
    (record.steps[0]!.state as Map<string, NormalObject>).set("example.com/caches default/b", cache);
    expect(unfollowed([create, ...steps.slice(1)], record)).toEqual([]);
    cache.set("spec.replicas", "3");
    expect(unfollowed([create, ...steps.slice(1)], record)).toHaveLength(1);
  });

  it("need not be followed by an operator that cannot reach its programs", () => {
    expect(unfollowed(steps, { ...recordWith(1), unreached: new Map([["change", "no such host"]]) })).toEqual([]);
  });

  it("may be a size that an autoscaler has set", () => {
    const id = "apps/deployments default/a";
    const scaling = {
      at: 0,
      step: "change",
      by: "cluster",
      verb: "update",
      signature: "update apps/v1/namespaces/default/deployments/a/scale",
      occurrence: 0,
      status: 200,
      changes: [{ id, before: undefined, after: undefined }],
    } as const;
    expect(unfollowed(steps, { ...recordWith(1), requests: [scaling] })).toEqual([]);
  });

  it("need not be followed by an operator whose write the server rejects", () => {
    const refusalOf = (name: string): RunRecord => {
      const signature = `update apps/v1/namespaces/default/deployments/${name}`;
      const write = { at: 0, step: "change", by: "operator", verb: "update", occurrence: 1, changes: [] } as const;
      return { ...recordWith(1), requests: [{ ...write, signature, status: 422 }] };
    };
    expect(unfollowed(steps, refusalOf("a"))).toEqual([]);
    expect(unfollowed(steps, refusalOf("b"))).toHaveLength(1);
  });

  it("need not be followed if the operator or a webhook has changed it since", () => {
    const [created, changed] = recordWith(1).steps;
    const record = { ...emptyRecord, steps: [created!, { ...changed!, state: stateWith(3, 1) }] };
    expect(unfollowed(steps, record)).toEqual([]);
  });

  it("may differ in an object that a user has created", () => {
    const objects = [{ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace: "default", name: "a" } }];
    const create: Step = { name: "create", action: { type: "apply", objects } };
    expect(unfollowed([create, ...steps.slice(1)], recordWith(1))).toEqual([]);
  });

  it("must be followed", () => {
    expect(unfollowed(steps, recordWith(1))).toMatchObject([
      { oracle: "wrong-state", about: "apps/deployments spec.replicas" },
    ]);
  });

  it.each([
    ["is followed", recordWith(0)],
    ["has no object any more", recordWith(undefined)],
    ["is not reached because the operator does not rest, which another rule reports", recordWith(1, false)],
  ])("is accepted if it %s", (_, record) => {
    expect(unfollowed(steps, record)).toEqual([]);
  });

  it("must have the same name; an equal value is not enough", () => {
    const patch: Step = { name: "change", action: { type: "patch", target, patch: { spec: { port: 5 } } } };
    expect(unfollowed([steps[0]!, patch], recordWith(2, true, 5))).toEqual([]);
  });
});
