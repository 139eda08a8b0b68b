import { expect, it } from "vitest";
import { nextPodStage, stoppedStatus, type PodStage } from "../../../../../src/sandbox/simulation/pods/pod-stages.ts";
import type { CommandState } from "../../../../../src/sandbox/simulation/context/container-commands.ts";
import type { CommandStage } from "../../../../../src/sandbox/simulation/pods/command-stages.ts";
import type { Pod } from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { after, bound, job, place, pod } from "./staged-pod.ts";

/** The pod with an ephemeral container, which `kubectl debug` adds. */
function debugged(before: Pod): Pod {
  return { ...before, spec: { ...before.spec, ephemeralContainers: [{ name: "debug", image: "busybox:1" }] } };
}

/** The pod as if its last stage had been so many seconds ago. */
function earlier(before: Pod, seconds: number): Pod {
  const then = new Date(Date.parse(place.now) - seconds * 1000).toISOString().replace(".000", "");
  return JSON.parse(JSON.stringify(before).replaceAll(place.now, then)) as Pod;
}

function withBrokenMain(before: Pod): Pod {
  return { ...before, spec: { ...before.spec, containers: [{ name: "web", image: "fail:x" }] } };
}

const held = { deletionTimestamp: place.now, deletionGracePeriodSeconds: 30, finalizers: ["a/b"] };

function stopped(before: Pod): Pod {
  return { ...before, status: stoppedStatus(before, place) };
}

it.each<[string, Pod, PodStage["type"] | undefined]>([
  ["a new pod is scheduled", pod(), "schedule"],
  ["a pod that shall stay pending is not", pod({}, { annotations: { "tsop.dev/keep-pending": "" } }), undefined],
  ["nor is a gated one", pod({ schedulingGates: [{ name: "x.io/gate" }] }), undefined],
  ["a bound pod runs", pod(bound), "run"],
  ["a running pod stays", after(pod(bound)), undefined],
  ["a running pod of a job ends", after(pod({ ...bound, restartPolicy: "Never" })), "finish"],
  ["an ended pod stays", after(after(pod({ ...bound, restartPolicy: "OnFailure" }))), undefined],
  ["an ephemeral container runs beside the others", debugged(after(pod(bound))), "run-ephemeral"],
  ["and stays", after(debugged(after(pod(bound)))), undefined],
  ["a broken image can't be pulled", withBrokenMain(pod(bound)), "fail-pull"],
  ["and stays so", after(withBrokenMain(pod(bound))), undefined],
  [
    "an init container fails before the image of a later container is pulled",
    withBrokenMain(job({ "tsop.dev/exit-code.init": "1" })),
    "fail-init",
  ],
  ["a pod runs for the time of its annotation", after(job({ "tsop.dev/run-for": "5s" })), undefined],
  ["and ends after that time", earlier(after(job({ "tsop.dev/run-for": "5s" })), 5), "finish"],
  [
    "the annotation ends no pod that restarts its containers",
    earlier(after(pod(bound, { annotations: { "tsop.dev/run-for": "5s" } })), 5),
    undefined,
  ],
  ["a pod runs until its deadline", after(pod({ ...bound, activeDeadlineSeconds: 6 })), undefined],
  ["and expires at its deadline", earlier(after(pod({ ...bound, activeDeadlineSeconds: 5 })), 5), "expire"],
  ["a deleted pod goes", pod(bound, { deletionTimestamp: place.now }), "remove"],
  ["one that a finalizer holds stops", pod(bound, held), "stop"],
  ["and gives up the time that is left", stopped(pod(bound, held)), "remove"],
  ["and stays then", stopped(pod(bound, { ...held, deletionGracePeriodSeconds: 0 })), undefined],
])("%s", (_, before, expected) => {
  expect(nextPodStage(before, place)?.type).toBe(expected);
});

