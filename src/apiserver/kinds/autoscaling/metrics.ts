import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/schema/field-error.ts";
import { listAt, textAt, valueAt } from "../printing/field-access.ts";

/** The field of an autoscaler's metric that has what its type needs. */
const sources: Readonly<Record<string, string>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};

/** What is wrong with one metric of an autoscaler. */
export function metricErrors(metric: Fields, at: string): FieldError[] {
  const type = (metric["type"] ?? "") as string;
  if (type === "") return [required(`${at}.type`, "must specify a metric source type")];
  const field = Object.hasOwn(sources, type) ? sources[type]! : undefined;
  // Two of a real server's checks say so.
  if (field === undefined) {
    const unknown = notSupported(`${at}.type`, type, Object.keys(sources));
    return [unknown, unknown];
  }
  const source = childIf(metric, field);
  if (!source) return [required(`${at}.${field}`, "must populate information for the given metric source")];
  const path = `${at}.${field}`;
  const isResource = field === "resource" || field === "containerResource";
  return isResource ? resourceErrors(source, path) : namedMetricErrors(source, { path, field });
}

function resourceErrors(source: Fields, at: string): FieldError[] {
  const target = childIf(source, "target") ?? {};
  const { averageUtilization: share, averageValue: amount } = target as {
    averageUtilization?: number;
    averageValue?: string;
  };
  const errors = source["name"] ? [] : [required(`${at}.name`, "must specify a resource name")];
  errors.push(...targetTypeErrors(target, `${at}.target`));
  if (share !== undefined && share < 1)
    errors.push(invalid(`${at}.target.averageUtilization`, share, "must be greater than 0"));
  if (share === undefined && amount === undefined)
    errors.push(
      required(`${at}.target.averageUtilization`, "must set either a target raw value or a target utilization"),
    );
  if (share !== undefined && amount !== undefined)
    errors.push(forbidden(`${at}.target.averageValue`, "may not set both a target raw value and a target utilization"));
  return errors;
}

function namedMetricErrors(source: Fields, { path, field }: { path: string; field: string }): FieldError[] {
  const { name = "" } = childIf(source, "metric") ?? {};
  const target = childIf(source, "target") ?? {};
  const errors = name ? [] : [required(`${path}.metric.name`, "must specify a metric name")];
  errors.push(...targetTypeErrors(target, `${path}.target`));
  if (field === "pods" && target["averageValue"] === undefined)
    errors.push(required(`${path}.target.averageValue`, "must specify a positive target averageValue"));
  if (field !== "pods" && target["value"] === undefined && target["averageValue"] === undefined)
    errors.push(
      required(`${path}.target.averageValue`, "must set either a target value for metric or a per-pod target"),
    );
  return errors;
}

function targetTypeErrors({ type = "" }: Fields, at: string): FieldError[] {
  const errors = type === "" ? [required(`${at}.type`, "must specify a metric target type")] : [];
  if (["Utilization", "Value", "AverageValue"].includes(textOf(type))) return errors;
  return [...errors, invalid(`${at}.type`, type, "must be either Utilization, Value, or AverageValue")];
}

/** The metrics of a HorizontalPodAutoscaler as `cpu: 10%/80%`, at most two, and how many there are beyond. */
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
