// Kubernetes 1.36.3, written by test/record/kubernetes-data/write-types.mjs; do not edit.
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeList, LabelSelector, ObjectMeta, Quantity, Time } from "../../apimachinery/meta.ts";

/**
 * ContainerResourceMetricSource indicates how to scale on a resource metric known to
 * Kubernetes, as specified in the requests and limits, describing a single container in
 * each of the pods of the current scale target(e.g. CPU or memory). The values will be
 * averaged together before being compared to the target. Such metrics are built into
 * Kubernetes, and have special scaling options on top of those available to
 * normal per-pod metrics using the "pods" source. Only one "target" type
 * should be set.
 */
export interface ContainerResourceMetricSource {
  /** container is the name of the container in the pods of the scaling target. */
  container: string;
  /** name is the name of the resource in question. */
  name: string;
  /**
   * targetAverageUtilization is the target value of the average of the
   * resource metric across all relevant pods, represented as a percentage of
   * the requested value of the resource for the pods.
   */
  targetAverageUtilization?: number;
  /**
   * targetAverageValue is the target value of the average of the
   * resource metric across all relevant pods, as a raw value (instead of as
   * a percentage of the request), similar to the "pods" metric source type.
   */
  targetAverageValue?: Quantity;
}

/**
 * ContainerResourceMetricStatus indicates the current value of a resource metric known to
 * Kubernetes, as specified in requests and limits, describing a single container in each pod in the
 * current scale target (e.g. CPU or memory).  Such metrics are built in to
 * Kubernetes, and have special scaling options on top of those available to
 * normal per-pod metrics using the "pods" source.
 */
export interface ContainerResourceMetricStatus {
  /** container is the name of the container in the pods of the scaling taget */
  container: string;
  /**
   * currentAverageUtilization is the current value of the average of the
   * resource metric across all relevant pods, represented as a percentage of
   * the requested value of the resource for the pods.  It will only be
   * present if `targetAverageValue` was set in the corresponding metric
   * specification.
   */
  currentAverageUtilization?: number;
  /**
   * currentAverageValue is the current value of the average of the
   * resource metric across all relevant pods, as a raw value (instead of as
   * a percentage of the request), similar to the "pods" metric source type.
   * It will always be set, regardless of the corresponding metric specification.
   */
  currentAverageValue: Quantity;
  /** name is the name of the resource in question. */
  name: string;
}

/** CrossVersionObjectReference contains enough information to let you identify the referred resource. */
export interface CrossVersionObjectReference {
  /** apiVersion is the API version of the referent */
  apiVersion?: string;
  /** kind is the kind of the referent; More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds */
  kind: string;
  /** name is the name of the referent; More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#names */
  name: string;
}

/**
 * ExternalMetricSource indicates how to scale on a metric not associated with
 * any Kubernetes object (for example length of queue in cloud
 * messaging service, or QPS from loadbalancer running outside of cluster).
 */
export interface ExternalMetricSource {
  /** metricName is the name of the metric in question. */
  metricName: string;
  /**
   * metricSelector is used to identify a specific time series
   * within a given metric.
   */
  metricSelector?: LabelSelector;
  /**
   * targetAverageValue is the target per-pod value of global metric (as a quantity).
   * Mutually exclusive with TargetValue.
   */
  targetAverageValue?: Quantity;
  /**
   * targetValue is the target value of the metric (as a quantity).
   * Mutually exclusive with TargetAverageValue.
   */
  targetValue?: Quantity;
}

/**
 * ExternalMetricStatus indicates the current value of a global metric
 * not associated with any Kubernetes object.
 */
export interface ExternalMetricStatus {
  /** currentAverageValue is the current value of metric averaged over autoscaled pods. */
  currentAverageValue?: Quantity;
  /** currentValue is the current value of the metric (as a quantity) */
  currentValue: Quantity;
  /**
   * metricName is the name of a metric used for autoscaling in
   * metric system.
   */
  metricName: string;
  /**
   * metricSelector is used to identify a specific time series
   * within a given metric.
   */
  metricSelector?: LabelSelector;
}

