import { groupKindOf, type Kind } from "../../src/apimachinery/kind.ts";
import type { UnstructuredObject } from "../../src/apimachinery/meta.ts";
import { ApiCaller } from "../../src/client/calls/api-caller.ts";
import type { ClientConfig } from "../../src/client/config/config.ts";
import { createClient } from "../../src/client/create-client.ts";
import { discoverAll, preferredKinds } from "../../src/client/discovery/discover-all.ts";
import { HttpTransport } from "../../src/client/transport/http-transport.ts";

/** Objects by a name such as `Service default/web`. */
export type Content = ReadonlyMap<string, UnstructuredObject>;

/**
 * Objects that appear and vanish without the test, and the accepted differences: only a real server records each
 * address of a Service in an IPAddress, for the other API servers of its cluster.
 */
const left = new Set([
  "Event",
  "Event.events.k8s.io",
  "Lease.coordination.k8s.io",
  "APIService.apiregistration.k8s.io",
  "IPAddress.networking.k8s.io",
]);

/** Reads all objects of a server. */
export async function collectObjects(config: ClientConfig): Promise<Content> {
  const transport = new HttpTransport(config);
  try {
    const client = createClient({ transport });
    const found = new Map<string, UnstructuredObject>();
    for (const kind of await listableKinds(transport)) {
      for await (const object of client.listEach(kind)) {
        const { namespace = "", name } = object.metadata;
        found.set(`${groupKindOf(kind)} ${namespace && `${namespace}/`}${name}`, object as UnstructuredObject);
      }
    }
    return found;
  } finally {
    transport.close();
  }
}

async function listableKinds(transport: HttpTransport): Promise<Kind[]> {
  const rows = preferredKinds(await discoverAll(new ApiCaller(transport)));
  return rows
    .filter(({ kind, verbs }) => verbs.includes("list") && !left.has(groupKindOf(kind)))
    .map(({ kind }) => kind);
}

/** Returns the objects that are not in `before`, without what differs between two runs on one server. */
export function addedObjects(before: Content, after: Content): Record<string, unknown> {
  const added = [...after].filter(([key]) => !before.has(key));
  return Object.fromEntries(added.map(([key, object]) => [withoutChance(key), withoutRun(object)]).toSorted());
}

/** Removes a generated suffix, as in `create-init-abcde`. */
function withoutChance(key: string): string {
  return key.replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}$/, "-xxxxx");
}

/** Also a label of ZooKeeper's operator, which holds a resource version. */
const ofRun = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "time",
  "clusterIP",
  "clusterIPs",
  "nodePort",
  "owner-rv",
]);

function withoutRun(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRun);
  if (typeof value === "string") return withoutTimes(withoutChance(value));
  if (typeof value !== "object" || value === null) return value;
  const { kind } = value as { kind?: string };
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const text = withoutTimes(name);
    if (ofRun.has(name)) return [text, `<${name}>`];
    // Passwords and certificates are made by chance.
    if (kind === "Secret" && name === "data") return [text, Object.keys(inner as object).toSorted()];
    // Entries of one second have no order.
    if (name === "managedFields")
      return [text, (withoutRun(inner) as unknown[]).map((entry) => JSON.stringify(entry)).toSorted()];
    return [text, withoutRun(inner)];
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutTimes(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>")
    .replace(/\b10(\.\d+){3}\b/g, "<ip>")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>");
}