it("sets the status of a running pod", () => {
  const { status } = after(pod({ ...bound, initContainers: [{ name: "init", image: "init:1" }] }));
  expect(status).toMatchObject({
    phase: "Running",
    podIP: "10.244.0.2",
    hostIP: "172.18.0.2",
    startTime: place.now,
    containerStatuses: [{ name: "web", ready: true, started: true, restartCount: 0, state: { running: {} } }],
    initContainerStatuses: [{ name: "init", ready: true, state: { terminated: { reason: "Completed", exitCode: 0 } } }],
  });
  expect(status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
    "PodReadyToStartContainers=True",
    "Initialized=True",
    "Ready=True",
    "ContainersReady=True",
  ]);
});

/** The state of a container's command; it runs. */
function command(name: string, state: Partial<CommandState> = {}): [string, CommandState] {
  return [name, { exitCode: undefined, restarts: 0, backOff: undefined, ...state }];
}

it("starts a container again when its command does, and shows the time until then", () => {
  const stageOf = (before: Pod, state: Partial<CommandState>) =>
    nextPodStage(before, { ...place, commands: new Map([command("web", state)]) });
  const next = (before: Pod, state: Partial<CommandState>): Pod & { stage: CommandStage } => {
    const stage = stageOf(before, state);
    if (stage?.type !== "containers") throw new Error("no container changes");
    return { ...before, status: stage.status, stage };
  };
  const running = after(pod({ ...bound, restartPolicy: "Always" }, { namespace: "default" }));
  expect(stageOf(running, {})).toBeUndefined();
  const ended = next(running, { exitCode: 1 });
  expect(ended.stage.ended).toEqual(["web"]);
  expect(ended.status?.containerStatuses).toMatchObject([{ ready: false, state: { terminated: { exitCode: 1 } } }]);
  expect(stageOf(ended, { exitCode: 1 })).toBeUndefined();
  const again = next(ended, { restarts: 1 });
  expect(again.stage.started).toEqual(["web"]);
  expect(again.status?.containerStatuses).toMatchObject([
    { ready: true, restartCount: 1, state: { running: {} }, lastState: { terminated: { exitCode: 1 } } },
  ]);
  expect(again.status?.conditions).toContainEqual(expect.objectContaining({ type: "Ready", status: "True" }));
  const crashed = { exitCode: 2, restarts: 1, backOff: 160 };
  const waiting = next(next(again, crashed), crashed);
  expect(waiting.stage.waiting).toEqual(["web"]);
  const message = "back-off 2m40s restarting failed container=web pod=web_default(p1)";
  expect(waiting.status?.containerStatuses).toMatchObject([
    { state: { waiting: { reason: "CrashLoopBackOff", message } }, lastState: { terminated: { exitCode: 2 } } },
  ]);
  expect(stageOf(waiting, crashed)).toBeUndefined();
  expect(next(waiting, { restarts: 2 }).status?.containerStatuses).toMatchObject([
    { restartCount: 2, state: { running: {} }, lastState: { terminated: { exitCode: 2 } } },
  ]);
  expect(next(running, { restarts: 1 }).stage.started).toEqual(["web"]);
  const unseen = next(ended, { exitCode: 2, restarts: 1, backOff: 10 });
  expect(unseen.status?.containerStatuses).toMatchObject([
    { restartCount: 1, state: { terminated: { exitCode: 2 } }, lastState: { terminated: { exitCode: 1 } } },
  ]);
});

it("waits for the success of a pod whose failed containers start again", () => {
  const running = after(pod({ ...bound, restartPolicy: "OnFailure" }));
  const stageAfter = (exitCode: number) =>
    nextPodStage(running, { ...place, commands: new Map([command("web", { exitCode })]) });
  expect(stageAfter(4)).toMatchObject({ type: "containers", ended: ["web"] });
  expect(stageAfter(0)).toMatchObject({ type: "finish", status: { phase: "Succeeded" } });
});