/** configuration of a horizontal pod autoscaler. */
export interface HorizontalPodAutoscaler {
  apiVersion?: "autoscaling/v1";
  kind?: "HorizontalPodAutoscaler";
  /** Standard object metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata */
  metadata: ObjectMeta;
  /** spec defines the behaviour of autoscaler. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status. */
  spec: HorizontalPodAutoscalerSpec;
  /** status is the current information about the autoscaler. */
  status?: HorizontalPodAutoscalerStatus;
}
export const HorizontalPodAutoscaler: Kind<HorizontalPodAutoscaler> =
  /* @__PURE__ */ defineKind<HorizontalPodAutoscaler>({
    group: "autoscaling",
    version: "v1",
    kind: "HorizontalPodAutoscaler",
    plural: "horizontalpodautoscalers",
    subresources: ["status"],
  });
export type HorizontalPodAutoscalerList = KubeList<HorizontalPodAutoscaler>;

/**
 * HorizontalPodAutoscalerCondition describes the state of
 * a HorizontalPodAutoscaler at a certain point.
 */
export interface HorizontalPodAutoscalerCondition {
  /** status is the status of the condition (True, False, Unknown) */
  status: string;
  /**
   * lastTransitionTime is the last time the condition transitioned from
   * one status to another
   */
  lastTransitionTime?: Time;
  /**
   * message is a human-readable explanation containing details about
   * the transition
   */
  message?: string;
  /** reason is the reason for the condition's last transition. */
  reason?: string;
  /** type describes the current condition */
  type: string;
}

/**
 * HorizontalPodAutoscalerConditionType are the valid conditions of
 * a HorizontalPodAutoscaler.
 */
export type HorizontalPodAutoscalerConditionType = string;

/** specification of a horizontal pod autoscaler. */
export interface HorizontalPodAutoscalerSpec {
  /** maxReplicas is the upper limit for the number of pods that can be set by the autoscaler; cannot be smaller than MinReplicas. */
  maxReplicas: number;
  /**
   * minReplicas is the lower limit for the number of replicas to which the autoscaler
   * can scale down.  It defaults to 1 pod.  minReplicas is allowed to be 0 if the
   * alpha feature gate HPAScaleToZero is enabled and at least one Object or External
   * metric is configured.  Scaling is active as long as at least one metric value is
   * available.
   */
  minReplicas?: number;
  /**
   * reference to scaled resource; horizontal pod autoscaler will learn the current resource consumption
   * and will set the desired number of pods by using its Scale subresource.
   */
  scaleTargetRef: CrossVersionObjectReference;
  /**
   * targetCPUUtilizationPercentage is the target average CPU utilization (represented as a percentage of requested CPU) over all the pods;
   * if not specified the default autoscaling policy will be used.
   */
  targetCPUUtilizationPercentage?: number;
}

/** current status of a horizontal pod autoscaler */
export interface HorizontalPodAutoscalerStatus {
  /**
   * currentCPUUtilizationPercentage is the current average CPU utilization over all pods, represented as a percentage of requested CPU,
   * e.g. 70 means that an average pod is using now 70% of its requested CPU.
   */
  currentCPUUtilizationPercentage?: number;
  /** currentReplicas is the current number of replicas of pods managed by this autoscaler. */
  currentReplicas: number;
  /** desiredReplicas is the  desired number of replicas of pods managed by this autoscaler. */
  desiredReplicas: number;
  /**
   * lastScaleTime is the last time the HorizontalPodAutoscaler scaled the number of pods;
   * used by the autoscaler to control how often the number of pods is changed.
   */
  lastScaleTime?: Time;
  /** observedGeneration is the most recent generation observed by this autoscaler. */
  observedGeneration?: number;
}

/** MetricSourceType indicates the type of metric. */
export type MetricSourceType = string;

/**
 * MetricSpec specifies how to scale based on a single metric
 * (only `type` and one other matching field should be set at once).
 */
export interface MetricSpec {
  /**
   * containerResource refers to a resource metric (such as those specified in
   * requests and limits) known to Kubernetes describing a single container in each pod of the
   * current scale target (e.g. CPU or memory). Such metrics are built in to
   * Kubernetes, and have special scaling options on top of those available
   * to normal per-pod metrics using the "pods" source.
   */
  containerResource?: ContainerResourceMetricSource;
  /**
   * external refers to a global metric that is not associated
   * with any Kubernetes object. It allows autoscaling based on information
   * coming from components running outside of cluster
   * (for example length of queue in cloud messaging service, or
   * QPS from loadbalancer running outside of cluster).
   */
  external?: ExternalMetricSource;
  /**
   * object refers to a metric describing a single kubernetes object
   * (for example, hits-per-second on an Ingress object).
   */
  object?: ObjectMetricSource;
  /**
   * pods refers to a metric describing each pod in the current scale target
   * (for example, transactions-processed-per-second).  The values will be
   * averaged together before being compared to the target value.
   */
  pods?: PodsMetricSource;
  /**
   * resource refers to a resource metric (such as those specified in
   * requests and limits) known to Kubernetes describing each pod in the
   * current scale target (e.g. CPU or memory). Such metrics are built in to
   * Kubernetes, and have special scaling options on top of those available
   * to normal per-pod metrics using the "pods" source.
   */
  resource?: ResourceMetricSource;
  /**
   * type is the type of metric source.  It should be one of "ContainerResource",
   * "External", "Object", "Pods" or "Resource", each mapping to a matching field in the object.
   */
  type: string;
}

