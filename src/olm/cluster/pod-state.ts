import type { UnstructuredObject } from "../../apimachinery/meta.ts";

interface ContainerState {
  readonly name: string;
  readonly ready?: boolean;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly reason?: string; readonly exitCode?: number; readonly message?: string };
  };
}

interface Status {
  readonly phase?: string;
  readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[];
  readonly initContainerStatuses?: readonly ContainerState[];
  readonly containerStatuses?: readonly ContainerState[];
}

/** Describes why a pod does not run: its containers that wait or have ended, or that it was not scheduled. */
export function podState(pod: UnstructuredObject | undefined): string {
  if (!pod) return "it does not exist";
  const { phase = "Pending", conditions = [], ...status } = (pod["status"] ?? {}) as Status;
  const containers = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const reasons = containers.flatMap(({ name, ready, state = {} }) => {
    const { waiting, terminated } = state;
    const text = [waiting?.reason ?? terminated?.reason, waiting?.message ?? terminated?.message]
      .filter(Boolean)
      .join(": ");
    const isFailed = terminated && terminated.exitCode !== 0;
    return !ready && text !== "" && (waiting !== undefined || isFailed) ? [`container ${name}: ${text}`] : [];
  });
  const scheduled = conditions.find(({ type, status }) => type === "PodScheduled" && status === "False");
  const why = scheduled ? [`not scheduled: ${scheduled.message ?? scheduled.reason}`] : reasons;
  return [phase, ...why].join("; ");
}
