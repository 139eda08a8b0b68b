import { type Fields, child, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid, required as missing } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { numberAt, textAt, listAt, valueAt } from "../printing/field-access.ts";
import { type Printer, printer } from "../printing/printer.ts";
import {
  enumOf,
  fieldRules,
  format,
  maximum,
  minimum,
  must,
  type Rows,
  type RowsCheck,
  discriminated,
} from "../rules/field-rules.ts";
import { desiredSpec } from "../rules/immutable.ts";

/** The field of a metric for each of its types. */
const sources: Readonly<Record<string, string>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};

const isPositive = must((amount: string) => !/^(-|0+(\.0*)?$)/.test(amount), "must be positive");

/** The rules of a target with one of two amounts, of which the first is reported as missing. */
const targetOf = (first: string, second: string | undefined, both: "both" | "one"): Rows => ({
  ".": (target, at) => {
    const { [first]: one, [second ?? ""]: other } = target as Fields;
    if (one === undefined && other === undefined) return [missing(`${at}.${first}`, "must set an amount")];
    return both === "one" && one !== undefined && other !== undefined
      ? [forbidden(`${at}.${second}`, `must not be set together with ${first}`)]
      : [];
  },
  type: enumOf("Utilization", "Value", "AverageValue"),
  averageUtilization: minimum(1),
  "(value|averageValue)": isPositive,
});

/** The rules of a metric. */
const metricRules: Rows = {
  ".": discriminated("type", sources),
  type: enumOf(...Object.keys(sources)),
  "(object|pods|external).metric.name": format("k8s-path-segment-name"),
  "containerResource.container": format("k8s-short-name"),
  "(resource|containerResource).target": targetOf("averageUtilization", "averageValue", "one"),
  "external.target": targetOf("averageValue", "value", "one"),
  "object.target": targetOf("averageValue", "value", "both"),
  "pods.target": targetOf("averageValue", undefined, "both"),
};

/** Returns the first two metrics of an autoscaler as `cpu: 10%/80%`, and the number of the others. */
function autoscalerTargets(object: Fields): string {
  const metrics = listAt(object, "spec", "metrics");
  const current = listAt(object, "status", "currentMetrics");
  const shown = metrics.slice(0, 2).map((metric, index) => target(metric, current[index]));
  if (shown.length === 0) return "<none>";
  const more = metrics.length > 2 ? ` + ${metrics.length - 2} more...` : "";
  return `${shown.join(", ")}${more}`;
}

function target(metric: Fields, current: Fields | undefined): string {
  const type = textAt(metric, "type");
  const source = Object.hasOwn(sources, type) ? sources[type] : undefined;
  if (source === undefined) return "<unknown type>";
  const prefix = type === "Resource" || type === "ContainerResource" ? `${textAt(metric, source, "name")}: ` : "";
  const wanted = valueAt(metric, source, "target");
  const now = valueAt(current, source, "current");
  const average = textAt(wanted, "averageValue");
  if (average !== "") {
    const mark = type === "Object" || type === "External" ? " (avg)" : "";
    return `${prefix}${textAt(now, "averageValue") || "<unknown>"}/${average}${mark}`;
  }
  if (prefix === "") return `${textAt(now, "value") || "<unknown>"}/${textAt(wanted, "value")}`;
  const [used, percent] = [textAt(now, "averageUtilization"), textAt(wanted, "averageUtilization")];
  return `${prefix}${used === "" ? "<unknown>" : `${used}%`}/${percent === "" ? "<auto>" : `${percent}%`}`;
}

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
  generationOf: desiredSpec,
  prepareCreate: (autoscaler) => void (autoscaler["status"] = { desiredReplicas: 0, currentMetrics: null }),
  validate: (autoscaler) => autoscalerErrors(autoscaler),
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

/** Checks the version of the target: of the kinds without an API group, only a ReplicationController can be scaled. */
function versionErrors({ apiVersion = "", kind }: Fields, at: string): FieldError[] {
  const parts = textOf(apiVersion).split("/");
  if (parts.length > 2) return [invalid(at, apiVersion, `unexpected GroupVersion string: ${textOf(apiVersion)}`)];
  if (parts.length === 2 || kind === "ReplicationController") return [];
  return [invalid(at, apiVersion, "apiVersion must specify API group")];
}
