import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../apimachinery/field-error.ts";
import { dnsLabelErrors, pathSegmentErrors } from "../rules/name-errors.ts";
import { listAt, textAt, valueAt } from "../printing/field-access.ts";

/** The field of a metric for each of its types. */
const sources = new Map([
  ["ContainerResource", "containerResource"],
  ["External", "external"],
  ["Object", "object"],
  ["Pods", "pods"],
  ["Resource", "resource"],
]);

/** The fields of metrics, in the order in which a real server looks for the first one. */
const inOrder = ["object", "external", "pods", "resource", "containerResource"];

/** Returns the errors of a metric. */
export function metricErrors(metric: Fields, at: string): FieldError[] {
  const { type } = metric;
  const wanted = sources.get(textOf(type));
  const present = inOrder.filter((source) => childIf(metric, source));
  const [first, ...others] = present;
  const misplaced = others.length > 0 ? present.filter((source) => source !== wanted) : [];
  return [
    ...(type ? [] : [required(`${at}.type`, "must specify a metric source type")]),
    // A real server has two checks for this.
    ...(wanted === undefined ? [1, 2].map(() => notSupported(`${at}.type`, type ?? "", [...sources.keys()])) : []),
    ...(first === undefined ? [] : sourceErrors(first, childIf(metric, first) ?? {}, `${at}.${first}`)),
    ...(wanted === undefined || present.includes(wanted)
      ? []
      : [required(`${at}.${wanted}`, "must populate information for the given metric source")]),
    ...misplaced.map((source) => forbidden(`${at}.${source}`, "must populate the given metric source only")),
  ];
}

function sourceErrors(source: string, fields: Fields, at: string): FieldError[] {
  const target = childIf(fields, "target") ?? {};
  const isNamed = source === "resource" || source === "containerResource";
  const name = isNamed ? undefined : textOf(childIf(fields, "metric")?.["name"]);
  const { container, name: resource } = fields;
  const refuse = (field: string, why: string): FieldError[] => [required(`${at}.${field}`, why)];
  return [
    ...(name ? pathSegmentErrors(`${at}.metric.name`, name) : []),
    ...(name === "" ? refuse("metric.name", "must specify a metric name") : []),
    ...(isNamed && !resource ? refuse("name", "must specify a resource name") : []),
    ...(source === "containerResource" && !container ? refuse("container", "must specify a container") : []),
    ...(source === "containerResource" && container ? dnsLabelErrors(`${at}.container`, textOf(container)) : []),
    ...targetErrors(target, `${at}.target`),
    ...amountErrors(source, target, `${at}.target`),
  ];
}

function targetErrors({ type, ...target }: Fields, at: string): FieldError[] {
  const { averageUtilization: share } = target;
  return [
    ...(type ? [] : [required(`${at}.type`, "must specify a metric target type")]),
    ...(["Utilization", "Value", "AverageValue"].includes(textOf(type))
      ? []
      : [invalid(`${at}.type`, type ?? "", "must be either Utilization, Value, or AverageValue")]),
    ...(typeof share === "number" && share <= 0
      ? [invalid(`${at}.averageUtilization`, share, "must be greater than 0")]
      : []),
    ...["value", "averageValue"]
      .filter((name) => /^(-|0+(\.0*)?$)/.test(textOf(target[name])))
      .map((name) => invalid(`${at}.${name}`, target[name], "must be positive")),
  ];
}

/** Checks which amounts a target has: each source knows others. */
function amountErrors(source: string, target: Fields, at: string): FieldError[] {
  const has = (name: string): boolean => target[name] !== undefined;
  const { field, names, none, both } = amounts[source] ?? resourceAmounts;
  const [, last] = names;
  return [
    ...(names.some(has) ? [] : [required(`${at}.${field}`, none)]),
    ...(both !== undefined && names.every(has) ? [forbidden(`${at}.${last}`, both)] : []),
  ];
}

interface Amounts {
  /** The field that is reported as missing. */
  readonly field: string;
  readonly names: readonly string[];
  readonly none: string;
  /** Why not all of them may be set; absent if they may. */
  readonly both?: string;
}

const resourceAmounts: Amounts = {
  field: "averageUtilization",
  names: ["averageUtilization", "averageValue"],
  none: "must set either a target raw value or a target utilization",
  both: "may not set both a target raw value and a target utilization",
};
const amounts: Readonly<Record<string, Amounts>> = {
  external: {
    field: "averageValue",
    names: ["averageValue", "value"],
    none: "must set either a target value for metric or a per-pod target",
    both: "may not set both a target value for metric and a per-pod target",
  },
  object: {
    field: "averageValue",
    names: ["averageValue", "value"],
    none: "must set either a target value or averageValue",
  },
  pods: { field: "averageValue", names: ["averageValue"], none: "must specify a positive target averageValue" },
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
  const source = sources.get(type);
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
