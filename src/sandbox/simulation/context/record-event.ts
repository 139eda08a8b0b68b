import { randomBytes } from "node:crypto";
import type { Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject } from "../../../apimachinery/meta.ts";
import { isNotFound } from "../../../apimachinery/status.ts";
import type { Client } from "../../../client/client.ts";
import { mergePatch } from "../../../client/patches.ts";
import { referenceTo } from "./object-reference.ts";
import type { SimulationContext } from "./simulation-context.ts";
import { timestamp } from "./timestamp.ts";
import type { ToldEvents } from "./told-events.ts";
import { EventKind } from "./simulated-kinds.ts";

export interface EventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

export interface EventSource {
  readonly context: SimulationContext;
  readonly client: Client;
  readonly component: string;
}

/** Records an event about an object, in its namespace; one that was told before is counted. */
export async function recordEvent(source: EventSource, kind: Kind, object: KubeObject, text: EventText): Promise<void> {
  const { context, client, component } = source;
  const { name = "", namespace = "default", uid } = object.metadata;
  const key = JSON.stringify([component, uid, text]);
  const now = timestamp(context);
  if (await countAgain({ context, client, namespace, key })) return;
  const event = `${name}.${randomBytes(8).toString("hex")}`;
  await client.create(EventKind, {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: event, namespace },
    involvedObject: referenceTo(kind, object),
    ...text,
    source: { component },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    reportingComponent: component,
    reportingInstance: "",
  });
  remember(context.told, key, event);
}

interface Repetition {
  readonly context: SimulationContext;
  readonly client: Client;
  readonly namespace: string;
  readonly key: string;
}

async function countAgain({ context, client, namespace, key }: Repetition): Promise<boolean> {
  const told = context.told.get(key);
  if (!told) return false;
  told.count += 1;
  const patch = mergePatch({ count: told.count, lastTimestamp: timestamp(context) });
  try {
    await client.patch(EventKind, { namespace, name: told.name }, patch);
    return true;
  } catch (error) {
    // Events have a short life.
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Only what was told lately: a sandbox may run for long. */
const memory = 2_000;

function remember(told: ToldEvents, key: string, name: string): void {
  told.set(key, { name, count: 1 });
  const [oldest] = told.keys();
  if (told.size > memory && oldest !== undefined) told.delete(oldest);
}
