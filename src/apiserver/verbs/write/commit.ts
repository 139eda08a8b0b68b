import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { bareError } from "../../refusals.ts";
import { objectText } from "../../storage/object-text.ts";
import type { Call } from "../call/call.ts";

/**
 * Stores an object of the call's version and answers it as it can be read then. `undefined` when something else than
 * `previous` is there by now. Without a webhook that converts, all of it happens in the caller's turn of the event loop.
 */
export async function commit(
  { core, entry, collection, request }: Call,
  key: string,
  { previous, object }: { previous: UnstructuredObject | undefined; object: UnstructuredObject },
): Promise<UnstructuredObject | undefined> {
  if (request.body.length + (previous ? objectText(previous).length : 0) > largest / 2) checkSize(object);
  const written = entry.write(object);
  const stored = core.store.commit(collection, key, {
    previous,
    object: written instanceof Promise ? await written : written,
  });
  if (!stored) return undefined;
  await entry.load?.([stored]);
  return entry.read(stored);
}

const MiB = 1024 * 1024;
/** What etcd takes in one request, and what a real server can send to it at all. */
const largest = 1.5 * MiB;
const largestMessage = 2 * MiB;

function checkSize(object: UnstructuredObject): void {
  const size = Buffer.byteLength(JSON.stringify(object));
  if (size <= largest) return;
  if (size <= largestMessage) throw bareError("etcdserver: request is too large");
  const sizes = `(${size} vs. ${largestMessage})`;
  throw bareError(`rpc error: code = ResourceExhausted desc = trying to send message larger than max ${sizes}`);
}