/** MetricStatus describes the last-read state of a single metric. */
export interface MetricStatus {
  /**
   * containerResource refers to a resource metric (such as those specified in
   * requests and limits) known to Kubernetes describing a single container in each pod in the
   * current scale target (e.g. CPU or memory). Such metrics are built in to
   * Kubernetes, and have special scaling options on top of those available
   * to normal per-pod metrics using the "pods" source.
   */
  containerResource?: ContainerResourceMetricStatus;
  /**
   * external refers to a global metric that is not associated
   * with any Kubernetes object. It allows autoscaling based on information
   * coming from components running outside of cluster
   * (for example length of queue in cloud messaging service, or
   * QPS from loadbalancer running outside of cluster).
   */
  external?: ExternalMetricStatus;
  /**
   * object refers to a metric describing a single kubernetes object
   * (for example, hits-per-second on an Ingress object).
   */
  object?: ObjectMetricStatus;
  /**
   * pods refers to a metric describing each pod in the current scale target
   * (for example, transactions-processed-per-second).  The values will be
   * averaged together before being compared to the target value.
   */
  pods?: PodsMetricStatus;
  /**
   * resource refers to a resource metric (such as those specified in
   * requests and limits) known to Kubernetes describing each pod in the
   * current scale target (e.g. CPU or memory). Such metrics are built in to
   * Kubernetes, and have special scaling options on top of those available
   * to normal per-pod metrics using the "pods" source.
   */
  resource?: ResourceMetricStatus;
  /**
   * type is the type of metric source.  It will be one of "ContainerResource",
   * "External", "Object", "Pods" or "Resource", each corresponds to a matching field in the object.
   */
  type: string;
}

/**
 * ObjectMetricSource indicates how to scale on a metric describing a
 * kubernetes object (for example, hits-per-second on an Ingress object).
 */
export interface ObjectMetricSource {
  /**
   * averageValue is the target value of the average of the
   * metric across all relevant pods (as a quantity)
   */
  averageValue?: Quantity;
  /** metricName is the name of the metric in question. */
  metricName: string;
  /**
   * selector is the string-encoded form of a standard kubernetes label selector for the given metric.
   * When set, it is passed as an additional parameter to the metrics server for more specific metrics scoping
   * When unset, just the metricName will be used to gather metrics.
   */
  selector?: LabelSelector;
  /** target is the described Kubernetes object. */
  target: CrossVersionObjectReference;
  /** targetValue is the target value of the metric (as a quantity). */
  targetValue: Quantity;
}

/**
 * ObjectMetricStatus indicates the current value of a metric describing a
 * kubernetes object (for example, hits-per-second on an Ingress object).
 */
export interface ObjectMetricStatus {
  /**
   * averageValue is the current value of the average of the
   * metric across all relevant pods (as a quantity)
   */
  averageValue?: Quantity;
  /** currentValue is the current value of the metric (as a quantity). */
  currentValue: Quantity;
  /** metricName is the name of the metric in question. */
  metricName: string;
  /**
   * selector is the string-encoded form of a standard kubernetes label selector for the given metric
   * When set in the ObjectMetricSource, it is passed as an additional parameter to the metrics server for more specific metrics scoping.
   * When unset, just the metricName will be used to gather metrics.
   */
  selector?: LabelSelector;
  /** target is the described Kubernetes object. */
  target: CrossVersionObjectReference;
}

/**
 * PodsMetricSource indicates how to scale on a metric describing each pod in
 * the current scale target (for example, transactions-processed-per-second).
 * The values will be averaged together before being compared to the target
 * value.
 */
