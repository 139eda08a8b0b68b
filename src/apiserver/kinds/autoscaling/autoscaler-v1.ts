import { cloneJson } from "../../../apimachinery/clone.ts";
import { type Fields, childIf, items } from "../../../apimachinery/fields.ts";
import { freezeJson } from "../../../apimachinery/freeze.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { measureJson } from "../../codec/measure-json.ts";
import { memoize } from "../../registry/memoize.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { autoscalerErrors, autoscalerPrinter, horizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";

const prefix = "autoscaling.alpha.kubernetes.io/";

/** Converts a stored autoscaler, which is of v2, to v1: annotations replace the fields that v1 lacks. */
const toV1: (stored: UnstructuredObject) => UnstructuredObject = memoize((stored) => {
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
    read: toV1,
    write: toV2,
  },
  applyDefaults(autoscaler) {
    const whole = cloneJson(toV2(autoscaler));
    horizontalPodAutoscaler.applyDefaults?.(whole);
    autoscaler["spec"] = cloneJson(toV1(whole)["spec"]);
  },
  prepareCreate: (autoscaler) => void (autoscaler["status"] = { currentReplicas: 0, desiredReplicas: 0 }),
  validate: (autoscaler) => autoscalerErrors(toV2(autoscaler)),
  printer: {
    columns: autoscalerPrinter.columns,
    cells: (object, now) => autoscalerPrinter.cells(toV2(object as UnstructuredObject), now),
  },
};

/** Converts an autoscaler of v1 to its stored form. */
function toV2(old: UnstructuredObject): UnstructuredObject {
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

/** The most values of an annotation, which count like those of an object. */
const mostValues = 10_000;

/** Reads an annotation; ignores one that is not JSON, or has more values than all metrics of an autoscaler. */
function annotationOf({ metadata }: UnstructuredObject, name: string): unknown {
  const text = metadata.annotations?.[prefix + name] ?? "null";
  try {
    return measureJson(text).values > mostValues ? undefined : (JSON.parse(text) ?? undefined);
  } catch {
    return undefined;
  }
}
