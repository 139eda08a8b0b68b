import { type Fields, child, childIf, fill, items, textOf } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { forbidden as forbiddenField, required } from "../../../../apimachinery/field-error.ts";
import type { StatusCause } from "../../../../apimachinery/status.ts";
import { forbidden } from "../../../refusals.ts";
import type { StrategyContext } from "../../../registry/served-resource.ts";
import type { BuiltinKind } from "../../builtin-kind.ts";
import { desiredSpec, keepMeta } from "../../rules/immutable.ts";
import { labelsErrors } from "../../rules/name-errors.ts";
import { defaultPodSpec } from "../../rules/pod-defaults.ts";
import { podSpecErrors } from "../../rules/pod-spec-errors.ts";
import { changeErrors, setPodCondition } from "./pod-changes.ts";
import { ephemeralChangeErrors, resizeErrors } from "./pod-parts.ts";
import type { PodSpec } from "../../../../k8s/core/v1.ts";
import type { PriorityClass } from "../../../../k8s/scheduling/v1.ts";
import { podPrinter } from "./pod-printer.ts";
import { qualityOf } from "./pod-resources.ts";

/** Pod. It ends gracefully: a kubelet, simulated or not, deletes it again without grace. */
export const pod: BuiltinKind = {
  returnsDeleted: true,
  applyDefaults: defaultPod,
  generationOf: desiredSpec,
  prepareCreate(pod, context) {
    const spec = child(pod, "spec");
    setPriority(pod, context);
    requireRuntimeClass(pod, context);
    tolerateLostNodes(spec);
    if (Number(spec["terminationGracePeriodSeconds"]) < 0) spec["terminationGracePeriodSeconds"] = 1;
    pod["status"] = { phase: "Pending", qosClass: qualityOf(spec) };
    if (items(spec, "schedulingGates").length > 0) setPodCondition(pod, gated, context.now());
  },
  // A client need not send the values that admission plugins gave to the new pod.
  prepareUpdate(pod, old) {
    const [spec, before] = [child(pod, "spec"), childIf(old, "spec") ?? {}];
    for (const field of ["priority", "preemptionPolicy"])
      if (before[field] !== undefined) spec[field] ??= before[field];
    tolerateLostNodes(spec);
  },
  prepareStatusUpdate(pod, old) {
    keepMeta(pod, old, "ownerReferences", "deletionTimestamp");
    const quality = childIf(old, "status")?.["qosClass"];
    if (quality !== undefined) fill(child(pod, "status"), { qosClass: quality });
    nameAddressTwice(childIf(pod, "status"));
  },
  gracePeriod(pod, wished) {
    const { nodeName, terminationGracePeriodSeconds } = (pod["spec"] ?? {}) as Partial<PodSpec>;
    const { phase } = (pod["status"] ?? {}) as { phase?: string };
    // No kubelet knows an unscheduled pod, and a finished one has no process to stop.
    if (!nodeName || phase === "Succeeded" || phase === "Failed") return 0;
    return wished ?? terminationGracePeriodSeconds ?? 30;
  },
  validate(pod, old, subresource) {
    const errors = podSpecErrors(childIf(pod, "spec"), "spec");
    if (!old) return [...errors, ...newPodErrors(pod)];
    switch (subresource ?? "") {
      // Only a binding gives a pod its node.
      case "binding":
        return [];
      case "ephemeralcontainers":
        return isWrong(pod, errors) ? errors : ephemeralChangeErrors(pod, old);
      case "resize":
        return [...errors, ...resizeErrors(pod, old)];
      default:
        return [...errors, ...changeErrors(pod, old)];
    }
  },
  printer: podPrinter,
};

/** Keeps the field of one address, which is older, and the list of addresses the same. If they differ, the older one counts. */
function nameAddressTwice(status: Fields | undefined): void {
  const [ip, first] = [status?.["podIP"], items(status, "podIPs")[0]?.["ip"]];
  if (!status || ip === first) return;
  if (ip) status["podIPs"] = [{ ip }];
  else status["podIP"] = first;
}

