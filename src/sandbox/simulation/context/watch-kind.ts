import type { Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject } from "../../../apimachinery/meta.ts";
import { isGone } from "../../../apimachinery/status.ts";
import { isKindNotServed } from "../../../client/calls/api-caller.ts";
import type { Client } from "../../../client/client.ts";

export interface KindListener<T extends KubeObject> {
  /** All objects there are: at the start, and again whenever the watch lost its place. */
  listed(objects: readonly T[]): void;
  changed(type: "ADDED" | "MODIFIED" | "DELETED", object: T): void;
}

/**
 * Tells of every object of a kind until the signal aborts, or until the kind is no longer served. It keeps nothing:
 * the simulation reads the truth from the server at each step, so it can't act on a stale copy.
 */
export async function watchKind<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  listener: KindListener<T>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const list = await client.list(kind, { signal });
      listener.listed(list.items);
      await follow(client, kind, { listener, signal, resourceVersion: list.metadata.resourceVersion });
    } catch (error) {
      if (signal.aborted || isKindNotServed(error)) return;
      if (!isGone(error)) throw error;
    }
  }
}

interface Following<T extends KubeObject> {
  readonly listener: KindListener<T>;
  readonly signal: AbortSignal;
  resourceVersion: string | undefined;
}

async function follow<T extends KubeObject>(client: Client, kind: Kind<T>, at: Following<T>): Promise<void> {
  while (!at.signal.aborted) {
    const { signal, resourceVersion } = at;
    const events = client.watch(kind, { signal, allowBookmarks: true, ...(resourceVersion && { resourceVersion }) });
    for await (const event of events) {
      at.resourceVersion = event.object.metadata.resourceVersion;
      if (event.type !== "BOOKMARK") at.listener.changed(event.type, event.object);
    }
  }
}
