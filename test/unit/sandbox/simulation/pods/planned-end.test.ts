import { expect, it } from "vitest";
import { expiredStatus, nextPodStage, stoppedStatus } from "../../../../../src/sandbox/simulation/pods/pod-stages.ts";
import { after, bound, job, place, pod } from "./staged-pod.ts";

it.each<[string, Record<string, string>, object]>([
  [
    "as the annotations without a name say",
    { "exit-code": "3", "termination-message": "no" },
    { exitCode: 3, message: "no" },
  ],
  [
    "as the annotation with their name says",
    { "exit-code": "3", "exit-code.web": "0" },
    { exitCode: 0, reason: "Completed" },
  ],
  [
    "that cannot start if the exit code is malformed",
    { "exit-code": "x" },
    { exitCode: 128, reason: "StartError", message: 'the annotation tsop.dev/exit-code is "x", not an exit code' },
  ],
  [
    "that cannot start if the duration is malformed",
    { "run-for": "soon" },
    { exitCode: 128, message: 'the annotation tsop.dev/run-for is "soon", not a duration, such as 30s' },
  ],
])("ends containers %s", (_, annotations, terminated) => {
  const named = Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`tsop.dev/${name}`, value]));
  const { status } = after(after(job(named)));
  expect(status).toMatchObject({
    initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { state: { terminated: { exitCode: 0 } } }],
    containerStatuses: [{ state: { terminated } }],
  });
});

it("runs nothing after an init container that fails", () => {
  const failing = { "tsop.dev/exit-code.init": "2", "tsop.dev/termination-message.init": "no network" };
  const ended = after(job(failing));
  expect(ended.status).toMatchObject({
    phase: "Failed",
    initContainerStatuses: [
      { ready: false, state: { terminated: { exitCode: 2, reason: "Error", message: "no network" } } },
      { state: { waiting: { reason: "PodInitializing" } } },
    ],
    containerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }],
  });
  const initialized = ended.status?.conditions?.find(({ type }) => type === "Initialized");
  expect(initialized).toMatchObject({ status: "False", message: "containers with incomplete status: [init next]" });
  expect(nextPodStage(ended, place)).toBeUndefined();
});

it.each<[string, Record<string, string>, object[]]>([
  ["when the others have ended", {}, [{ terminated: { exitCode: 137 } }, { terminated: { exitCode: 0 } }]],
  [
    "when an init container fails",
    { "tsop.dev/exit-code.init": "2" },
    [{ terminated: { exitCode: 137 } }, { terminated: { exitCode: 2 } }],
  ],
])("ends a sidecar %s", (_, annotations, states) => {
  const initContainers = [{ name: "sidecar", restartPolicy: "Always" as const }, { name: "init" }];
  const begun = after(pod({ ...bound, restartPolicy: "Never", initContainers }, { annotations }));
  const ended = begun.status?.phase === "Running" ? after(begun) : begun;
  expect(ended.status?.initContainerStatuses).toMatchObject(states.map((state) => ({ state })));
});

it("ignores the annotations of ends in a pod that does not run to completion", () => {
  const annotations = { "tsop.dev/exit-code.init": "x", "tsop.dev/termination-message.init": "no network" };
  const running = after(pod({ ...bound, initContainers: [{ name: "init" }] }, { annotations }));
  const terminated = running.status?.initContainerStatuses?.[0]?.state["terminated"];
  expect(terminated).toMatchObject({ exitCode: 0, reason: "Completed" });
  expect(terminated).not.toHaveProperty("message");
});

it("kills containers that still run when their pod is deleted, or at its deadline, whatever end is planned", () => {
  const planned = { "tsop.dev/run-for": "1h", "tsop.dev/exit-code": "0", "tsop.dev/termination-message": "done" };
  const running = after(job(planned));
  for (const status of [stoppedStatus(running, place), expiredStatus(running, place)]) {
    const [main] = status.containerStatuses ?? [];
    expect(main?.state["terminated"]).toMatchObject({ exitCode: 137, reason: "Error" });
    expect(main?.state["terminated"]).not.toHaveProperty("message");
    expect(status.phase).toBe("Failed");
  }
  expect(expiredStatus(running, place)).toMatchObject({
    reason: "DeadlineExceeded",
    message: "Pod was active on the node longer than the specified deadline",
  });
});
