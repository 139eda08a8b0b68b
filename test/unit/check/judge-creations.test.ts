import { describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { recreated, replaced, revivals } from "../../../src/check/oracles/judge-creations.ts";
import { restartStep, type Plan } from "../../../src/check/plans/plan.ts";
import { maskOf } from "../../../src/check/world/object-state.ts";
import type { Change, RecordedRequest } from "../../../src/check/world/run-record.ts";
import { emptyRecord } from "./empty-record.ts";

type By = RecordedRequest["by"];

function requestOf(by: By, change: Change, step = "change"): RecordedRequest {
  return { at: 0, step, by, verb: "", signature: "s", occurrence: 1, status: 200, changes: [change] };
}

describe("an object that is deleted and created again", () => {
  const causesOf = (id: string, by: By): string[] => {
    const object = { metadata: { name: "a" } };
    const requests = [
      requestOf(by, { id, before: object, after: undefined }),
      requestOf(by, { id, before: undefined, after: object }),
    ];
    return replaced({ ...emptyRecord, requests }).map(({ about }) => about);
  };

  it("does not serve between the two", () => {
    expect(causesOf("apps/deployments default/a", "operator")).toEqual(["apps/deployments"]);
  });

  it("may be a job, which cannot be updated", () => {
    expect(causesOf("batch/jobs default/a", "operator")).toEqual([]);
  });

  it("may be one that a user replaces", () => {
    expect(causesOf("apps/deployments default/a", "user")).toEqual([]);
  });
});

describe("a restart after the custom resource was created again", () => {
  const fault = { type: "recreated", step: "create again" } as const;
  const plan: Plan = { id: "p", faultClass: "deletion", description: "d", steps: [], faults: [fault] };
  const object = { metadata: { name: "a" } };
  const causesOf = (id: string, after?: UnstructuredObject, step?: string): string[] => {
    const requests = [requestOf("operator", { id, before: object, after }, step)];
    return recreated({ plan, record: { ...emptyRecord, requests } }, emptyRecord, maskOf([])).map(({ about }) => about);
  };

  it("must not delete a serving object", () => {
    const deployment = "apps/deployments default/a";
    expect(causesOf(deployment, undefined, restartStep)).toEqual(["apps/deployments"]);
    expect(causesOf(deployment, undefined, "create again")).toEqual([]);
    expect(causesOf("batch/jobs default/a", undefined, restartStep)).toEqual([]);
  });

  it("may update a serving object", () => {
    expect(causesOf("apps/deployments default/a", object, restartStep)).toEqual([]);
  });
});

describe("an operator that creates a custom resource", () => {
  const id = "example.com/caches default/a";
  const cache: UnstructuredObject = {
    apiVersion: "example.com/v1",
    kind: "Cache",
    metadata: { namespace: "default", name: "a" },
  };
  const steps = [{ name: "create", action: { type: "apply", objects: [cache] } }] as const;
  const plan: Plan = { id: "p", faultClass: "deletion", description: "d", steps };
  const ending = { ...cache, metadata: { ...cache.metadata, deletionTimestamp: "now" } };
  const created = { id, before: undefined, after: cache };
  const causesAfter = (...writes: (readonly [By, Change])[]): string[] => {
    const requests = [...writes, ["operator", created] as const].map(([by, change]) => requestOf(by, change));
    return revivals(plan, { ...emptyRecord, requests }).map(({ about }) => about);
  };

  it("revives it if a user has deleted it, although a finalizer kept it for some time", () => {
    expect(causesAfter(["user", { id, before: cache, after: ending }])).toEqual([
      "example.com/caches after its deletion",
    ]);
  });

  it("may replace it if a user has created it since the deletion", () => {
    const writes = [
      ["user", { id, before: cache, after: undefined }],
      ["user", created],
      ["operator", { id, before: cache, after: undefined }],
    ] as const;
    expect(causesAfter(...writes)).toEqual([]);
  });
});
