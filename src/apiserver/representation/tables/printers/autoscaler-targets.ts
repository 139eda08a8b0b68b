import { type Fields, listAt, textAt, valueAt } from "../field-access.ts";

/** The metrics of a HorizontalPodAutoscaler as `cpu: 10%/80%`, at most two, and how many there are beyond. */
export function autoscalerTargets(object: Fields): string {
  const metrics = listAt(object, "spec", "metrics");
  const current = listAt(object, "status", "currentMetrics");
  const shown = metrics.slice(0, 2).map((metric, index) => target(metric, current[index]));
  if (shown.length === 0) return "<none>";
  const more = metrics.length > 2 ? ` + ${metrics.length - 2} more...` : "";
  return `${shown.join(", ")}${more}`;
}

const sources: Readonly<Record<string, string>> = {
  Resource: "resource",
  ContainerResource: "containerResource",
  Pods: "pods",
  Object: "object",
  External: "external",
};

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
