import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { sortMembers } from "../../apimachinery/sort-members.ts";
import { compareObjects } from "./compare-objects.ts";
import type { FieldConflict } from "./conflict-status.ts";
import { FieldSet } from "./field-set.ts";
import { objectFields } from "./object-fields.ts";
import type { Typed } from "./typed-node.ts";

const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The conflicts that remain when kubectl takes over what it used to apply itself: a field that kubectl's annotation says
 * it applied, and that still has that value, is kubectl's whoever the entries name. Only the manager `kubectl` may.
 */
export function conflictsBeyondLastApplied(
  conflicts: readonly FieldConflict[],
  { manager, live, typed }: { manager: string; live: UnstructuredObject; typed: Typed },
): readonly FieldConflict[] {
  if (manager !== "kubectl" || conflicts.length === 0) return conflicts;
  const lastApplied = parseLastApplied(live);
  if (!lastApplied) return conflicts;
  const { added, modified, removed } = compareObjects(live, lastApplied, typed);
  const own = objectFields(lastApplied, typed).difference(added).difference(modified).difference(removed);
  return conflicts.filter(({ path }) => !own.intersects(setOf(path)));
}

/** Keeps the annotation in step, so that a client-side apply after this one knows what was applied. */
export function withLastApplied(object: UnstructuredObject, applied: UnstructuredObject): UnstructuredObject {
  if (object.metadata.annotations?.[annotation] === undefined) return object;
  const { [annotation]: _, ...annotations } = applied.metadata.annotations ?? {};
  const metadata = { ...applied.metadata, ...(applied.metadata.annotations ? { annotations } : {}) };
  const value = `${JSON.stringify(sortMembers({ ...applied, metadata }))}\n`;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [annotation]: value } },
  };
}

function parseLastApplied(live: UnstructuredObject): unknown {
  const text = live.metadata.annotations?.[annotation];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Somebody else's text under kubectl's name says nothing about who applied what.
    return undefined;
  }
}

function setOf(path: readonly string[]): FieldSet {
  const set = new FieldSet();
  set.insert(path);
  return set;
}
