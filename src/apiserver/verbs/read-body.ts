import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { apiVersionOf } from "../../apimachinery/kind.ts";
import { badRequest } from "../refusals.ts";
import type { Call } from "./call.ts";

/** The object in the request's body, checked to be of the URL's kind. */
export function readObject(call: Call): UnstructuredObject {
  const { resource } = call.entry;
  const object = parseJson(call);
  const expected = apiVersionOf(resource);
  if (resource.custom && !object.kind)
    throw badRequest(`Object 'Kind' is missing in '${new TextDecoder().decode(call.request.body)}'`);
  object.kind ??= resource.kind;
  object.apiVersion ??= expected;
  if (object.apiVersion !== expected)
    throw badRequest(
      `the API version in the data (${object.apiVersion}) does not match the expected API version (${expected})`,
    );
  object.metadata ??= {};
  return object;
}

function parseJson(call: Call): UnstructuredObject {
  const text = new TextDecoder().decode(call.request.body);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as UnstructuredObject;
  } catch (error) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${call.entry.resource.kind}): ${String(error)}`,
    );
  }
  throw badRequest(`the object provided is unrecognized (must be of type ${call.entry.resource.kind}): not an object`);
}
