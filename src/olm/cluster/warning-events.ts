import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { OlmHost } from "./olm-host.ts";

interface Event extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
}

const EventKind: Kind<Event> = defineKind({ group: "", version: "v1", kind: "Event", plural: "events" });

/**
 * Returns the warnings among the events of objects, each once. They explain what the states of the objects leave open.
 */
export async function warningEvents(
  { client, namespace }: Pick<OlmHost, "client" | "namespace">,
  isWanted: (name: string) => boolean,
): Promise<string[]> {
  const { items } = await client.list(EventKind, { namespace, fields: { type: "Warning" } });
  const texts = items
    .filter(({ involvedObject }) => isWanted(involvedObject?.name ?? ""))
    .map(({ involvedObject, reason, message }) => `event of ${involvedObject?.name}: ${reason}: ${message}`);
  return [...new Set(texts)];
}