it("ends a container while another of the pod runs, and keeps its exit code when the pod ends", () => {
  const containers = [{ name: "web" }, { name: "job" }];
  const running = after(pod({ ...bound, restartPolicy: "Never", containers }));
  const ended = { ...place, commands: new Map([command("web"), command("job", { exitCode: 3 })]) };
  const stage = nextPodStage(running, ended);
  if (stage?.type !== "containers") throw new Error("no container ends");
  expect(stage).toMatchObject({ ended: ["job"], started: [], waiting: [] });
  expect(stage.status).toMatchObject({
    phase: "Running",
    containerStatuses: [{ state: { running: {} } }, { state: { terminated: { exitCode: 3, reason: "Error" } } }],
  });
  expect(stage.status.conditions).toContainEqual(
    expect.objectContaining({
      type: "Ready",
      status: "False",
      reason: "ContainersNotReady",
      message: "containers with unready status: [job]",
    }),
  );
  const half = { ...running, status: stage.status };
  expect(nextPodStage(half, ended)).toBeUndefined();
  const all = new Map([...ended.commands, command("web", { exitCode: 0 })]);
  expect(nextPodStage(half, { ...place, commands: all })).toMatchObject({
    type: "finish",
    status: {
      phase: "Failed",
      containerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { state: { terminated: { exitCode: 3 } } }],
    },
  });
});

it("shows the init container whose image cannot be pulled, and that the others wait for it", () => {
  const initContainers = [
    { name: "first", image: "a" },
    { name: "in", image: "fail:in" },
  ];
  const broken = withBrokenMain(pod({ ...bound, initContainers }));
  expect(nextPodStage(broken, place)).toMatchObject({ type: "fail-pull", images: ["fail:in"] });
  expect(after(broken).status).toMatchObject({
    phase: "Pending",
    initContainerStatuses: [
      { state: { terminated: { exitCode: 0 } } },
      { state: { waiting: { reason: "ImagePullBackOff", message: 'Back-off pulling image "fail:in"' } } },
    ],
    containerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }],
  });
});

it("keeps conditions of others, such as readiness gates", () => {
  const gated = { ...pod(bound), status: { conditions: [{ type: "example.com/gate", status: "True" as const }] } };
  expect(after(gated).status?.conditions?.[0]).toEqual({ type: "example.com/gate", status: "True" });
});

it("tells how the containers of a deleted pod have ended", () => {
  const running = after(pod(bound));
  const outcome = ({ phase, containerStatuses }: Pod["status"] & object) => [
    phase,
    containerStatuses?.map(({ state }) => state["terminated"]),
  ];
  const end = {
    startedAt: place.now,
    finishedAt: place.now,
    containerID: running.status?.containerStatuses?.[0]?.containerID,
  };
  expect(outcome(stoppedStatus(running, place))).toEqual(["Failed", [{ ...end, exitCode: 137, reason: "Error" }]]);
  const commands = new Map([command("web", { exitCode: 0 })]);
  expect(outcome(stoppedStatus(running, { ...place, commands }))).toEqual([
    "Succeeded",
    [{ ...end, exitCode: 0, reason: "Completed" }],
  ]);
  const ready = (status: Pod["status"]) => status?.conditions?.filter(({ type }) => type === "Ready");
  const failed = { type: "Ready", status: "False", reason: "PodFailed" };
  expect(ready(stoppedStatus(running, place))).toMatchObject([failed]);
  expect(stoppedStatus(running, place).conditions).toContainEqual(
    expect.not.objectContaining({ type: "Initialized", reason: expect.anything() as string }),
  );
});

it("leaves the conditions of a deleted pod that never ran", () => {
  expect(stoppedStatus(pod(), place)).toEqual({ phase: "Failed" });
  const pending = after(withBrokenMain(pod(bound)));
  const status = stoppedStatus(pending, place);
  expect(status).toMatchObject({
    phase: "Failed",
    conditions: pending.status?.conditions,
    containerStatuses: [
      {
        state: {
          terminated: {
            exitCode: 137,
            reason: "ContainerStatusUnknown",
            message: "The container could not be located when the pod was terminated",
          },
        },
      },
    ],
  });
});
