import { type AuditEvent, requestText, responseText } from "../../apiserver/audit/audit-event.ts";
import { isObject } from "../../apimachinery/is-object.ts";

/**
 * Explains how the server has undone an update that changed nothing: it has set a default that the sent object lacks,
 * stores a quantity in another form, or does not store a field.
 */
export function undoneField({ verb, target, request, response, changes }: AuditEvent): string | undefined {
  if (verb !== "update" || target?.subresource !== undefined || changes.length > 0) return undefined;
  if (response.status !== 200) return undefined;
  try {
    return difference(JSON.parse(requestText(request)), JSON.parse(responseText(response) ?? ""), "");
  } catch (error) {
    // A request or an answer in YAML or CBOR.
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** Fields that an update does not set. */
const unset = new Set(["status", "metadata.managedFields", "metadata.generation", "metadata.resourceVersion"]);

function difference(sent: unknown, stored: unknown, path: string): string | undefined {
  if (sent === stored || unset.has(path) || (isEmpty(sent) && isEmpty(stored))) return undefined;
  const [before, after] = [membersOf(sent), membersOf(stored)];
  if (!before || !after) return describe(sent, stored, path);
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const found = difference(before.get(name), after.get(name), path === "" ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Go programs send `false`, an empty text or null for a field that is absent. */
function isEmpty(value: unknown): boolean {
  return !value || membersOf(value)?.size === 0;
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return isObject(value) || Array.isArray(value) ? new Map(Object.entries(value)) : undefined;
}

function describe(sent: unknown, stored: unknown, path: string): string {
  if (isEmpty(sent)) return `the object that is sent has no ${path}, which the server sets to ${show(stored)}`;
  if (isEmpty(stored)) return `the server does not store ${path}`;
  return `the object that is sent has ${path} = ${show(sent)}, which the server stores as ${show(stored)}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
