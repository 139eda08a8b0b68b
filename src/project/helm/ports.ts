import { isObject } from "../../apimachinery/is-object.ts";
import type { Subject } from "./subject.ts";
import { Inline } from "./template.ts";

export const healthPort = "{{ .Values.manager.healthProbe.port }}";
export const webhookPort = "{{ .Values.webhook.port }}";
const scheme = new Inline("{{ if .Values.metrics.secure }}https{{ else }}http{{ end }}");

/** Replaces the ports of the operator by the values that set them, and the name that the one of the metrics has in a Service. */
export function fillPorts(value: unknown, subject: Subject): unknown {
  if (typeof value === "number") return templates(subject).get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => fillPorts(item, subject));
  if (!isObject(value)) return value;
  const filled = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillPorts(member, subject)]));
  const isScheme = value["port"] === subject.metrics?.port && value["name"] === "https";
  return isScheme ? { ...filled, name: scheme } : filled;
}

function templates({ metrics, ports }: Subject): ReadonlyMap<number | undefined, Inline> {
  return new Map([
    [ports.health, new Inline(healthPort)],
    [ports.webhook, new Inline(webhookPort)],
    [metrics?.port, new Inline("{{ .Values.metrics.port }}")],
  ]);
}
