import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { newAutoscalerOf } from "../../../registry/autoscaler-views.ts";
import { type Fields, listAt, numberAt, textAt, valueAt } from "../field-access.ts";
import { creationAge } from "../human-duration.ts";
import { printer, type Printer } from "../printer.ts";
import { autoscalerTargets } from "./autoscaler-targets.ts";

const disruptionBudget = printer("Min Available|Max Unavailable|Allowed Disruptions:integer|Age", (object, now) => [
  textAt(object, "spec", "minAvailable") || "N/A",
  textAt(object, "spec", "maxUnavailable") || "N/A",
  numberAt(object, "status", "disruptionsAllowed"),
  creationAge(object, now),
]);

const autoscaler = printer("Reference|Targets|MinPods|MaxPods|Replicas|Age", (object, now) => [
  `${textAt(object, "spec", "scaleTargetRef", "kind")}/${textAt(object, "spec", "scaleTargetRef", "name")}`,
  autoscalerTargets(whole(object)),
  textAt(object, "spec", "minReplicas") || "<unset>",
  numberAt(object, "spec", "maxReplicas"),
  numberAt(object, "status", "currentReplicas"),
  creationAge(object, now),
]);

const priorityClass = printer("Value:integer|Global-Default:boolean|Age|PreemptionPolicy", (object, now) => [
  numberAt(object, "value"),
  valueAt(object, "globalDefault") === true,
  creationAge(object, now),
  textAt(object, "preemptionPolicy"),
]);

const lease = printer("Holder|Age", (object, now) => [
  textAt(object, "spec", "holderIdentity"),
  creationAge(object, now),
]);

const runtimeClass = printer("Handler|Age", (object, now) => [textAt(object, "handler"), creationAge(object, now)]);

const deviceClass = printer("Age", (object, now) => [creationAge(object, now)]);

const resourceClaim = printer("State|Age", (object, now) => [claimState(object), creationAge(object, now)]);

/** How workloads are scaled, ranked and kept alive: by group and kind. */
export const policyPrinters: Readonly<Record<string, Printer>> = {
  "policy/PodDisruptionBudget": disruptionBudget,
  "autoscaling/HorizontalPodAutoscaler": autoscaler,
  "scheduling.k8s.io/PriorityClass": priorityClass,
  "coordination.k8s.io/Lease": lease,
  "node.k8s.io/RuntimeClass": runtimeClass,
  "resource.k8s.io/DeviceClass": deviceClass,
  "resource.k8s.io/ResourceClaim": resourceClaim,
};

/** An older version shows less of it. */
function whole(autoscaler: Fields): Fields {
  return autoscaler["apiVersion"] === "autoscaling/v1" ? newAutoscalerOf(autoscaler as UnstructuredObject) : autoscaler;
}

function claimState(object: Fields): string {
  const states = [
    valueAt(object, "metadata", "deletionTimestamp") === undefined ? "" : "deleted",
    valueAt(object, "status", "allocation") === undefined ? "" : "allocated",
    listAt(object, "status", "reservedFor").length > 0 ? "reserved" : "",
  ].filter((state) => state !== "");
  return states.join(",") || "pending";
}