export interface PodsMetricSource {
  /** metricName is the name of the metric in question */
  metricName: string;
  /**
   * selector is the string-encoded form of a standard kubernetes label selector for the given metric
   * When set, it is passed as an additional parameter to the metrics server for more specific metrics scoping
   * When unset, just the metricName will be used to gather metrics.
   */
  selector?: LabelSelector;
  /**
   * targetAverageValue is the target value of the average of the
   * metric across all relevant pods (as a quantity)
   */
  targetAverageValue: Quantity;
}

/**
 * PodsMetricStatus indicates the current value of a metric describing each pod in
 * the current scale target (for example, transactions-processed-per-second).
 */
export interface PodsMetricStatus {
  /**
   * currentAverageValue is the current value of the average of the
   * metric across all relevant pods (as a quantity)
   */
  currentAverageValue: Quantity;
  /** metricName is the name of the metric in question */
  metricName: string;
  /**
   * selector is the string-encoded form of a standard kubernetes label selector for the given metric
   * When set in the PodsMetricSource, it is passed as an additional parameter to the metrics server for more specific metrics scoping.
   * When unset, just the metricName will be used to gather metrics.
   */
  selector?: LabelSelector;
}

/**
 * ResourceMetricSource indicates how to scale on a resource metric known to
 * Kubernetes, as specified in requests and limits, describing each pod in the
 * current scale target (e.g. CPU or memory).  The values will be averaged
 * together before being compared to the target.  Such metrics are built in to
 * Kubernetes, and have special scaling options on top of those available to
 * normal per-pod metrics using the "pods" source.  Only one "target" type
 * should be set.
 */
export interface ResourceMetricSource {
  /** name is the name of the resource in question. */
  name: string;
  /**
   * targetAverageUtilization is the target value of the average of the
   * resource metric across all relevant pods, represented as a percentage of
   * the requested value of the resource for the pods.
   */
  targetAverageUtilization?: number;
  /**
   * targetAverageValue is the target value of the average of the
   * resource metric across all relevant pods, as a raw value (instead of as
   * a percentage of the request), similar to the "pods" metric source type.
   */
  targetAverageValue?: Quantity;
}

/**
 * ResourceMetricStatus indicates the current value of a resource metric known to
 * Kubernetes, as specified in requests and limits, describing each pod in the
 * current scale target (e.g. CPU or memory).  Such metrics are built in to
 * Kubernetes, and have special scaling options on top of those available to
 * normal per-pod metrics using the "pods" source.
 */
export interface ResourceMetricStatus {
  /**
   * currentAverageUtilization is the current value of the average of the
   * resource metric across all relevant pods, represented as a percentage of
   * the requested value of the resource for the pods.  It will only be
   * present if `targetAverageValue` was set in the corresponding metric
   * specification.
   */
  currentAverageUtilization?: number;
  /**
   * currentAverageValue is the current value of the average of the
   * resource metric across all relevant pods, as a raw value (instead of as
   * a percentage of the request), similar to the "pods" metric source type.
   * It will always be set, regardless of the corresponding metric specification.
   */
  currentAverageValue: Quantity;
  /** name is the name of the resource in question. */
  name: string;
}

/** Scale represents a scaling request for a resource. */
export interface Scale {
  /**
   * APIVersion defines the versioned schema of this representation of an object.
   * Servers should convert recognized schemas to the latest internal value, and
   * may reject unrecognized values.
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources
   */
  apiVersion?: string;
  /**
   * Kind is a string value representing the REST resource this object represents.
   * Servers may infer this from the endpoint the client submits requests to.
   * Cannot be updated.
   * In CamelCase.
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
   */
  kind?: string;
  /** Standard object metadata; More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata. */
  metadata?: ObjectMeta;
  /** spec defines the behavior of the scale. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status. */
  spec?: ScaleSpec;
  /** status is the current status of the scale. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status. Read-only. */
  status?: ScaleStatus;
}

/** ScaleSpec describes the attributes of a scale subresource. */
export interface ScaleSpec {
  /** replicas is the desired number of instances for the scaled object. */
  replicas?: number;
}

/** ScaleStatus represents the current status of a scale subresource. */
export interface ScaleStatus {
  /** replicas is the actual number of observed instances of the scaled object. */
  replicas: number;
  /**
   * selector is the label query over pods that should match the replicas count. This is same
   * as the label selector but in the string format to avoid introspection
   * by clients. The string will be in the same format as the query-param syntax.
   * More info about label selectors: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/
   */
  selector?: string;
}
