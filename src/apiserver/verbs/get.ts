import { notFound } from "../refusals.ts";
import type { Answer } from "./answer.ts";
import { keyOf, type Call } from "./call.ts";

/** GET of one object. */
export function get(call: Call): Answer {
  const stored = call.collection.get(keyOf(call));
  if (!stored) throw notFound(call.entry.resource, call.name);
  return { type: "object", code: 200, object: call.entry.read(stored) };
}
