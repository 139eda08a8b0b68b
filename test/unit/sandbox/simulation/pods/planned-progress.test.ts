import { expect, it } from "vitest";
import type { Pod } from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { changesIn } from "../../../../../src/sandbox/simulation/pods/planned-progress.ts";
import { nextPodStage } from "../../../../../src/sandbox/simulation/pods/pod-stages.ts";

const begin = Date.parse("2026-05-01T10:00:00Z");
const timeOf = (seconds: number): string => new Date(begin + seconds * 1000).toISOString().replace(".000", "");

function failing(annotations: Record<string, string>, spec: Partial<Pod["spec"]> = {}): Pod {
  return {
    metadata: { name: "job", namespace: "default", uid: "p1", annotations },
    spec: { nodeName: "tsop-node", restartPolicy: "OnFailure", containers: [{ name: "job" }], ...spec },
  };
}

/** Takes all stages of a pod until a time, each as soon as it comes. Returns the pod, and when containers were started. */
function live(pod: Pod, seconds: number): { readonly pod: Pod; readonly starts: readonly number[] } {
  const starts: number[] = [];
  for (let at = 0, now = pod; ;) {
    const stage = nextPodStage(now, { now: timeOf(at), hostIp: "172.18.0.2", podIp: "10.244.0.2" });
    if (stage && !("status" in stage)) throw new Error(`unexpected stage ${stage.type}`);
    if (stage?.type === "containers" && stage.started.length > 0) starts.push(at);
    if (stage) now = { ...now, status: stage.status };
    else {
      at += (changesIn(now, timeOf(at)) ?? Infinity) / 1000;
      if (at > seconds) return { pod: now, starts };
    }
  }
}

it("starts a container that fails again, after a time that doubles up to five minutes", () => {
  const { pod, starts } = live(failing({ "tsop.dev/exit-code": "3", "tsop.dev/termination-message": "no" }), 1000);
  expect(starts).toEqual([1, 11, 31, 71, 151, 311, 611, 911]);
  expect(pod.status).toMatchObject({
    phase: "Running",
    containerStatuses: [
      {
        ready: false,
        restartCount: 8,
        state: {
          waiting: {
            reason: "CrashLoopBackOff",
            message: "back-off 5m0s restarting failed container=job pod=job_default(p1)",
          },
        },
        lastState: { terminated: { exitCode: 3, reason: "Error", message: "no", finishedAt: timeOf(911) } },
      },
    ],
  });
});

it("runs a container as long as its annotation says before it starts again", () => {
  expect(live(failing({ "tsop.dev/exit-code": "3", "tsop.dev/run-for": "20s" }), 100).starts).toEqual([21, 51, 91]);
  // A long run ends the succession.
  const long = failing({ "tsop.dev/exit-code": "3", "tsop.dev/run-for": "10m" });
  expect(live(long, 2000).starts).toEqual([601, 1202, 1803]);
});

it("starts only the container that fails, and ends with its success", () => {
  const containers = [{ name: "job" }, { name: "other" }];
  const { pod } = live(failing({ "tsop.dev/exit-code.job": "3" }, { containers }), 5);
  expect(pod.status).toMatchObject({
    phase: "Running",
    containerStatuses: [
      { restartCount: 1, state: { waiting: { reason: "CrashLoopBackOff" } } },
      { restartCount: 0, state: { terminated: { exitCode: 0 } } },
    ],
  });
  const fixed = live({ ...failing({}, { containers }), status: pod.status! }, 60);
  expect(fixed.starts).toEqual([11]);
  expect(fixed.pod.status).toMatchObject({
    phase: "Succeeded",
    containerStatuses: [
      { restartCount: 2, state: { terminated: { exitCode: 0, startedAt: timeOf(11) } } },
      { restartCount: 0 },
    ],
  });
});

it("starts an init container that fails again, before all others", () => {
  const initContainers = [{ name: "first" }, { name: "init" }];
  const { pod, starts } = live(failing({ "tsop.dev/exit-code.init": "2" }, { initContainers }), 40);
  expect(starts).toEqual([0, 1, 11, 31]);
  expect(pod.status).toMatchObject({
    phase: "Pending",
    podIP: "10.244.0.2",
    initContainerStatuses: [
      { ready: true, restartCount: 0, state: { terminated: { exitCode: 0 } } },
      {
        ready: false,
        restartCount: 3,
        state: { waiting: { reason: "CrashLoopBackOff" } },
        lastState: { terminated: { exitCode: 2 } },
      },
    ],
    containerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }],
  });
  expect(pod.status?.conditions).toContainEqual(
    expect.objectContaining({ type: "Initialized", message: "containers with incomplete status: [init]" }),
  );
  const fixed = live({ ...failing({}, { initContainers }), status: pod.status! }, 80);
  expect(fixed.starts).toEqual([71]);
  expect(fixed.pod.status).toMatchObject({
    phase: "Succeeded",
    initContainerStatuses: [
      { restartCount: 0 },
      { restartCount: 4, ready: true, state: { terminated: { exitCode: 0 } } },
    ],
  });
});

it("fails at once with another policy", () => {
  const { pod, starts } = live(failing({ "tsop.dev/exit-code": "3" }, { restartPolicy: "Never" }), 60);
  expect([pod.status?.phase, starts]).toEqual(["Failed", []]);
});
