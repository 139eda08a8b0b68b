import { expect, it } from "vitest";
import type { StatefulSet, Pod } from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import {
  planStatefulSet,
  revisionOf,
  statefulSetStatus,
} from "../../../../../src/sandbox/simulation/workloads/stateful-set-plan.ts";

function set(spec: Partial<StatefulSet["spec"]> = {}, status?: StatefulSet["status"]): StatefulSet {
  return {
    metadata: { name: "db", uid: "s1", generation: 1 },
    spec: { replicas: 3, selector: {}, template: { spec: { containers: [] } }, ...spec },
    ...(status && { status }),
  };
}

interface Member {
  readonly ready?: boolean;
  readonly leaving?: boolean;
  readonly revision?: string;
  readonly failed?: boolean;
}

const pod = (
  ordinal: number,
  { ready = true, leaving = false, revision = "new", failed = false }: Member = {},
): Pod => ({
  metadata: {
    name: `db-${ordinal}`,
    labels: { "controller-revision-hash": revision },
    ...(leaving && { deletionTimestamp: "2026-05-01T10:00:00Z" }),
  },
  spec: { containers: [] },
  status: {
    phase: failed ? "Failed" : "Running",
    conditions: [{ type: "Ready", status: ready ? "True" : "False", lastTransitionTime: "2026-05-01T10:00:00Z" }],
  },
});

const moment = { revision: "new", now: Date.parse("2026-05-01T10:00:10Z") };
const parallel = { podManagementPolicy: "Parallel" } as const;
const old = { revision: "old" };

it.each<[string, Partial<StatefulSet["spec"]>, Pod[], string]>([
  ["begins with the first", {}, [], "+0"],
  ["waits until it has been ready for long enough", { minReadySeconds: 11 }, [pod(0)], ""],
  ["and not for longer", { minReadySeconds: 10 }, [pod(0)], "+1"],
  ["waits until it is ready", {}, [pod(0, { ready: false })], ""],
  ["goes on with the second", {}, [pod(0)], "+1"],
  ["replaces one that is missing in between", {}, [pod(0), pod(2)], "+1"],
  ["has nothing to do when all are there", {}, [pod(0), pod(1), pod(2)], ""],
  ["takes the last away first", { replicas: 1 }, [pod(0), pod(1), pod(2)], "-db-2"],
  ["waits until it has gone", { replicas: 1 }, [pod(0), pod(1), pod(2, { leaving: true })], ""],
  ["replaces failed ones", {}, [pod(0), pod(1, { failed: true }), pod(2)], "-db-1"],
  ["starts at another number", { ordinals: { start: 5 } }, [pod(5)], "+6"],
  ["makes all at once in parallel", parallel, [], "+0 +1 +2"],
  ["removes all at once in parallel", { ...parallel, replicas: 0 }, [pod(0), pod(1)], "-db-1 -db-0"],
  ["updates from the last one down", {}, [pod(0, old), pod(1, old), pod(2, old)], "-db-2"],
  ["updates one after the other", {}, [pod(0, old), pod(1, old), pod(2)], "-db-1"],
  ["waits for the updated one", {}, [pod(0, old), pod(1, old), pod(2, { ready: false })], ""],
  [
    "leaves those below the partition",
    { updateStrategy: { rollingUpdate: { partition: 2 } } },
    [pod(0, old), pod(1, old), pod(2)],
    "",
  ],
  [
    "updates none by itself when told so",
    { updateStrategy: { type: "OnDelete" } },
    [pod(0, old), pod(1, old), pod(2, old)],
    "",
  ],
])("%s", (_, spec, pods, expected) => {
  const { create, remove } = planStatefulSet(set(spec), pods, moment);
  const steps = [...create.map((ordinal) => `+${ordinal}`), ...remove.map(({ metadata }) => `-${metadata.name}`)];
  expect(steps.join(" ")).toBe(expected);
});

it("names the old revision as current until all are updated", () => {
  const before = { replicas: 3, availableReplicas: 3, currentRevision: "old" };
  const half = statefulSetStatus(set({}, before), [pod(0, old), pod(1), pod(2)], moment).status;
  expect(half).toMatchObject({ currentRevision: "old", updateRevision: "new", currentReplicas: 1, updatedReplicas: 2 });
  const whole = statefulSetStatus(set({}, before), [pod(0), pod(1), pod(2)], moment).status;
  expect(whole).toMatchObject({ currentRevision: "new", updateRevision: "new", currentReplicas: 3, readyReplicas: 3 });
});

it("counts pods as available when they have been ready for long enough", () => {
  const late = statefulSetStatus(set({ minReadySeconds: 15 }), [pod(0), pod(1, { ready: false })], moment);
  expect(late).toMatchObject({ status: { readyReplicas: 1, availableReplicas: 0 }, changesIn: 5_000 });
});

it.each<[string, StatefulSet["spec"]["updateStrategy"], string[]]>([
  ["below the partition", { rollingUpdate: { partition: 1 } }, ["old", "new", "new"]],
  ["that are not updated yet", undefined, ["old", "old", "new"]],
  ["never, if they are updated by hand", { type: "OnDelete" }, ["new", "new", "new"]],
])("makes pods of the former revision %s", (_, updateStrategy, expected) => {
  const status = { replicas: 3, availableReplicas: 3, currentRevision: "old", currentReplicas: 2 };
  const updating = set(updateStrategy ? { updateStrategy } : {}, status);
  expect([0, 1, 2].map((ordinal) => revisionOf(updating, ordinal, "new"))).toEqual(expected);
});

it("has at most 2,000 pods, of which a step creates 500", () => {
  const moment = { revision: "new", now: 0 };
  const all = set({ replicas: 2_147_483_647, podManagementPolicy: "Parallel" });
  expect(planStatefulSet(all, [], moment).create).toEqual([...Array(500).keys()]);
  const members = Array.from({ length: 2_000 }, (_, ordinal) => pod(ordinal));
  expect(planStatefulSet(all, members, moment)).toEqual({ create: [], remove: [] });
  expect(planStatefulSet(set({ replicas: 2_147_483_647 }), [], moment).create).toEqual([0]);
});
