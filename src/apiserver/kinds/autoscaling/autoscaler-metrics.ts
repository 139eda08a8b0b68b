import type { Fields } from "../../../apimachinery/fields.ts";
import { forbidden, required as missing } from "../../../apimachinery/field-error.ts";
import { listAt, textAt, valueAt } from "../printing/field-access.ts";
import { discriminated, enumOf, format, minimum, must, type Rows } from "../rules/field-rules.ts";

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
export const metricRules: Rows = {
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
export function autoscalerTargets(object: Fields): string {
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
