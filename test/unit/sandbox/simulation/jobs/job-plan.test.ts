import { expect, it } from "vitest";
import type { Job, Pod } from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { isOver, trackingFinalizer } from "../../../../../src/sandbox/simulation/jobs/job-verdict.ts";
import { planJob, timeToLive } from "../../../../../src/sandbox/simulation/jobs/job-plan.ts";

const now = "2026-05-01T10:00:00Z";

function job(spec: Partial<Job["spec"]> = {}, status?: Job["status"]): Job {
  const template = { spec: { restartPolicy: "Never" as const, containers: [{ name: "a", image: "a:1" }] } };
  return { metadata: { name: "j", uid: "j1" }, spec: { template, ...spec }, ...(status && { status }) };
}

type Phase = "Pending" | "Running" | "Succeeded" | "Failed";

const endedLongAgo = {
  name: "a",
  ready: false,
  restartCount: 0,
  image: "a:1",
  imageID: "",
  lastState: {},
  state: { terminated: { exitCode: 1, finishedAt: "2026-05-01T09:00:00Z" } },
};

function pods(...phases: Phase[]): Pod[] {
  return phases.map((phase, index) => ({
    metadata: {
      name: `j-${index}`,
      uid: `uid-${index}`,
      finalizers: [trackingFinalizer],
      annotations: { "batch.kubernetes.io/job-completion-index": String(index) },
    },
    spec: { containers: [] },
    status: { phase, ...((phase === "Failed" || phase === "Succeeded") && { containerStatuses: [endedLongAgo] }) },
  }));
}

/** Plans until nothing changes any more; pods that may go lose their finalizer, as the controller does it, and are gone. */
function settle(subject: Job, given: readonly Pod[]): ReturnType<typeof planJob> {
  const plan = planJob(subject, given, now);
  const isReleased = (pod: Pod) => plan.release.includes(pod) || plan.remove.includes(pod);
  const isGone = (pod: Pod) => pod.metadata.deletionTimestamp !== undefined && !pod.metadata.finalizers?.length;
  const left = given
    .filter((pod) => !isGone(pod))
    .map((pod) =>
      isReleased(pod) ? { ...pod, metadata: { ...pod.metadata, finalizers: [], deletionTimestamp: now } } : pod,
    );
  const isSettled =
    isOver(subject) || (JSON.stringify(plan.status) === JSON.stringify(subject.status) && plan.release.length === 0);
  return isSettled ? plan : settle({ ...subject, status: plan.status }, left);
}

it.each<[string, Job, Pod[], { create: number; remove?: number; status: object }]>([
  ["starts one pod", job(), [], { create: 1, status: { active: 1, startTime: now } }],
  ["waits for it", job(), pods("Running"), { create: 0, status: { active: 1 } }],
  [
    "starts as many as may run at once",
    job({ completions: 5, parallelism: 2 }),
    [],
    { create: 2, status: { active: 2 } },
  ],
  [
    "fills up",
    job({ completions: 5, parallelism: 2 }),
    pods("Succeeded", "Running"),
    { create: 1, status: { active: 2, succeeded: 1 } },
  ],
  [
    "starts no more than are left",
    job({ completions: 3, parallelism: 3 }),
    pods("Succeeded", "Succeeded"),
    { create: 1, status: { succeeded: 2 } },
  ],
  ["retries", job(), pods("Failed"), { create: 1, status: { failed: 1, active: 1 } }],
  ["stops while suspended", job({ suspend: true }), pods("Running"), { create: 0, status: { ready: 0 } }],
])("%s", (_, subject, given, expected) => {
  const plan = settle(subject, given);
  expect(plan.create).toHaveLength(expected.create);
  expect(plan.remove).toHaveLength(expected.remove ?? 0);
  expect(plan.status).toMatchObject(expected.status);
});

it.each<[string, Job, Pod[], string[]]>([
  ["completes", job(), pods("Succeeded"), ["SuccessCriteriaMet", "Complete"]],
  ["gives up after the limit", job({ backoffLimit: 1 }), pods("Failed", "Failed"), ["FailureTarget", "Failed"]],
  [
    "gives up after the deadline",
    job({ activeDeadlineSeconds: 60 }, { startTime: "2026-05-01T09:59:00Z" }),
    pods("Running"),
    ["FailureTarget", "Failed"],
  ],
])("%s, and is over then", (_, subject, given, types) => {
  const { status } = settle(subject, given);
  expect(status.conditions?.map(({ type, status }) => (status === "True" ? type : ""))).toEqual(types);
  const over = { ...subject, status };
  expect(isOver(over)).toBe(true);
  expect(planJob(over, given, "2026-05-01T11:00:00Z").status).toEqual(status);
});

it("fails when the pods that it deletes have ended", () => {
  const [failed, running] = pods("Failed", "Running");
  const leaving = { ...running!, metadata: { ...running!.metadata, finalizers: [], deletionTimestamp: now } };
  const early = settle(job({ backoffLimit: 0, parallelism: 2 }), [failed!, leaving]).status;
  expect(early.conditions?.map(({ type }) => type)).toEqual(["FailureTarget", "Failed"]);
  const waiting = planJob(job({ backoffLimit: 0 }, { failed: 1, startTime: now }), [leaving], now).status;
  expect(waiting).toMatchObject({ terminating: 1, conditions: [{ type: "FailureTarget" }] });
});

it("gives each pod of an indexed job its own index", () => {
  const indexed = job({ completions: 4, parallelism: 3, completionMode: "Indexed" });
  const plan = settle(indexed, pods("Succeeded", "Running", "Succeeded"));
  expect(plan.create).toEqual([3]);
  expect(plan.status.completedIndexes).toBe("0,2");
  const [a, b, c] = pods("Succeeded", "Succeeded", "Succeeded");
  expect(planJob(indexed, [a!, b!, c!], now).status.completedIndexes).toBe("0-2");
});

it("counts successes whose pods are deleted", () => {
  expect(planJob(job({ completions: 2 }, { succeeded: 1, startTime: now }), [], now)).toMatchObject({
    create: [undefined],
    status: { succeeded: 1 },
  });
});

it("is deleted after its TTL", () => {
  const done = job({ ttlSecondsAfterFinished: 60 }, settle(job(), pods("Succeeded")).status);
  expect(timeToLive(done, Date.parse(now) + 20_000)).toBe(40_000);
  expect(timeToLive(done, Date.parse(now) + 90_000)).toBe(0);
  expect(timeToLive(job({ ttlSecondsAfterFinished: 60 }), Date.parse(now))).toBeUndefined();
});

it("waits before it retries", () => {
  const [failed] = pods("Failed");
  const state = { terminated: { exitCode: 1, finishedAt: "2026-05-01T09:59:56Z" } };
  const recent = { ...failed!, status: { phase: "Failed" as const, containerStatuses: [{ ...endedLongAgo, state }] } };
  const plan = planJob(job(), [recent], now);
  expect([plan.create, plan.retryIn, plan.status.active]).toEqual([[], 6_000, undefined]);
});

it("creates at most 500 pods in a step, of two billion completions", () => {
  const most = 2_147_483_647;
  expect(planJob(job({ completions: most, parallelism: most }), [], now).create).toHaveLength(500);
  const indexed = job({ completions: most, parallelism: 100_000, completionMode: "Indexed" });
  expect(planJob(indexed, [], now).create).toEqual([...Array(500).keys()]);
  const done = job(indexed.spec, { completedIndexes: `0-9,11-${most - 2}` });
  expect(planJob(done, [], now).create[0]).toBe(10);
});
