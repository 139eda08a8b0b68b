import { notFound } from "../refusals.ts";
import type { Answer } from "./answer.ts";
import { keyOf, type Call } from "./call.ts";
import { partOf } from "./part.ts";

/** GET of one object, or of a subresource of it. */
export async function get(call: Call): Promise<Answer> {
  const stored = call.collection.get(keyOf(call));
  if (!stored) throw notFound(call.entry.resource, call.name);
  await call.entry.load?.([stored]);
  return { type: "object", code: 200, body: partOf(call).show(call.entry.read(stored)) };
}
