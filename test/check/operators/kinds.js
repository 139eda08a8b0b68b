import { defineKind } from "../../../dist/index.js";

export const Cache = defineKind({
  group: "check.example.com",
  version: "v1",
  kind: "Cache",
  plural: "caches",
  subresources: ["status"],
});
export const CacheV1Alpha1 = defineKind({ ...Cache, version: "v1alpha1" });
export const Deployment = defineKind({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });
export const Service = defineKind({ group: "", version: "v1", kind: "Service", plural: "services" });
export const ConfigMap = defineKind({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });
export const Secret = defineKind({ group: "", version: "v1", kind: "Secret", plural: "secrets" });
export const Claim = defineKind({
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
});
export const Autoscaler = defineKind({
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
});
export const Lease = defineKind({ group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases" });
