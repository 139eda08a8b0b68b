import type { ObjectMeta } from "tsop";
// +groupName=things.k8s.io

/** +kubebuilder:object:root=true */
export interface Thing { metadata: ObjectMeta; spec: { a: string } }
