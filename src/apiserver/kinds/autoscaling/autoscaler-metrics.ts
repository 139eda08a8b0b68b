import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid, notSupported, required } from "../../../apimachinery/schema/field-error.ts";
import { pathSegmentErrors } from "../rules/name-errors.ts";
import { listAt, textAt, valueAt } from "../printing/field-access.ts";

/** The field of a metric for each of its types. */
const sources: Readonly<Record<string, string>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};

/** Returns the errors of a metric that its schema does not report. */
export function metricErrors(metric: Fields, at: string): FieldError[] {
  const { type } = metric;
  const source = sources[textOf(type)];
  // A real server has two checks for this.
  if (source === undefined) return [1, 2].map(() => notSupported(`${at}.type`, type, Object.keys(sources)));
  const fields = childIf(metric, source);
  if (!fields) return [required(`${at}.${source}`, "must populate information for the given metric source")];
  const target = childIf(fields, "target") ?? {};
  const field = `${at}.${source}`;
  const { averageUtilization: share } = target;
  const metricName = childIf(fields, "metric")?.["name"];
  const needsAverage = source === "pods" && target["averageValue"] === undefined;
  return [
    ...(metricName ? pathSegmentErrors(`${field}.metric.name`, textOf(metricName)) : []),
    ...(typeof share === "number" && share <= 0
      ? [invalid(`${field}.target.averageUtilization`, share, "must be greater than 0")]
      : []),
    ...["value", "averageValue"]
      .filter((name) => /^(-|0+(\.0*)?$)/.test(textOf(target[name])))
      .map((name) => invalid(`${field}.target.${name}`, target[name], "must be positive")),
    ...(needsAverage ? [required(`${field}.target.averageValue`, "must specify a positive target averageValue")] : []),
  ];
}

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
  const source = sources[type];
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
