import { equalJson } from "../../apimachinery/equal.ts";
import type { Change } from "../world/run-record.ts";

/** Fields that the server sets at each write. */
const ofServer = new Set(["metadata.resourceVersion", "metadata.generation", "metadata.managedFields"]);
const longestValue = 60;

/**
 * Describes the fields that a write changes, as in `spec.replicas = 2 instead of 1`. Unlike in a state, times and the
 * order of a list count: operators write these again and again.
 */
export function describeChange({ before, after }: Change): string {
  if (!before || !after) return before ? "it is deleted" : "it is created";
  const [first, ...others] = changedFields(before, after, "");
  if (!first) return "only what the server sets, such as metadata.managedFields";
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return `${first.path} = ${format(first.after)} instead of ${format(first.before)}${more}`;
}

interface ChangedField {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

function changedFields(before: unknown, after: unknown, path: string): ChangedField[] {
  if (ofServer.has(path) || equalJson(before, after)) return [];
  if (!isContainer(before) || !isContainer(after)) return [{ path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changedFields(before[name], after[name], path === "" ? name : `${path}.${name}`));
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function format(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
