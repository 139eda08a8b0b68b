import { child, childIf, fill, items, type Fields } from "../../../apimachinery/fields.ts";

const rbacGroup = "rbac.authorization.k8s.io";

/** RoleBinding and ClusterRoleBinding. */
export function defaultRoleBinding(binding: Fields): void {
  const roleRef = childIf(binding, "roleRef");
  if (roleRef && !roleRef["apiGroup"]) roleRef["apiGroup"] = rbacGroup;
  for (const subject of items(binding, "subjects"))
    if (subject["kind"] !== "ServiceAccount" && !subject["apiGroup"]) subject["apiGroup"] = rbacGroup;
}

/** MutatingWebhookConfiguration and ValidatingWebhookConfiguration. */
export function defaultWebhookConfiguration(configuration: Fields): void {
  const mutating = configuration["kind"] === "MutatingWebhookConfiguration";
  for (const webhook of items(configuration, "webhooks")) {
    fill(webhook, {
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
      ...(mutating && { reinvocationPolicy: "Never" }),
    });
    const service = childIf(childIf(webhook, "clientConfig"), "service");
    if (service) fill(service, { port: 443 });
    for (const rule of items(webhook, "rules")) fill(rule, { scope: "*" });
  }
}

/** ValidatingAdmissionPolicy and MutatingAdmissionPolicy. */
export function defaultAdmissionPolicy(policy: Fields): void {
  const spec = child(policy, "spec");
  fill(spec, { failurePolicy: "Fail" });
  defaultMatchResources(childIf(spec, "matchConstraints"));
}

/** The bindings of both. */
export function defaultPolicyBinding(binding: Fields): void {
  const spec = childIf(binding, "spec");
  defaultMatchResources(childIf(spec, "matchResources"));
}

function defaultMatchResources(match: Fields | undefined): void {
  if (!match) return;
  fill(match, { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} });
  for (const name of ["resourceRules", "excludeResourceRules"])
    for (const rule of items(match, name)) fill(rule, { scope: "*" });
}

export function defaultStorageClass(storageClass: Fields): void {
  fill(storageClass, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
}

export function defaultPriorityClass(priorityClass: Fields): void {
  fill(priorityClass, { preemptionPolicy: "PreemptLowerPriority" });
}

export function defaultPersistentVolume(volume: Fields): void {
  const spec = child(volume, "spec");
  fill(spec, { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" });
  const hostPath = childIf(spec, "hostPath");
  if (hostPath) fill(hostPath, { type: "" });
  fill(child(volume, "status"), { phase: "Pending" });
}

export function defaultCsiDriver(driver: Fields): void {
  fill(child(driver, "spec"), {
    attachRequired: true,
    fsGroupPolicy: "ReadWriteOnceWithFSType",
    podInfoOnMount: false,
    requiresRepublish: false,
    seLinuxMount: false,
    storageCapacity: false,
    volumeLifecycleModes: ["Persistent"],
  });
}

/** What a node has is what its pods may have, unless it says otherwise. */
export function defaultNode(node: Fields): void {
  const status = childIf(node, "status");
  const capacity = childIf(status, "capacity");
  if (status && capacity) fill(status, { allocatable: capacity });
}

export function defaultPersistentVolumeClaim(claim: Fields): void {
  fill(child(claim, "spec"), { volumeMode: "Filesystem" });
  fill(child(claim, "status"), { phase: "Pending" });
}

export function defaultAutoscaler(autoscaler: Fields): void {
  const spec = child(autoscaler, "spec");
  fill(spec, { minReplicas: 1 });
  const behavior = childIf(spec, "behavior");
  if (behavior) {
    const all = { type: "Percent", value: 100, periodSeconds: 15 };
    const few = { type: "Pods", value: 4, periodSeconds: 15 };
    fill(child(behavior, "scaleUp"), { stabilizationWindowSeconds: 0, selectPolicy: "Max", policies: [few, all] });
    fill(child(behavior, "scaleDown"), { selectPolicy: "Max", policies: [all] });
  }
  const status = childIf(autoscaler, "status");
  // Null is what Go shows of no metrics.
  if (status) status["currentMetrics"] ??= null;
  if (items(spec, "metrics").length) return;
  spec["metrics"] = [
    { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
  ];
}
