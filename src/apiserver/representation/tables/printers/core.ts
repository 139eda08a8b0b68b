import { type Fields, conditionOf, listAt, mapAt, numberAt, textAt, valueAt } from "../field-access.ts";
import { ageOf, creationAge } from "../human-duration.ts";
import { parseColumns, printer, type Printer } from "../printer.ts";

const namespace = printer("Status|Age", (object, now) => [textAt(object, "status", "phase"), creationAge(object, now)]);

const configMap = printer(
  "Data|Age",
  (object, now) => [size(object, "data") + size(object, "binaryData"), creationAge(object, now)],
  {
    Data:
      "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values " +
      "with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys " +
      "in the BinaryData field, this is enforced during validation process.",
  },
);

const secret = printer("Type|Data|Age", (object, now) => [
  textAt(object, "type"),
  size(object, "data"),
  creationAge(object, now),
]);

const serviceAccount = printer("Age", (object, now) => [creationAge(object, now)]);

const node = printer(
  "Status|Roles|Age|Version|Internal-IP*|External-IP*|OS-Image*|Kernel-Version*|Container-Runtime*",
  (object, now) => [
    nodeStatus(object),
    nodeRoles(object),
    creationAge(object, now),
    textAt(object, "status", "nodeInfo", "kubeletVersion"),
    nodeAddress(object, "InternalIP"),
    nodeAddress(object, "ExternalIP"),
    textAt(object, "status", "nodeInfo", "osImage") || "<unknown>",
    textAt(object, "status", "nodeInfo", "kernelVersion") || "<unknown>",
    textAt(object, "status", "nodeInfo", "containerRuntimeVersion") || "<unknown>",
  ],
);

const resourceQuota = printer("Request|Limit|Age", (object, now) => {
  const usage = Object.keys(mapAt(object, "status", "hard")).sort();
  const text = (name: string): string =>
    `${name}: ${textAt(object, "status", "used", name) || "0"}/${textAt(object, "status", "hard", name)}`;
  const isLimit = (name: string): boolean => name.startsWith("limits.");
  const requests = usage.filter((name) => !isLimit(name)).map(text);
  return [requests.join(", "), usage.filter(isLimit).map(text).join(", "), creationAge(object, now)];
});

/** Events of both APIs: core/v1 and events.k8s.io/v1 name the same fields differently. */
const event: Printer = {
  columns: [
    ...parseColumns("Last Seen|Type|Reason|Object|Subobject*|Source*|Message|First Seen*|Count*"),
    { name: "Name", type: "string", format: "name", description: "", priority: 1 },
  ],
  cells: (object, now) => {
    const about = valueAt(object, "involvedObject") ?? valueAt(object, "regarding");
    const firstTime = valueAt(object, "firstTimestamp") ?? valueAt(object, "deprecatedFirstTimestamp");
    const firstSeen = ageOf(firstTime ?? valueAt(object, "eventTime"), now);
    const lastTime = valueAt(object, "lastTimestamp") ?? valueAt(object, "deprecatedLastTimestamp");
    const series = valueAt(object, "series");
    const count = numberAt(object, "count") || numberAt(object, "deprecatedCount") || 1;
    return [
      series ? ageOf(valueAt(series, "lastObservedTime"), now) : lastTime ? ageOf(lastTime, now) : firstSeen,
      textAt(object, "type"),
      textAt(object, "reason"),
      [textAt(about, "kind").toLowerCase(), textAt(about, "name")].filter((part) => part !== "").join("/"),
      textAt(about, "fieldPath"),
      eventSource(object),
      (textAt(object, "message") || textAt(object, "note")).trim(),
      firstSeen,
      series ? numberAt(series, "count") : count,
      textAt(object, "metadata", "name"),
    ];
  },
};

/** Kinds of the core group that are neither workloads nor about networks and storage, by group and kind. */
export const corePrinters: Readonly<Record<string, Printer>> = {
  "/Namespace": namespace,
  "/ConfigMap": configMap,
  "/Secret": secret,
  "/ServiceAccount": serviceAccount,
  "/Node": node,
  "/ResourceQuota": resourceQuota,
  "/Event": event,
  "events.k8s.io/Event": event,
};

function nodeStatus(object: Fields): string {
  const ready = conditionOf(object, "Ready");
  const status = ready ? (ready["status"] === "True" ? "Ready" : "NotReady") : "Unknown";
  return valueAt(object, "spec", "unschedulable") === true ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(object: Fields): string {
  const prefix = "node-role.kubernetes.io/";
  const labels = mapAt(object, "metadata", "labels");
  const roles = Object.entries(labels).map(([key, value]) =>
    key.startsWith(prefix) ? key.slice(prefix.length) : key === "kubernetes.io/role" ? String(value) : "",
  );
  return [...new Set(roles.filter((role) => role !== ""))].sort().join(",") || "<none>";
}

function nodeAddress(object: Fields, type: string): string {
  const found = listAt(object, "status", "addresses").find((address) => address["type"] === type);
  return textAt(found, "address") || "<none>";
}

function eventSource(object: Fields): string {
  const source = valueAt(object, "source") ?? valueAt(object, "deprecatedSource");
  const component = textAt(source, "component");
  const controller = textAt(object, "reportingComponent") || textAt(object, "reportingController");
  const host = textAt(source, "host") || textAt(object, "reportingInstance");
  return [component || controller, host].filter((part) => part !== "").join(", ");
}

function size(object: Fields, field: string): number {
  return Object.keys(mapAt(object, field)).length;
}
