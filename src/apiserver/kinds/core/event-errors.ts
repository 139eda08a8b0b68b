import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid, required } from "../../../apimachinery/field-error.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";

/** Returns the errors of an event of either group. Those with an `eventTime` are checked more strictly. */
export function eventErrors(event: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const isCore = event.apiVersion === "v1";
  const always = event["eventTime"] ? newErrors(event, isCore) : namespaceErrors(event, []);
  return isCore || old ? always : [...always, ...strictErrors(event)];
}

function newErrors(event: UnstructuredObject, isCore: boolean): FieldError[] {
  const field = isCore ? "reportingComponent" : "reportingController";
  const { [field]: controller = "", reportingInstance = "", action = "", reason = "" } = event;
  return [
    ...(isCore || involved(event)["namespace"] ? [] : namespaceErrors(event, ["kube-system"])),
    ...(controller ? [] : [required(field)]),
    ...labelKeyErrors(field, textOf(controller)),
    ...textErrors({ reportingInstance, action, reason }),
    ...tooLong("message", event[isCore ? "message" : "note"], 1024),
  ];
}

/** Checks the namespace of the object that an event of the default namespace, or of another one, is about. */
function namespaceErrors(event: UnstructuredObject, allowed: readonly string[]): FieldError[] {
  const namespace = textOf(involved(event)["namespace"] ?? "");
  const own = event.metadata.namespace ?? "";
  const isRight = namespace === "" ? ["", "default", ...allowed].includes(own) : namespace === own;
  return isRight ? [] : [invalid("involvedObject.namespace", namespace, "does not match event.namespace")];
}

function involved(event: UnstructuredObject): Fields {
  return childIf(event, "involvedObject") ?? childIf(event, "regarding") ?? {};
}

/** Returns the errors of required texts. */
function textErrors(texts: Fields): FieldError[] {
  return Object.entries(texts).flatMap(([name, text]) => (text ? tooLong(name, text, 128) : [required(name)]));
}

function tooLong(field: string, text: unknown, most: number): FieldError[] {
  if (Buffer.byteLength(textOf(text ?? "")) <= most) return [];
  return [invalid(field, "", `can have at most ${most} characters`)];
}

/** Fields of the core group that a new event of events.k8s.io must not have. */
const deprecated = {
  firstTimestamp: "deprecatedFirstTimestamp",
  lastTimestamp: "deprecatedLastTimestamp",
  count: "deprecatedCount",
};

function strictErrors(event: Fields): FieldError[] {
  const { eventTime, type = "" } = event;
  const source = childIf(event, "deprecatedSource") ?? {};
  return [
    ...seriesErrors(childIf(event, "series")),
    ...(eventTime ? [] : [required("eventTime")]),
    ...(type === "Normal" || type === "Warning" ? [] : [invalid("type", "", `has invalid value: ${textOf(type)}`)]),
    ...Object.entries(deprecated)
      .filter(([, name]) => event[name])
      .map(([name]) => invalid(name, "", "needs to be unset")),
    ...(Object.keys(source).length > 0 ? [invalid("source", "", "needs to be unset")] : []),
  ];
}

function seriesErrors(series: Fields | undefined): FieldError[] {
  if (!series) return [];
  return [
    ...(Number(series["count"] ?? 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(series["lastObservedTime"] ? [] : [required("series.lastObservedTime")]),
  ];
}
