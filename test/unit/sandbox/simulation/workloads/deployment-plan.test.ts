import { describe, expect, it } from "vitest";
import { planDeployment, revisionAnnotation } from "../../../../../src/sandbox/simulation/workloads/deployment-plan.ts";
import { deploymentStatus } from "../../../../../src/sandbox/simulation/workloads/deployment-status.ts";
import type { Deployment, ReplicaSet } from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";

const template = (image: string) => ({
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "web", image }] },
});

function deployment(spec: Partial<Deployment["spec"]> = {}, status?: Deployment["status"]): Deployment {
  return {
    metadata: { name: "web", namespace: "default", uid: "d1", generation: 2 },
    spec: { replicas: 4, selector: { matchLabels: { app: "web" } }, template: template("web:2"), ...spec },
    ...(status && { status }),
  };
}

interface Pods {
  readonly image: string;
  readonly want: number;
  readonly available?: number;
  readonly revision?: number;
}

function replicaSet({ image, want, available = want, revision = 1 }: Pods): ReplicaSet {
  return {
    metadata: {
      name: `web-${image}`,
      uid: image,
      creationTimestamp: `2026-01-0${revision}T00:00:00Z`,
      annotations: { [revisionAnnotation]: String(revision) },
    },
    spec: { replicas: want, selector: {}, template: template(image) },
    status: { replicas: want, readyReplicas: available, availableReplicas: available },
  };
}

const old = (want: number, available = want): ReplicaSet => replicaSet({ image: "web:1", want, available });
const current = (want: number, available = want): ReplicaSet =>
  replicaSet({ image: "web:2", want, available, revision: 2 });

/** `web-web:1 4→3` */
function steps(spec: Partial<Deployment["spec"]>, owned: readonly ReplicaSet[]): string[] {
  const { create, scale, remove } = planDeployment(deployment(spec), owned);
  return [
    ...(create ? [`create ${create.spec.replicas}`] : []),
    ...scale.map(({ replicaSet, from, to }) => `${replicaSet.metadata.name} ${from}→${to}`),
    ...remove.map(({ metadata }) => `remove ${metadata.name}`),
  ];
}

const recreate = { strategy: { type: "Recreate" } } as const;
const oneByOne = { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } as const;
const stuck = { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } } as const;

