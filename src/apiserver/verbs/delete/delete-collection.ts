import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import { deleteObject } from "./delete-object.ts";
import { readDeleteOptions } from "../options/delete-options.ts";
import { admitDeletion, readOptionsBody, withDefault } from "./delete.ts";
import { selection } from "../read/selection.ts";
import { apiVersionOf } from "../../../apimachinery/kind.ts";
import type { ListMeta } from "../../../apimachinery/meta.ts";
import { isNotFound } from "../../../apimachinery/status.ts";

/** DELETE of a collection: each selected object as by a DELETE of its own. Answers the objects as they were. */
export async function deleteCollection(call: Call): Promise<Answer> {
  const options = withDefault(call, readDeleteOptions(call, readOptionsBody(call)));
  const matches = selection(call);
  const prefix = call.namespace ? `${call.namespace}/` : "";
  const { resource } = call.entry;
  const metadata: ListMeta = { resourceVersion: String(call.core.store.revision) };
  if (resource.custom) metadata.continue = "";
  const present = [...call.collection.entries(prefix)];
  await call.entry.load?.(present.map(([, object]) => object));
  const found = present.filter(([, object]) => matches(call.entry.read(object)));
  for (const [key] of found) {
    try {
      await admitDeletion(call, key, options);
      deleteObject(call, key, options);
    } catch (error) {
      if (!isNotFound(error)) throw error; // gone by another's hand is what was wanted
    }
  }
  const items = found.map(([, object]) => call.entry.read(object));
  return {
    type: "list",
    code: 200,
    body: { kind: resource.listKind, apiVersion: apiVersionOf(resource), metadata, items },
  };
}
