import { type Fields, child, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { numberAt, textAt } from "../printing/field-access.ts";
import { type Printer, printer } from "../printing/printer.ts";
import { enumOf, fieldRules, format, maximum, minimum, must, type Rows, type RowsCheck } from "../rules/field-rules.ts";
import { autoscalerTargets, metricRules } from "./autoscaler-metrics.ts";

export const autoscalerPrinter: Printer = printer("Reference|Targets|MinPods|MaxPods|Replicas|Age", (object) => [
  `${textAt(object, "spec", "scaleTargetRef", "kind")}/${textAt(object, "spec", "scaleTargetRef", "name")}`,
  autoscalerTargets(object),
  textAt(object, "spec", "minReplicas") || "<unset>",
  numberAt(object, "spec", "maxReplicas"),
  numberAt(object, "status", "currentReplicas"),
]);

/** HorizontalPodAutoscaler of autoscaling/v2. */
export const horizontalPodAutoscaler: BuiltinKind = {
  applyDefaults: defaultAutoscaler,
  prepareCreate: (autoscaler) => void (autoscaler["status"] = { desiredReplicas: 0, currentMetrics: null }),
  validate: (autoscaler, _old, subresource) => [
    ...autoscalerErrors(autoscaler),
    ...(subresource === "status" ? statusErrors(autoscaler) : []),
  ],
  printer: autoscalerPrinter,
};

function defaultAutoscaler(autoscaler: Fields): void {
  const spec = child(autoscaler, "spec");
  fill(spec, { minReplicas: 1 });
  const behavior = childIf(spec, "behavior");
  if (behavior) {
    const all = { type: "Percent", value: 100, periodSeconds: 15 };
    const few = { type: "Pods", value: 4, periodSeconds: 15 };
    fill(child(behavior, "scaleUp"), { stabilizationWindowSeconds: 0, selectPolicy: "Max", policies: [few, all] });
    fill(child(behavior, "scaleDown"), { selectPolicy: "Max", policies: [all] });
  }
  const status = childIf(autoscaler, "status");
  // Go writes null for no metrics.
  if (status) status["currentMetrics"] ??= null;
  if (items(spec, "metrics").length) return;
  spec["metrics"] = [
    { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
  ];
}

const scaling: Rows = {
  stabilizationWindowSeconds: [minimum(0), maximum(3600)],
  tolerance: must((tolerance: string) => !tolerance.startsWith("-"), "must be greater than or equal to 0"),
  selectPolicy: enumOf("Disabled", "Max", "Min"),
  "policies[]": {
    type: enumOf("Percent", "Pods"),
    value: minimum(1),
    periodSeconds: [minimum(1), maximum(1800)],
  },
};

/** Returns the errors of an autoscaler of any version, as that of v2. */
export const autoscalerErrors: RowsCheck = fieldRules({
  spec: {
    maxReplicas: must(
      (most: number, { minReplicas: least = 1 }) => most >= (least as number),
      "must not be less than minReplicas",
    ),
    "scaleTargetRef.(kind|name)": format("k8s-path-segment-name"),
    scaleTargetRef: (target, at) => versionErrors(target as Fields, `${at}.apiVersion`),
    metrics: (metrics, at, { minReplicas }) =>
      minReplicas === 0 && !scalesFromZero(metrics) ? [forbidden(at, noMetricOfZero)] : [],
    "metrics[]": metricRules,
    "behavior.(scaleUp|scaleDown)": scaling,
  },
});

const noMetricOfZero = "must specify at least one Object or External metric to support scaling to zero replicas";

/** Reports whether a metric can wake a workload without pods: metrics of pods cannot. */
function scalesFromZero(metrics: unknown): boolean {
  return Array.isArray(metrics) && (metrics as Fields[]).some(({ type }) => type === "Object" || type === "External");
}

const statusErrors = fieldRules({ "status.(currentReplicas|desiredReplicas)": minimum(0) });

/** Checks the version of the target: of the kinds without an API group, only a ReplicationController can be scaled. */
function versionErrors({ apiVersion = "", kind }: Fields, at: string): FieldError[] {
  const parts = textOf(apiVersion).split("/");
  if (parts.length > 2) return [invalid(at, apiVersion, `unexpected GroupVersion string: ${textOf(apiVersion)}`)];
  if (parts.length === 2 || kind === "ReplicationController") return [];
  return [invalid(at, apiVersion, "apiVersion must specify API group")];
}
