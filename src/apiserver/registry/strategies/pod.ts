import type { StatusCause } from "../../../apimachinery/status.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { childIf, items, type Fields } from "../defaults/fields.ts";
import { defaultPod } from "../defaults/pod-defaults.ts";
import type { Strategy } from "../strategy.ts";

/** Pods end gracefully: a kubelet, simulated or not, deletes them again with no grace. */
export const podStrategy: Strategy = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  applyDefaults: defaultPod,
  generationOf: (pod) => pod["spec"],
  prepareCreate(pod) {
    pod["status"] = { phase: "Pending", qosClass: qualityOf(childIf(pod, "spec") ?? {}) };
  },
  gracePeriod(pod) {
    const { nodeName, terminationGracePeriodSeconds } = (pod["spec"] ?? {}) as PodSpec;
    const { phase } = (pod["status"] ?? {}) as { phase?: string };
    // No kubelet knows of an unscheduled pod, and a finished one has nothing left to stop.
    if (!nodeName || phase === "Succeeded" || phase === "Failed") return 0;
    return terminationGracePeriodSeconds ?? 30;
  },
  validate: (pod, old) => [...validateContainers(pod), ...(old ? changeErrors(pod, old) : [])],
};

interface PodSpec {
  readonly nodeName?: string;
  readonly terminationGracePeriodSeconds?: number;
}

function validateContainers(pod: UnstructuredObject): StatusCause[] {
  const spec = childIf(pod, "spec");
  return containerErrors(spec, "spec");
}

/** Of a pod's spec only images, deadlines and tolerations can change. */
function changeErrors(pod: UnstructuredObject, old: UnstructuredObject): StatusCause[] {
  if (equalJson(fixedPart(pod), fixedPart(old))) return [];
  const message =
    "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
  return [{ reason: "FieldValueForbidden", message, field: "spec" }];
}

function fixedPart(pod: UnstructuredObject): unknown {
  const spec = childIf(pod, "spec") ?? {};
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, nodeName: _node, ...rest } = spec;
  const withoutImages = (list: string): unknown =>
    items(spec, list).map(({ image: _image, ...container }) => container);
  return { ...rest, containers: withoutImages("containers"), initContainers: withoutImages("initContainers") };
}

/** What every container must have. */
export function containerErrors(spec: Fields | undefined, path: string): StatusCause[] {
  const containers = items(spec, "containers");
  const required = (field: string): StatusCause => ({ reason: "FieldValueRequired", message: "Required value", field });
  // That the list is missing, or a name in it, is known from the schema.
  if (spec?.["containers"] && containers.length === 0) return [required(`${path}.containers`)];
  return containers.flatMap((container, index) =>
    ["image"].filter((name) => !container[name]).map((name) => required(`${path}.containers[${index}].${name}`)),
  );
}

/** Guaranteed when every container limits cpu and memory to what it requests; BestEffort when none says anything. */
function qualityOf(spec: Fields): string {
  const resources = [...items(spec, "initContainers"), ...items(spec, "containers")].map((container) => {
    const { requests = {}, limits = {} } = (container["resources"] ?? {}) as Record<string, Record<string, unknown>>;
    return { requests, limits };
  });
  const says = resources.some(({ requests, limits }) =>
    ["cpu", "memory"].some((name) => requests[name] !== undefined || limits[name] !== undefined),
  );
  if (!says) return "BestEffort";
  const guaranteed = resources.every(({ requests, limits }) =>
    ["cpu", "memory"].every((name) => limits[name] !== undefined && requests[name] === limits[name]),
  );
  return guaranteed ? "Guaranteed" : "Burstable";
}
