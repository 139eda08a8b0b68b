import { cloneJson } from "../../../apimachinery/clone.ts";
import { type Fields, childIf, items } from "../../../apimachinery/fields.ts";
import { freezeJson } from "../../../apimachinery/freeze.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { memoize } from "../../registry/memoize.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { autoscalerErrors, autoscalerPrinter, horizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";

/**
 * Converts a stored autoscaler, which is of v2, to v1. The metrics other than the share of the CPU, the behavior and the
 * conditions are left out.
 */
const toV1: (stored: UnstructuredObject) => UnstructuredObject = memoize((stored) => {
  const { metrics: _metrics, behavior: _behavior, ...spec } = childIf(stored, "spec") ?? {};
  const { currentMetrics: _current, conditions: _conditions, ...status } = childIf(stored, "status") ?? {};
  const shareIn = (part: "spec" | "status", list: string, field: "target" | "current"): unknown =>
    items(childIf(stored, part), list)
      .map((metric) => cpuShare(metric, field))
      .find((share) => share !== undefined);
  const wanted = shareIn("spec", "metrics", "target");
  const reached = shareIn("status", "currentMetrics", "current");
  return freezeJson({
    ...stored,
    apiVersion: "autoscaling/v1",
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
  const target = { type: "Utilization", averageUtilization: wanted };
  return {
    ...old,
    apiVersion: "autoscaling/v2",
    ...(old["spec"] !== undefined && {
      spec: { ...spec, ...(typeof wanted === "number" && { metrics: [cpuMetric({ target })] }) },
    }),
    ...(old["status"] !== undefined && {
      status: {
        desiredReplicas: 0,
        ...(currentReplicas ? { currentReplicas } : {}),
        ...status,
        currentMetrics: reached === undefined ? null : [cpuMetric({ current: { averageUtilization: reached } })],
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
