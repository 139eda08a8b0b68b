import { diffStates, type Difference, type Mask, type NormalObject, type ObjectState } from "./object-state.ts";

/**
 * Returns the differences that are left after a user or the operator has taken a change back. Jobs and pods that have
 * ended stand for finished work; their history has a limit, as have revisions. The claims of additional replicas stay,
 * as a StatefulSet keeps them by default.
 */
export function diffAfterReturn(before: ObjectState, after: ObjectState, mask: Mask): Difference[] {
  const [old, now] = risenCounters(before, after).reduce(withLastRevision, [withoutEnded(before), withoutEnded(after)]);
  return diffStates(old, now, mask).filter(
    ({ id, path, expected }) => !(path === "" && expected === undefined && id.startsWith("/persistentvolumeclaims ")),
  );
}

function withoutEnded(state: ObjectState): ObjectState {
  return new Map([...state].filter(([, object]) => !hasEnded(object)));
}

function hasEnded(object: NormalObject): boolean {
  const isTrue = (type: string): boolean => object.get(`status.conditions.${type}.status`) === "True";
  if (object.get("kind") === "Job") return isTrue("Complete") || isTrue("Failed");
  return object.get("kind") === "Pod" && /^(Succeeded|Failed)$/.test(object.get("status.phase") ?? "");
}

/** A number in the status of an object that has risen, and the objects of a kind that are numbered by it: `PREFIX1`. */
interface Counter {
  readonly owner: string;
  readonly path: string;
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
}

function risenCounters(before: ObjectState, after: ObjectState): Counter[] {
  return [...after].flatMap(([owner, object]) =>
    [...object].flatMap(([path, value]) => {
      const [from, to] = [Number(before.get(owner)?.get(path)), Number(value)];
      if (!path.startsWith("status.") || !(to > from)) return [];
      const name = owner.slice(owner.indexOf(" "));
      return [...before.keys()]
        .filter((id) => id.endsWith(`${name}-${from}`))
        .map((id) => ({ owner, path, prefix: id.slice(0, -String(from).length), from, to }))
        .filter(({ prefix }) => after.has(`${prefix}${to}`));
    }),
  );
}

/** Leaves the last revision of each state, both with the number of the earlier one: the others are history. */
function withLastRevision(
  [before, after]: readonly [ObjectState, ObjectState],
  { owner, path, prefix, from, to }: Counter,
): [ObjectState, ObjectState] {
  const isRevision = (id: string): boolean => id.startsWith(prefix) && /^\d+$/.test(id.slice(prefix.length));
  const without = (state: ObjectState): [string, NormalObject][] => [...state].filter(([id]) => !isRevision(id));
  const old = before.get(`${prefix}${from}`) ?? new Map<string, string>();
  const last = [...(after.get(`${prefix}${to}`) ?? [])].map(([name, value]): [string, string] => {
    const counts = name === "metadata.name" || (value === String(to) && old.get(name) === String(from));
    return [name, counts ? (old.get(name) ?? value) : value];
  });
  const counting = new Map([...(after.get(owner) ?? []), [path, String(from)]]);
  return [
    new Map([...without(before), [`${prefix}${from}`, old]]),
    new Map([...without(after), [`${prefix}${from}`, new Map(last)], [owner, counting]]),
  ];
}
