import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { notImplemented } from "../refusals.ts";
import type { Call } from "./call.ts";

/** The predicate of `labelSelector`, `fieldSelector` and a name in the URL. */
export function selection(call: Call): (object: UnstructuredObject) => boolean {
  if (call.query.get("labelSelector")) throw notImplemented("label selectors are not served yet");
  const fields = (call.query.get("fieldSelector") ?? "").split(",").filter(Boolean);
  const wanted = fields.map((term) => {
    const match = /^metadata\.(name|namespace)==?([^=]*)$/.exec(term);
    if (!match) throw notImplemented(`field selector ${term} is not served yet`);
    return [match[1] as "name" | "namespace", match[2] ?? ""] as const;
  });
  return (object) =>
    wanted.every(([field, value]) => object.metadata[field] === value) &&
    (call.name === "" || object.metadata.name === call.name);
}

/** True when the request asks for a part of the collection only. */
export function selects(call: Call): boolean {
  return Boolean(call.query.get("labelSelector")) || Boolean(call.query.get("fieldSelector")) || call.name !== "";
}
