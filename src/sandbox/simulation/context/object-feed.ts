import type { Kind } from "../../../apimachinery/kind.ts";
import type { DeepReadonly, KubeObject, Named, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { StoredEvent } from "../../../apiserver/storage/event-ring.ts";
import type { Store } from "../../../apiserver/storage/store.ts";
import type { EventHandler } from "../../../runtime/controller/handlers.ts";
import { funcSource, type Source } from "../../../runtime/controller/sources.ts";

/** The objects of a cluster, whose changes controllers receive without requests. */
export interface ObjectFeed {
  /** Creates a source of the events of a kind. */
  source<T extends KubeObject>(kind: Kind<T>, handler: EventHandler<T>): Source;
  /** Returns the objects of a kind, in one namespace or in all. */
  list<T extends KubeObject>(kind: Kind<T>, namespace?: string): readonly DeepReadonly<T>[];
}

type Stored = Named<UnstructuredObject>;
type Changed = Pick<StoredEvent, "type" | "object" | "previous">;

/** Returns the objects of a store. An event happens in the turn in which the store makes the change. */
export function feedOf(store: Pick<Store, "collection">): ObjectFeed {
  const list = (kind: Kind<never>, namespace?: string): UnstructuredObject[] =>
    Array.from(store.collection(kind).entries(namespace ? `${namespace}/` : ""), ([, object]) => object);
  const source = (kind: Kind<never>, handler: EventHandler<UnstructuredObject>): Source =>
    funcSource((enqueue, { signal, log }) => {
      const handle = async (event: Changed, isInInitialList: boolean): Promise<void> => {
        const [object, objectOld] = [event.object as Stored, event.previous as Stored | undefined];
        if (event.type === "DELETED") await handler.delete?.({ object, deleteStateUnknown: false }, enqueue);
        else if (objectOld) await handler.update?.({ objectOld, objectNew: object }, enqueue);
        else await handler.create?.({ object, isInInitialList }, enqueue);
      };
      const receive = (event: Changed, isInInitialList = false): void =>
        void handle(event, isInInitialList).catch((error: unknown) => log.error(error, "An event handler failed"));
      for (const object of list(kind)) receive({ type: "ADDED", object, previous: undefined }, true);
      const stop = store.collection(kind).listen(
        (event) => receive(event),
        () => {},
      );
      signal.addEventListener("abort", stop, { once: true });
    }, `changes of ${kind.plural}`);
  return { source, list } as ObjectFeed;
}
