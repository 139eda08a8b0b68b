import { isObject } from "../../apimachinery/is-object.ts";
import { embed, Inline } from "./template.ts";
import type { Subject } from "./subject.ts";

/** Replaces the names of the objects, and their namespace, wherever they occur in a manifest. */
export function fillNames(value: unknown, subject: Subject): unknown {
  const { name, namespace } = subject;
  const names = [...ownNames(subject), namespace].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<![a-z0-9-])(?:${names.join("|").replaceAll(".", "\\.")})(?![a-z0-9-])`, "g");
  return mapStrings(value, (text) =>
    text.replace(pattern, (found) =>
      found === namespace
        ? embed("{{ .Release.Namespace }}")
        : embed(`{{ include "${name}.fullname" . }}`) + found.slice(stemOf(subject).length),
    ),
  );
}

/** Returns how long the release's part of the names can be, so that the longest name is a valid label. */
export function longestFullname(subject: Subject): number {
  const suffixes = [...ownNames(subject)].map((name) => name.length - stemOf(subject).length);
  return 63 - Math.max(0, ...suffixes);
}

/** The part of the prefix that the release's name takes. */
function stemOf({ prefix }: Subject): string {
  return prefix.replace(/-$/, "");
}

function ownNames({ objects, extra, prefix }: Subject): Set<string> {
  const named = [...objects, ...extra].filter(
    ({ kind }) => kind !== "CustomResourceDefinition" && kind !== "Namespace",
  );
  const names = named.map(({ metadata }) => metadata.name ?? "");
  return new Set(names.filter((name) => name.startsWith(prefix) && name !== prefix));
}

/** Names and references are values, never keys. The schemas of a CustomResourceDefinition contain neither. */
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (!isObject(value)) return value;
  const mapped = Object.entries(value).map(([key, member]) => [
    key,
    key === "openAPIV3Schema" ? member : mapStrings(member, map),
  ]);
  return Object.fromEntries(mapped) as unknown;
}

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
