import { randomBytes } from "node:crypto";
import { apiVersionOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { EventKind } from "./simulated-kinds.ts";

export interface EventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

export interface EventSource {
  readonly client: Client;
  readonly component: string;
  readonly now: string;
}

/** Records an event about an object, in its namespace. */
export async function recordEvent(source: EventSource, kind: Kind, object: KubeObject, text: EventText): Promise<void> {
  const { name = "", namespace = "default", uid, resourceVersion } = object.metadata;
  await source.client.create(EventKind, {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${randomBytes(8).toString("hex")}`, namespace },
    involvedObject: { apiVersion: apiVersionOf(kind), kind: kind.kind, name, namespace, uid, resourceVersion },
    ...text,
    source: { component: source.component },
    firstTimestamp: source.now,
    lastTimestamp: source.now,
    count: 1,
    reportingComponent: source.component,
    reportingInstance: "",
  });
}
