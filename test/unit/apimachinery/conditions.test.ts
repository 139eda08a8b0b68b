import { describe, expect, it } from "vitest";
import type { Condition, ObjectMeta } from "../../../src/apimachinery/meta.ts";
import type { Deployment, DeploymentStatus } from "../../../src/k8s/apps/v1.ts";
import type { PodCondition } from "../../../src/k8s/core/v1.ts";
import {
  findCondition,
  isConditionFalse,
  isConditionPresentAndEqual,
  isConditionTrue,
  removeCondition,
  setCondition,
  setStatusCondition,
} from "../../../src/apimachinery/conditions.ts";

/** As several projects define it: a status that is any text, and a message that may be absent. */
interface OwnCondition {
  type: string;
  status: string;
  lastTransitionTime: string;
  reason: string;
  message?: string;
  severity?: string;
}

const noon = (): Date => new Date("2026-01-01T12:00:00.789Z");
const later = (): Date => new Date("2026-01-01T13:00:00Z");
const ready = { type: "Ready", status: "True", reason: "AllGood", message: "all is good" } as const;

describe("conditions", () => {
  it("have a transition time in seconds if they are new", () => {
    const conditions: Condition[] = [];
    expect(setCondition(conditions, ready, noon)).toBe(true);
    expect(conditions).toEqual([{ ...ready, lastTransitionTime: "2026-01-01T12:00:00Z" }]);
  });

  it("keep their transition time while the status is the same", () => {
    const conditions: Condition[] = [];
    setCondition(conditions, ready, noon);
    expect(setCondition(conditions, { ...ready, message: "still", observedGeneration: 2 }, later)).toBe(true);
    expect(conditions).toEqual([
      { ...ready, message: "still", observedGeneration: 2, lastTransitionTime: "2026-01-01T12:00:00Z" },
    ]);
  });

  it("change if only the observed generation changes", () => {
    const conditions: Condition[] = [{ ...ready, observedGeneration: 1, lastTransitionTime: "2026-01-01T12:00:00Z" }];
    expect(setCondition(conditions, { ...ready, observedGeneration: 2 }, later)).toBe(true);
    expect(conditions[0]).toMatchObject({ observedGeneration: 2, lastTransitionTime: "2026-01-01T12:00:00Z" });
    expect(setCondition(conditions, { ...ready, observedGeneration: 2 }, later)).toBe(false);
  });

  it("lose the observed generation if they are set without one", () => {
    const conditions: Condition[] = [];
    setCondition(conditions, { ...ready, observedGeneration: 1 }, noon);
    expect(setCondition(conditions, ready, later)).toBe(true);
    expect(conditions).toEqual([{ ...ready, lastTransitionTime: "2026-01-01T12:00:00Z" }]);
    expect(setCondition(conditions, ready, later)).toBe(false);
  });

  it("have a new transition time if the status changes", () => {
    const conditions: Condition[] = [];
    setCondition(conditions, ready, noon);
    expect(setCondition(conditions, { ...ready, status: "False", reason: "Broken" }, later)).toBe(true);
    expect(findCondition(conditions, "Ready")).toMatchObject({
      status: "False",
      lastTransitionTime: "2026-01-01T13:00:00Z",
    });
  });

  it("report no change if nothing changed", () => {
    const conditions: Condition[] = [];
    setCondition(conditions, { ...ready, observedGeneration: 1 }, noon);
    expect(setCondition(conditions, { ...ready, observedGeneration: 1 }, later)).toBe(false);
  });

  it("are found, tested and removed by type", () => {
    const conditions: Condition[] = [];
    setCondition(conditions, ready, noon);
    expect([isConditionTrue(conditions, "Ready"), isConditionFalse(conditions, "Ready")]).toEqual([true, false]);
    expect([isConditionTrue(undefined, "Ready"), isConditionTrue(conditions, "Other")]).toEqual([false, false]);
    expect([removeCondition(conditions, "Ready"), removeCondition(conditions, "Ready")]).toEqual([true, false]);
    expect(conditions).toEqual([]);
  });

  it("may be those of a built-in kind, without reason and message", () => {
    const conditions: PodCondition[] = [{ type: "example.com/ready", status: "False" }];
    expect(setCondition(conditions, { type: "example.com/ready", status: "True" }, noon)).toBe(true);
    expect(setCondition(conditions, { type: "example.com/ready", status: "True" }, later)).toBe(false);
    expect(conditions).toEqual([
      { type: "example.com/ready", status: "True", lastTransitionTime: "2026-01-01T12:00:00Z" },
    ]);
  });

  it("may have a type of the project's, with fewer and with further fields", () => {
    const conditions: OwnCondition[] = [];
    setCondition(
      conditions,
      { type: "Synced", status: "False", reason: "Refused", message: "no", severity: "Error" },
      noon,
    );
    expect(
      setCondition(conditions, { type: "Synced", status: "False", reason: "Refused", severity: "Info" }, later),
    ).toBe(true);
    expect(conditions).toStrictEqual([
      {
        type: "Synced",
        status: "False",
        reason: "Refused",
        severity: "Info",
        lastTransitionTime: "2026-01-01T12:00:00Z",
      },
    ]);
    expect(removeCondition(conditions, "Synced")).toBe(true);
  });

  it("are set in the status of an object, which is created if it is missing", () => {
    const object: { metadata: ObjectMeta; status?: { phase?: string; conditions?: Condition[] } } = { metadata: {} };
    const wanted = { ...ready, observedGeneration: object.metadata.generation };
    expect(setStatusCondition(object, wanted, noon)).toBe(true);
    expect(object.status).toStrictEqual({ conditions: [{ ...ready, lastTransitionTime: "2026-01-01T12:00:00Z" }] });
    expect(setStatusCondition(object, wanted, later)).toBe(false);
    expect(setStatusCondition(object, { ...wanted, observedGeneration: 2 }, later)).toBe(true);
    const spec = { selector: {}, template: {} };
    const deployment: Deployment = { metadata: {}, spec, status: { replicas: 1 } };
    setStatusCondition(deployment, { type: "Available", status: "True" }, noon);
    expect(deployment.status).toEqual({
      replicas: 1,
      conditions: [{ type: "Available", status: "True", lastTransitionTime: "2026-01-01T12:00:00Z" }],
    });
  });

  it("are compared with a status, including Unknown", () => {
    const conditions: Condition[] = [];
    setCondition(conditions, { ...ready, status: "Unknown" });
    expect(isConditionPresentAndEqual(conditions, "Ready", "Unknown")).toBe(true);
    expect(isConditionPresentAndEqual(conditions, "Ready", "True")).toBe(false);
    expect(isConditionPresentAndEqual(conditions, "Other", "Unknown")).toBe(false);
  });

  it("are found in lists of built-in kinds, whose statuses are texts", () => {
    const status: DeploymentStatus = {
      conditions: [{ type: "Available", status: "True", lastUpdateTime: "2026-01-01T12:00:00Z" }],
    };
    expect(isConditionTrue(status.conditions, "Available")).toBe(true);
    expect(findCondition(status.conditions, "Available")?.lastUpdateTime).toBe("2026-01-01T12:00:00Z");
  });
});
