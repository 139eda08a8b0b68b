import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Call } from "./call.ts";

/**
 * Stores an object of the call's version and answers it as it can be read then. `undefined` when something else than
 * `previous` is there by now. Without a webhook that converts, all of it happens in the caller's turn of the event loop.
 */
export async function commit(
  { core, entry, collection }: Pick<Call, "core" | "entry" | "collection">,
  key: string,
  { previous, object }: { previous: UnstructuredObject | undefined; object: UnstructuredObject },
): Promise<UnstructuredObject | undefined> {
  const written = entry.write(object);
  const stored = core.store.commit(collection, key, {
    previous,
    object: written instanceof Promise ? await written : written,
  });
  if (!stored) return undefined;
  await entry.load?.([stored]);
  return entry.read(stored);
}
