// +groupName=cache.example.com
import type { Int32, ObjectMeta, RawExtension } from "tsop";

/**
 * Policy is what happens when memory runs out.
 * +kubebuilder:validation:Enum=Evict;Refuse
 */
type Policy = string;

/**
 * Mode is how keys are spread.
 * +k8s:enum
 */
type Mode = "Ring" | "Jump";

/** Shard is one part of the keys. */
interface Shard {
  name: string;
  // +k8s:optional
  zone: string;
  // +k8s:required
  weight?: Int32;
}

/** ClusterSpec uses the other spellings of markers. */
interface ClusterSpec {
  /**
   * Shards by name.
   * +k8s:listType=map
   * +k8s:listMapKey=name
   * +k8s:optional
   */
  shards: Shard[];
  /**
   * Tags in no order.
   * +k8s:listType=set
   */
  tags?: string[];
  // +nullable
  // +optional
  policy?: Policy;
  // +nullable
  comment: string;
  // +optional
  mode?: Mode;
  // +optional
  // +k8s:immutable
  seed?: Int32;
  /**
   * Settings are passed on.
   * +kubebuilder:validation:XPreserveUnknownFields
   * +optional
   */
  settings?: RawExtension;
}

/**
 * Cluster is a cluster of caches.
 * +kubebuilder:object:root=true
 * +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
 */
export interface Cluster {
  metadata: ObjectMeta;
  spec?: ClusterSpec;
}
