import { nextPodStage } from "../../../../../src/sandbox/simulation/pods/pod-stages.ts";
import type { Pod } from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";

export const place = { now: "2026-05-01T10:00:00Z", hostIp: "172.18.0.2", podIp: "10.244.0.2" };

export const bound = { nodeName: "tsop-node" };

export function pod(spec: Partial<Pod["spec"]> = {}, metadata: Pod["metadata"] = {}): Pod {
  return {
    metadata: { name: "web", uid: "p1", ...metadata },
    spec: { restartPolicy: "Always", containers: [{ name: "web", image: "web:1" }], ...spec },
  };
}

/** A pod that runs to completion, with two init containers. */
export function job(annotations: Record<string, string> = {}): Pod {
  return pod(
    { ...bound, restartPolicy: "Never", initContainers: [{ name: "init" }, { name: "next" }] },
    { annotations },
  );
}

/** The pod after a stage that writes a status. */
export function after(before: Pod): Pod {
  const stage = nextPodStage(before, place);
  if (!stage || !("status" in stage)) throw new Error("the stage writes no status");
  return { ...before, status: stage.status };
}
