import { cloneJson } from "../../../apimachinery/clone.ts";
import { type Fields, childIf, items } from "../../../apimachinery/fields.ts";
import { freezeJson } from "../../../apimachinery/freeze.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { memoized } from "../../registry/memoized.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { autoscalerErrors, autoscalerPrinter, horizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";

const prefix = "autoscaling.alpha.kubernetes.io/";

/** Returns a stored autoscaler, which is of v2, as autoscaling/v1: with annotations in place of the fields that v1 lacks. */
const oldAutoscalerOf: (stored: UnstructuredObject) => UnstructuredObject = memoized((stored) => {
  const { metrics: _metrics, behavior, ...spec } = childIf(stored, "spec") ?? {};
  const { currentMetrics: _current, conditions: _conditions, ...status } = childIf(stored, "status") ?? {};
  const metrics = items(childIf(stored, "spec"), "metrics");
  const current = items(childIf(stored, "status"), "currentMetrics");
  const cpu = metrics.find((metric) => cpuShare(metric, "target") !== undefined);
  const wanted = cpu && cpuShare(cpu, "target");
  const reached = current.map((metric) => cpuShare(metric, "current")).findLast((share) => share !== undefined);
  const annotations = {
    metrics: metrics.filter((metric) => metric !== cpu),
    "current-metrics": current,
    conditions: items(childIf(stored, "status"), "conditions"),
    behavior,
  };
  return freezeJson({
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
  });
});

/** HorizontalPodAutoscaler of autoscaling/v1: a view of those of v2, with their defaults and rules. */
export const autoscalerV1: BuiltinKind = {
  ...horizontalPodAutoscaler,
  view: {
    storage: { group: "autoscaling", plural: "horizontalpodautoscalers" },
    read: oldAutoscalerOf,
    write: newAutoscalerOf,
  },
  applyDefaults(autoscaler) {
    const whole = cloneJson(newAutoscalerOf(autoscaler));
    horizontalPodAutoscaler.applyDefaults?.(whole);
    autoscaler["spec"] = cloneJson(oldAutoscalerOf(whole)["spec"]);
  },
  prepareCreate: (autoscaler) => void (autoscaler["status"] = { currentReplicas: 0, desiredReplicas: 0 }),
  validate: (autoscaler) => autoscalerErrors(newAutoscalerOf(autoscaler)),
  printer: {
    columns: autoscalerPrinter.columns,
    cells: (object, now) => autoscalerPrinter.cells(newAutoscalerOf(object as UnstructuredObject), now),
  },
};

/** Returns the stored form of an autoscaler of autoscaling/v1. */
function newAutoscalerOf(old: UnstructuredObject): UnstructuredObject {
  const { targetCPUUtilizationPercentage: wanted, ...spec } = childIf(old, "spec") ?? {};
  const { currentCPUUtilizationPercentage: reached, currentReplicas, ...status } = childIf(old, "status") ?? {};
  const [others, behavior] = ["metrics", "behavior"].map((name) => annotationOf(old, name));
  const [current, conditions] = ["current-metrics", "conditions"].map((name) => annotationOf(old, name));
  const metrics = [
    ...(Array.isArray(others) ? (others as Fields[]) : []),
    ...(typeof wanted === "number" ? [cpuMetric({ target: { type: "Utilization", averageUtilization: wanted } })] : []),
  ];
  const currentMetrics =
    current ?? (reached === undefined ? null : [cpuMetric({ current: { averageUtilization: reached } })]);
  return {
    ...old,
    apiVersion: "autoscaling/v2",
    metadata: withAnnotations(old.metadata, {}),
    ...(old["spec"] !== undefined && {
      spec: { ...spec, ...(metrics.length > 0 && { metrics }), ...(isObject(behavior) && { behavior }) },
    }),
    ...(old["status"] !== undefined && {
      status: {
        desiredReplicas: 0,
        ...(currentReplicas ? { currentReplicas } : {}),
        ...status,
        currentMetrics,
        ...(Array.isArray(conditions) && { conditions }),
      },
    }),
  };
}

function cpuMetric(source: Fields): Fields {
  return { type: "Resource", resource: { name: "cpu", ...source } };
}

function cpuShare({ type, ...metric }: Fields, part: "target" | "current"): unknown {
  const resource = childIf(metric, "resource");
  return type === "Resource" && resource?.["name"] === "cpu"
    ? childIf(resource, part)?.["averageUtilization"]
    : undefined;
}

/** Returns the metadata with these annotations in place of those of another conversion; skips empty values. */
function withAnnotations({ annotations, ...rest }: ObjectMeta, values: Fields): ObjectMeta {
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith(prefix));
  const own = Object.entries(values)
    .filter(([, value]) => value !== undefined && (value as unknown[]).length !== 0)
    .map(([name, value]) => [prefix + name, JSON.stringify(value)]);
  const all = Object.fromEntries([...kept, ...own]) as Record<string, string>;
  return Object.keys(all).length > 0 ? { ...rest, annotations: all } : rest;
}

/** Reads an annotation; ignores one that is no JSON. */
function annotationOf({ metadata }: UnstructuredObject, name: string): unknown {
  try {
    return JSON.parse(metadata.annotations?.[prefix + name] ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
