import type { StatusDetails } from "../../apimachinery/status.ts";
import { badRequest } from "../refusals.ts";
import type { Answer } from "./answer.ts";
import { keyOf, type Call } from "./call.ts";
import { deleteObject } from "./delete-object.ts";
import { readDeleteOptions } from "./delete-options.ts";

/** DELETE of one object. */
export function deleteOne(call: Call): Answer {
  const options = readDeleteOptions(call, readOptionsBody(call));
  const { object, gone } = deleteObject(call, keyOf(call), options);
  if (!gone || call.entry.strategy.returnsDeleted) return { type: "object", code: 200, body: object };
  const { group, plural } = call.entry.resource;
  const details: StatusDetails = { name: call.name };
  if (group) details.group = group;
  details.kind = plural;
  if (object.metadata.uid) details.uid = object.metadata.uid;
  return {
    type: "success",
    code: 200,
    body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details },
  };
}

export function readOptionsBody(call: Call): Record<string, unknown> | undefined {
  if (call.request.body.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(call.request.body)) as Record<string, unknown>;
  } catch (error) {
    throw badRequest(String(error));
  }
}
