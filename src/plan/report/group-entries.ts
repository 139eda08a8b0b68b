import { groupBy } from "../../apimachinery/group-by.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { effects, type Effect, type Entry } from "./entry.ts";
import { showDifference, valuesOf } from "./show-difference.ts";

/** Objects of a kind that change alike. */
export interface Group {
  readonly effect: Effect;
  readonly kind: string;
  readonly resource: string;
  readonly by: Entry["by"];
  readonly names: readonly string[];
  /** The number of objects of the kind on the cluster. */
  readonly of: number;
  /** The pods that are restarted. */
  readonly pods: number;
  /** What the objects own, which is deleted with them. */
  readonly owned: readonly string[];
  readonly changes: ReturnType<typeof valuesOf>;
  /** The change of each object, as a unified difference. */
  readonly differences: () => Iterable<string>;
}

/** Groups objects that change alike, apart from their own names; the worst groups come first, and then the largest. */
export function groupEntries(entries: readonly Entry[], objects: ReadonlyMap<string, UnstructuredObject>): Group[] {
  const sizes = new Map<string, number>();
  const created = new Set(entries.filter(({ effect }) => effect === "creates").map(({ id }) => id));
  for (const id of objects.keys()) {
    const resource = id.slice(0, id.indexOf(" "));
    if (!created.has(id)) sizes.set(resource, (sizes.get(resource) ?? 0) + 1);
  }
  for (const { resource, after } of entries) if (!after) sizes.set(resource, (sizes.get(resource) ?? 0) + 1);
  const owned = ownedBy(objects);
  const gone = new Set(entries.filter(isDeletion).map(({ id }) => id));
  return [...groupBy(entries, signatureOf).values()]
    .map((members): Group => {
      const [first] = members as [Entry];
      const { effect, kind, resource, by } = first;
      return {
        effect,
        kind,
        resource,
        by,
        names: members.map(({ name }) => name).sort(),
        of: sizes.get(resource) ?? 0,
        pods: members.reduce((sum, { pods }) => sum + pods, 0),
        owned: members.filter(isDeletion).flatMap((member) => owned(member).filter((id) => !gone.has(id))),
        changes: valuesOf(first),
        *differences() {
          for (const member of members) yield showDifference(member);
        },
      };
    })
    .toSorted((a, b) => effects.indexOf(a.effect) - effects.indexOf(b.effect) || b.names.length - a.names.length);
}

function isDeletion({ effect }: Entry): boolean {
  return effect === "deletes data" || effect === "deletes" || effect === "replaces";
}

/** Returns a text that is equal for objects that change alike: their own names and those of their owners do not count. */
function signatureOf(entry: Entry): string {
  const { effect, resource, by, differences, before, after } = entry;
  const { namespace, name, ownerReferences = [] } = (after ?? before)!.metadata;
  const names = [name, ...ownerReferences.map((owner) => owner.name), namespace].filter((each) => each !== undefined);
  // What an operator reports is of interest by its fields.
  const values = ({ path, ...change }: Entry["differences"][number]): unknown[] =>
    path.startsWith("status.") ? [path] : [path, change.expected, change.actual];
  let text = JSON.stringify(differences.map(values));
  names.forEach((each, index) => {
    const word = each.replace(/[^a-zA-Z0-9]/g, String.raw`\$&`);
    text = text.replace(new RegExp(`(?<![a-zA-Z0-9])${word}(?![a-zA-Z0-9])`, "g"), `<${index}>`);
  });
  return `${effect}\n${resource}\n${by}\n${text}`;
}

/** Returns a function that finds what an object owns, which a garbage collector deletes with it. */
function ownedBy(objects: ReadonlyMap<string, UnstructuredObject>): (entry: Entry) => string[] {
  const dependents = new Map<string, [id: string, object: UnstructuredObject][]>();
  for (const [id, object] of objects) {
    for (const { uid } of object.metadata.ownerReferences ?? [])
      dependents.set(uid, [...(dependents.get(uid) ?? []), [id, object]]);
  }
  const below = (uid: string | undefined, seen: Set<string>): string[] =>
    (dependents.get(uid ?? "") ?? []).flatMap(([id, object]) => {
      if (seen.has(id)) return [];
      seen.add(id);
      return [id, ...below(object.metadata.uid, seen)];
    });
  return ({ before, after }) =>
    after?.metadata.finalizers?.includes("orphan") ? [] : below(before?.metadata.uid, new Set());
}
