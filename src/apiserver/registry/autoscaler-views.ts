import { cloneJson } from "../../apimachinery/clone.ts";
import { freezeJson } from "../../apimachinery/freeze.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { childIf, items, type Fields } from "../../apimachinery/fields.ts";
import { memoized } from "./memoized.ts";
import { newMetric, newMetricStatus, oldMetric, oldMetricStatus } from "./old-metrics.ts";

const prefix = "autoscaling.alpha.kubernetes.io/";
/** What autoscaling/v1 has no field for. */
const [metricsKey, currentKey, conditionsKey, behaviorKey] = [
  "metrics",
  "current-metrics",
  "conditions",
  "behavior",
].map((name) => prefix + name) as [string, string, string, string];

/** A stored autoscaler, which is of v2, as autoscaling/v1 shows it. */
export const oldAutoscalerOf: (stored: UnstructuredObject) => UnstructuredObject = memoized((stored) =>
  freezeJson(toOld(cloneJson(stored))),
);

/** The stored form of one that came by autoscaling/v1. */
export function newAutoscalerOf(old: UnstructuredObject): UnstructuredObject {
  const { annotations = {} } = old.metadata;
  const spec = childIf(old, "spec") ?? {};
  const { targetCPUUtilizationPercentage: percentage, ...rest } = spec;
  const metrics = (parsed(annotations[metricsKey]) ?? []).map(newMetric);
  if (percentage !== undefined && percentage !== null) metrics.push(cpuMetric(percentage));
  const behavior = lowered(parsedObject(annotations[behaviorKey]));
  return {
    ...old,
    apiVersion: "autoscaling/v2",
    metadata: withAnnotations(old.metadata, {}),
    ...(old["spec"] !== undefined && {
      spec: { ...rest, ...(metrics.length > 0 && { metrics }), ...(behavior && { behavior }) },
    }),
    ...(old["status"] !== undefined && { status: newStatus(childIf(old, "status") ?? {}, annotations) }),
  };
}

function newStatus(old: Fields, annotations: Readonly<Record<string, string>>): Fields {
  const { currentCPUUtilizationPercentage: percentage, currentReplicas, desiredReplicas = 0, ...rest } = old;
  const metrics = parsed(annotations[currentKey])?.map(newMetricStatus);
  const cpu = { type: "Resource", resource: { name: "cpu", current: { averageUtilization: percentage } } };
  const conditions = parsed(annotations[conditionsKey]);
  return {
    ...rest,
    ...(currentReplicas ? { currentReplicas } : {}),
    desiredReplicas,
    currentMetrics: metrics ?? (percentage === undefined ? null : [cpu]),
    ...(conditions && { conditions }),
  };
}

function toOld(stored: UnstructuredObject): UnstructuredObject {
  const { metrics: _, behavior, ...spec } = childIf(stored, "spec") ?? {};
  const { currentMetrics: _metrics, conditions: _conditions, ...status } = childIf(stored, "status") ?? {};
  const metrics = items(childIf(stored, "spec"), "metrics");
  const current = items(childIf(stored, "status"), "currentMetrics");
  const conditions = items(childIf(stored, "status"), "conditions");
  const others = metrics.filter((metric) => cpuOf(metric, "target") === undefined);
  const annotations = {
    ...(others.length > 0 && { [metricsKey]: goJson(others.map(oldMetric)) }),
    ...(current.length > 0 && { [currentKey]: goJson(current.map(oldMetricStatus)) }),
    ...(behavior !== undefined && { [behaviorKey]: goJson(raised(behavior as Fields)) }),
    ...(conditions.length > 0 && { [conditionsKey]: goJson(conditions.map(inGoOrder)) }),
  };
  const wanted = metrics.map((metric) => cpuOf(metric, "target")).find((value) => value !== undefined);
  const reached = current.map((metric) => cpuOf(metric, "current")).findLast((value) => value !== undefined);
  return {
    ...stored,
    apiVersion: "autoscaling/v1",
    metadata: withAnnotations(stored.metadata, annotations),
    spec: { ...spec, ...(wanted !== undefined && { targetCPUUtilizationPercentage: wanted }) },
    status: {
      currentReplicas: 0,
      desiredReplicas: 0,
      ...status,
      ...(reached !== undefined && { currentCPUUtilizationPercentage: reached }),
    },
  };
}

function cpuMetric(averageUtilization: unknown): Fields {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

function cpuOf(metric: Fields, part: "target" | "current"): unknown {
  const resource = childIf(metric, "resource");
  return metric["type"] === "Resource" && resource?.["name"] === "cpu"
    ? childIf(resource, part)?.["averageUtilization"]
    : undefined;
}

/** The metadata with these in place of what another conversion left. */
function withAnnotations(
  metadata: UnstructuredObject["metadata"],
  own: Readonly<Record<string, string>>,
): UnstructuredObject["metadata"] {
  const { annotations, ...rest } = metadata;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith(prefix));
  const all = { ...Object.fromEntries(kept), ...own };
  return Object.keys(all).length > 0 ? { ...rest, annotations: all } : rest;
}

/** Go writes the behaviour by the names of its own fields. */
function raised(behavior: Fields): Fields {
  const rules = (name: string): unknown => {
    const given = childIf(behavior, name);
    if (!given) return null;
    const { stabilizationWindowSeconds = null, selectPolicy = null, policies = null, tolerance = null } = given;
    return {
      StabilizationWindowSeconds: stabilizationWindowSeconds,
      SelectPolicy: selectPolicy,
      Policies:
        policies === null
          ? null
          : items(given, "policies").map(({ type, value, periodSeconds }) => ({
              Type: type,
              Value: value,
              PeriodSeconds: periodSeconds,
            })),
      Tolerance: tolerance,
    };
  };
  return { ScaleUp: rules("scaleUp"), ScaleDown: rules("scaleDown") };
}

function lowered(value: Fields | undefined): Fields | undefined {
  if (!value) return undefined;
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(
    entries.map(([name, each]) => [`${name[0]?.toLowerCase()}${name.slice(1)}`, loweredValue(each)]),
  );
}

function loweredValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(loweredValue);
  return typeof value === "object" ? lowered(value as Fields) : value;
}

function inGoOrder({ type, status, lastTransitionTime, reason, message }: Fields): Fields {
  return { type, status, lastTransitionTime, reason, message };
}

function parsed(text: string | undefined): Fields[] | undefined {
  const value = parsedValue(text);
  return Array.isArray(value) ? (value as Fields[]) : undefined;
}

function parsedObject(text: string | undefined): Fields | undefined {
  const value = parsedValue(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** An annotation that is no JSON says nothing. */
function parsedValue(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON as Go writes it. */
function goJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
}