/** The condition of a new pod that its gates keep from every node. */
const gated = {
  type: "PodScheduled",
  status: "False",
  reason: "SchedulingGated",
  message: "Scheduling is blocked due to non-empty scheduling gates",
} as const;

/** Sets the defaults of a pod, which a template does not get. */
function defaultPod(pod: Fields): void {
  const spec = child(pod, "spec");
  defaultPodSpec(spec);
  fill(spec, { enableServiceLinks: true });
  for (const container of [...items(spec, "initContainers"), ...items(spec, "containers")]) {
    if (spec["hostNetwork"] === true)
      for (const port of items(container, "ports")) fill(port, { hostPort: port["containerPort"] });
    const limits = childIf(childIf(container, "resources"), "limits");
    // A limit is the default of the request.
    if (limits) fill(child(child(container, "resources"), "requests"), limits);
  }
}

/** Sets the priority of the pod's class or of the default class, as an admission plugin does. */
function setPriority(pod: UnstructuredObject, { list }: StrategyContext): void {
  const spec = child(pod, "spec");
  const wanted = spec["priorityClassName"] as string | undefined;
  const classes = [...list({ group: "scheduling.k8s.io", plural: "priorityclasses" })] as unknown as PriorityClass[];
  const found = classes.find(({ metadata, globalDefault }) => (wanted ? metadata.name === wanted : globalDefault));
  if (wanted && !found) throw refuse(pod, `no PriorityClass with name ${wanted} was found`);
  if (found) fill(spec, { priorityClassName: found.metadata.name });
  const priority = found?.value ?? 0;
  const policy = found?.preemptionPolicy ?? "PreemptLowerPriority";
  fill(spec, { priority, preemptionPolicy: policy });
}

/** Returns the refusal of an admission plugin, which does not show a generated name. */
function refuse(pod: UnstructuredObject, why: string): Error {
  return forbidden(pods, pod.metadata.generateName || (pod.metadata.name ?? ""), why);
}

const pods = { group: "", plural: "pods" };

/** Refuses a pod whose RuntimeClass does not exist, as an admission plugin does. */
function requireRuntimeClass(pod: UnstructuredObject, { list }: StrategyContext): void {
  const wanted = childIf(pod, "spec")?.["runtimeClassName"];
  if (!wanted) return;
  for (const { metadata } of list({ group: "node.k8s.io", plural: "runtimeclasses" }))
    if (metadata.name === wanted) return;
  throw refuse(pod, `pod rejected: RuntimeClass "${textOf(wanted)}" not found`);
}

/** Tolerates a lost node for five minutes unless the pod has such tolerations, as an admission plugin does. */
function tolerateLostNodes(spec: Fields): void {
  const tolerations = items(spec, "tolerations");
  const missing = ["not-ready", "unreachable"]
    .map((state) => `node.kubernetes.io/${state}`)
    .filter(
      (taint) => !tolerations.some(({ key, effect }) => (!key || key === taint) && (!effect || effect === "NoExecute")),
    )
    .map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 }));
  if (missing.length > 0) spec["tolerations"] = [...tolerations, ...missing];
}

/** Reports whether the pod itself is wrong, so that its changes are not checked. */
function isWrong(pod: UnstructuredObject, errors: readonly StatusCause[]): boolean {
  return errors.length > 0 || labelsErrors("", pod.metadata.labels).length > 0;
}

function newPodErrors(pod: UnstructuredObject): StatusCause[] {
  const spec = childIf(pod, "spec");
  return [
    ...(items(spec, "ephemeralContainers").length > 0
      ? [forbiddenField("spec.ephemeralContainers", "cannot be set on create")]
      : []),
    ...(items(spec, "schedulingGates").length > 0 && spec?.["nodeName"]
      ? [forbiddenField("spec.nodeName", "cannot be set until all schedulingGates have been cleared")]
      : []),
    ...items(spec, "volumes").flatMap(({ image }, index) =>
      image && !(image as Fields)["reference"] ? [required(`spec.volumes[${index}].image.reference`)] : [],
    ),
  ];
}
