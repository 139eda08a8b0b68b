import type { LabelSelector } from "../../../apimachinery/meta.ts";

/** The fields of a metric of an autoscaler that the messages about its absence name. */
export interface Metric {
  type: "Resource" | "ContainerResource" | "Pods" | "Object" | "External";
  resource?: ResourceMetric;
  containerResource?: ResourceMetric & { container: string };
  pods?: { metric: MetricName };
  object?: { metric: MetricName; describedObject: { kind: string; name: string }; target: Target };
  external?: { metric: MetricName; target: Target };
}

interface ResourceMetric {
  name: string;
  target: Target;
}

interface MetricName {
  name: string;
  selector?: LabelSelector;
}

interface Target {
  averageValue?: string;
}

/** How a cluster without metrics words the absence of one. */
export interface MissingMetric {
  /** The reason of the event and of the condition. */
  readonly reason: string;
  readonly message: string;
  /** The message, with the name of the metric before it. */
  readonly failure: string;
}

const noCustomMetrics =
  "unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered";

/** Words the absence of a metric for an autoscaler of a namespace. */
export function missingMetric(metric: Metric, namespace: string): MissingMetric {
  const { resource, containerResource, pods, object, external } = metric;
  const reason = `FailedGet${metric.type}Metric`;
  const missing = (what: string, message: string, detail = message): MissingMetric => ({
    reason,
    message,
    failure: `failed to get ${what} value: ${detail}`,
  });
  if (resource) return missing(`${resource.name} resource metric`, missingResource(resource));
  if (containerResource)
    return missing(`${containerResource.container} container metric`, missingResource(containerResource));
  if (pods) return missing("pods metric", `unable to get metric ${pods.metric.name}: ${noCustomMetrics}`);
  if (object) {
    const { describedObject, target } = object;
    const { name } = object.metric;
    const message = `unable to get metric ${name}: ${describedObject.kind} on ${namespace} ${describedObject.name}/${noCustomMetrics}`;
    return missing(
      "object metric",
      message,
      isAverage(target) ? `failed to get ${name} object metric: ${message}` : message,
    );
  }
  const { metric: { name = "", selector } = {}, target = {} } = external ?? {};
  const message = `unable to get external metric ${namespace}/${name}/${formatInGo(selector)}: unable to fetch metrics from external metrics API: ${notFound(`${name}.external`)}`;
  const step = isAverage(target) ? `failed to get ${name} external metric` : `failed to get external metric ${name}`;
  return missing(`${name} external metric`, message, `${step}: ${message}`);
}

function missingResource({ name, target }: ResourceMetric): string {
  const measure = isAverage(target) ? "usage" : "utilization";
  return `failed to get ${name} ${measure}: unable to get metrics for resource ${name}: unable to fetch metrics from resource metrics API: ${notFound("pods")}`;
}

function notFound(resource: string): string {
  return `the server could not find the requested resource (get ${resource}.metrics.k8s.io)`;
}

function isAverage({ averageValue }: Target): boolean {
  return averageValue !== undefined;
}

/** Formats a selector as Go prints it for debugging. */
function formatInGo(selector: LabelSelector | undefined): string {
  if (!selector) return "nil";
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}: ${value},`);
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.toSorted().join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
