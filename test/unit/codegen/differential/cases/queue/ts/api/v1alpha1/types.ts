// +groupName=stream.example.com
import type { Bytes, Float, Int32, Int64, JSONValue, ObjectMeta, RawExtension } from "tsop";
import type { NodeAffinity, PodTemplateSpec, Protocol, VolumeMount } from "tsop/k8s/core/v1";

/** Base is shared by all kinds of this group. */
export interface Base {
  /** paused stops reconciling */
  paused?: boolean;
  /** labels for everything that is made */
  labels?: Record<string, string>;
}

/** Listener is one way in. */
export interface Listener {
  /** +kubebuilder:validation:Pattern=`^[a-z0-9]{1,11}$` */
  name: string;
  /**
   * +kubebuilder:validation:Minimum=9092
   * +kubebuilder:validation:Maximum=65535
   */
  port: Int32;
  /** +kubebuilder:default=TCP */
  protocol?: Protocol;
  /** +kubebuilder:validation:Enum=internal;route;loadbalancer;nodeport */
  type: string;
  tls: boolean;
}

/** BrokerSpec is a broker. */
export interface BrokerSpec extends Base {
  /**
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=100
   */
  replicas: Int32;
  /**
   * +listType=map
   * +listMapKey=name
   * +listMapKey=protocol
   */
  listeners: Listener[];
  /** config is free */
  config?: JSONValue;
  /** override is merged over what is made */
  override?: RawExtension;
  /** template of the pods */
  pod?: PodTemplate;
  volumes?: VolumeMount[];
}

/** PodTemplate changes the pods. */
export interface PodTemplate {
  /** metadata of the pods */
  metadata?: ObjectMeta;
  /** +optional */
  affinity?: NodeAffinity;
  /** +kubebuilder:validation:Maximum=600 */
  terminationGracePeriodSeconds?: Int64;
  /**
   * +kubebuilder:validation:Schemaless
   * +kubebuilder:pruning:PreserveUnknownFields
   * +kubebuilder:validation:XEmbeddedResource
   * +kubebuilder:validation:Type=object
   */
  raw?: PodTemplateSpec;
}

/**
 * Broker runs brokers.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
 */
export interface Broker {
  metadata: ObjectMeta;
  spec: BrokerSpec;
  status?: BrokerStatus;
}

/** BrokerStatus is the status. */
export interface BrokerStatus {
  replicas: Int32;
  /** secret as base64 */
  secret?: Bytes;
}

/** TopicSpec is a topic. */
export interface TopicSpec extends Base {
  /** paused means something else here */
  partitions: Int32;
  /** +kubebuilder:default=604800000 */
  retentionMs?: Int64;
  /**
   * +kubebuilder:validation:Maximum=1
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:validation:ExclusiveMaximum=true
   */
  ratio?: Float;
}

/**
 * Topic is a topic.
 * +kubebuilder:object:root=true
 */
export interface Topic {
  metadata: ObjectMeta;
  spec: TopicSpec;
}
