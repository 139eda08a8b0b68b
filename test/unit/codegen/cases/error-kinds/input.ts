import type { ObjectMeta } from "tsop";
// +groupName=nodot

/** +kubebuilder:object:root=true */
export interface NoMetadata { spec: string }
/** +kubebuilder:object:root=true */
interface NotExported { metadata: ObjectMeta }
/** +kubebuilder:object:root=true */
export interface Generic<T> { metadata: ObjectMeta; spec: T }
/** +kubebuilder:object:root=true */
export interface Wrong { apiVersion: "other/v1"; kind: "Other"; metadata: ObjectMeta }
/**
 * +kubebuilder:object:root=true
 * +kubebuilder:unservedversion
 * +kubebuilder:resource:scope=Galaxy
 * +kubebuilder:metadata:annotations=novalue
 */
export interface Unserved { metadata: ObjectMeta }
/** +kubebuilder:object:root=true */
export interface Optional { metadata?: ObjectMeta }