describe("planDeployment", () => {
  it.each<[string, Partial<Deployment["spec"]>, ReplicaSet[], string[]]>([
    ["creates all at once when nothing is there", {}, [], ["create 4"]],
    ["has nothing to do when all is there", {}, [current(4)], []],
    ["scales up", { replicas: 6 }, [current(4)], ["web-web:2 4→6"]],
    ["scales down", { replicas: 1 }, [current(4)], ["web-web:2 4→1"]],
    ["scales to nothing", { replicas: 0 }, [current(4)], ["web-web:2 4→0"]],
    ["starts a rollout within the surge of a quarter", {}, [old(4)], ["create 1"]],
    ["takes the old ones away while the new one is not available", {}, [old(4), current(1, 0)], ["web-web:1 4→3"]],
    ["fills the room that the old ones left", {}, [old(3), current(1)], ["web-web:2 1→2"]],
    ["ends with the old ones at nothing", {}, [old(1), current(4)], ["web-web:1 1→0"]],
    ["goes back to an old template", { template: template("web:1") }, [old(0), current(4)], ["web-web:1 0→1"]],
    ["steps one by one without surge", oneByOne, [old(4), current(0)], ["web-web:1 4→3"]],
    ["steps although surge and unavailability are nothing", stuck, [old(4), current(0)], ["web-web:1 4→3"]],
    ["recreates: first down", recreate, [old(4)], ["web-web:1 4→0"]],
    ["recreates: then up", recreate, [old(0)], ["create 4"]],
    ["does not roll out while paused", { paused: true }, [old(4)], []],
    ["follows its size while paused", { paused: true, replicas: 2 }, [old(4)], ["web-web:1 4→2"]],
  ])("%s", (_, spec, owned, expected) => {
    expect(steps(spec, owned)).toEqual(expected);
  });

  it.each<[string, ReplicaSet["status"]]>([
    ["count", { replicas: 2 }],
    ["stop", { replicas: 0, terminatingReplicas: 2 }],
  ])("waits for old pods that still %s before it recreates", (_, status) => {
    expect(steps(recreate, [{ ...old(0), status: status! }])).toEqual([]);
  });

  it("keeps the history it may when the rollout is complete", () => {
    const removed = (updatedReplicas: number): string[] => {
      const status = { replicas: 4, updatedReplicas, availableReplicas: 4 };
      const { remove } = planDeployment(deployment({ revisionHistoryLimit: 0 }, status), [old(0), current(4)]);
      return remove.map(({ metadata }) => metadata.name ?? "");
    };
    expect(removed(3)).toEqual([]);
    expect(removed(4)).toEqual(["web-web:1"]);
  });

  it("labels, names and annotates a new ReplicaSet", () => {
    const annotations = { team: "a", "kubectl.kubernetes.io/last-applied-configuration": "{}" };
    const { create } = planDeployment({ ...deployment(), metadata: { ...deployment().metadata, annotations } }, [
      old(4),
    ]);
    const hash = create?.metadata.labels?.["pod-template-hash"];
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
    expect(create).toMatchObject({
      metadata: {
        name: `web-${hash}`,
        labels: { app: "web", "pod-template-hash": hash },
        ownerReferences: [{ kind: "Deployment", name: "web", uid: "d1", controller: true, blockOwnerDeletion: true }],
      },
      spec: { selector: { matchLabels: { app: "web", "pod-template-hash": hash } } },
    });
    expect(create?.metadata.annotations).toEqual({
      team: "a",
      [revisionAnnotation]: "2",
      "deployment.kubernetes.io/desired-replicas": "4",
      "deployment.kubernetes.io/max-replicas": "5",
    });
  });

  it("uses another name after a collision", () => {
    const first = planDeployment(deployment(), []).create?.metadata.name;
    const second = planDeployment(deployment({}, { collisionCount: 1 }), []).create?.metadata.name;
    expect(second).not.toBe(first);
  });
});

describe("deploymentStatus", () => {
  const now = "2026-05-01T10:00:00Z";
  const reasons = (status: Deployment["status"]): string[] =>
    (status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);

  it("is available and complete when all pods are", () => {
    const status = deploymentStatus(deployment(), [old(0), current(4)], now);
    expect(status).toMatchObject({
      observedGeneration: 2,
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 4,
      availableReplicas: 4,
    });
    expect(status).not.toHaveProperty("unavailableReplicas");
    expect(reasons(status)).toEqual([
      "Available=True MinimumReplicasAvailable",
      "Progressing=True NewReplicaSetAvailable",
    ]);
  });

  it("is unavailable and progressing while pods start", () => {
    const status = deploymentStatus(deployment(), [current(4, 1)], now);
    expect(status).toMatchObject({ replicas: 4, availableReplicas: 1, unavailableReplicas: 3 });
    expect(reasons(status)).toEqual([
      "Available=False MinimumReplicasUnavailable",
      "Progressing=True ReplicaSetUpdated",
    ]);
  });

  it("fails after the deadline, and not before", () => {
    const started = deploymentStatus(deployment(), [current(4, 1)], now);
    const at = (time: string) =>
      deploymentStatus(deployment({ progressDeadlineSeconds: 60 }, started), [current(4, 1)], time);
    expect(reasons(at("2026-05-01T10:01:00Z"))).toContain("Progressing=True ReplicaSetUpdated");
    expect(reasons(at("2026-05-01T10:01:01Z"))).toContain("Progressing=False ProgressDeadlineExceeded");
  });

  it("starts the deadline again with each pod", () => {
    const later = "2026-05-01T10:00:50Z";
    const before = deploymentStatus(deployment(), [current(4, 1)], now);
    const after = deploymentStatus(deployment({}, before), [current(4, 2)], later);
    const progressing = after.conditions?.find(({ type }) => type === "Progressing");
    expect(progressing).toMatchObject({ lastUpdateTime: later, lastTransitionTime: now });
  });
});
