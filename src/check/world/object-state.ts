import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { groupBy } from "../../apimachinery/group-by.ts";
import { formatQuantity, parseQuantity, QuantityError } from "../../apimachinery/quantity.ts";

/** Messages about a program in a pod. A connection that fails before anything is said is one: the API server answers. */
export const isUnreached: RegExp =
  /no such host|dial (tcp|udp)|connect: connection refused|ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|UnknownHostException|Name or service not known|no containers run here/;

/** Objects in a form that is equal in two runs with the same outcome, by `apps/deployments default/memcached`. */
export type ObjectState = ReadonlyMap<string, NormalObject>;

/** The leaves of an object: values by path, such as `spec.replicas` and `metadata.ownerReferences.0.name`. */
export type NormalObject = ReadonlyMap<string, string>;

/** A value that differs between two states; an object that only one of them has differs as a whole. */
export interface Difference {
  readonly id: string;
  /** Empty if the whole object differs. */
  readonly path: string;
  readonly expected: string | undefined;
  readonly actual: string | undefined;
}

/** Fields whose values differ in each run. */
const volatileMeta = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "generation",
  "selfLink",
  "generateName",
]);
/**
 * A condition that is not recomputed keeps its generation. Some operators record the version or the generation of the
 * custom resource in its objects, and versions of any objects in its status.
 */
const volatilePaths =
  /^status\.conditions\.[^.]+\.observedGeneration$|^metadata\.annotations\.(deployment\.kubernetes\.io\/revision|kubectl\.kubernetes\.io\/restartedAt)$|^status\.(current|update)Revision$|(^|\.)metadata\.(labels|annotations)\..*([-./]rv|[Rr]esource-?[Vv]ersion|[Gg]eneration)$|^status\..*[rR]esourceVersion$|(^|\.)(collisionCount)$/;
/** What kopf and the Java Operator SDK note for themselves: the last state of the object, attempts, versions. */
const bookkeeping = /^metadata\.annotations\.(kopf\.zalando\.org\/|javaoperatorsdk\.io\/previous$)|^status\.kopf(\.|$)/;
const time =
  /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?|([A-Z][a-z]+, )?\d{1,2}[- ][A-Z][a-z]{2}[- ]\d{2,4} \d{2}:\d{2}:\d{2} [A-Z]{3}/g;
/** The hash in the name of a ReplicaSet counts the collisions: one that is not collected yet makes another name. */
const replicaSet = /(ReplicaSet "[^"]+)-[a-z0-9]+"/g;
/** The addresses of the sandbox's pods and load balancers follow the order in which these start; Services draw theirs. */
const address = /\b(10\.(244|96)\.\d+|172\.18\.255)\.\d+\b/g;
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * Normalizes objects. The content distinguishes objects with generated names. `all` are those whose generated names they
 * may contain.
 */
export function normalizeState(
  objects: ReadonlyMap<string, UnstructuredObject>,
  all: ReadonlyMap<string, UnstructuredObject> = objects,
): ObjectState {
  const named: [string, NormalObject][] = [];
  const generated = new Map<string, NormalObject[]>();
  const names = generatedNames(all.values());
  for (const [id, object] of objects) {
    const normal = normalizeObject(object, names);
    const generateName = prefixOf(object);
    if (generateName === undefined) named.push([id, normal]);
    else {
      const group = id.slice(0, id.lastIndexOf(object.metadata.name ?? "")) + generateName;
      generated.set(group, [...(generated.get(group) ?? []), normal]);
    }
  }
  for (const [group, members] of generated)
    named.push(...numbered(group, members, (each) => JSON.stringify([...each])));
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Numbers things that have the same name, in the order of their content, which is the same in each run. */
function numbered<T>(name: string, things: readonly T[], contentOf: (thing: T) => string): [string, T][] {
  return things
    .map((thing) => [contentOf(thing), thing] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, thing], index) => [`${name}<${index}>`, thing]);
}

/** Returns the generated names, which other objects may refer to, with the text that replaces them. */
function generatedNames(objects: Iterable<UnstructuredObject>): Map<string, string> {
  const names = new Map<string, string>();
  for (const object of objects) {
    const prefix = prefixOf(object);
    if (prefix !== undefined) names.set(object.metadata.name ?? "", `${prefix}<>`);
  }
  return names;
}

/** The letters and digits with which Kubernetes' name generator ends a name, also in programs that call it themselves. */
const randomEnd = /-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
const uidEnd = new RegExp(`${uid.source}$`);

/**
 * Returns the prefix of a generated name. An object may have both a `generateName` and a name of its own. The operator
 * may also add a random suffix to the owner's name, and use the name for parts of the object, or name an object by the
 * uid of another one.
 */
export function prefixOf({ metadata }: Pick<UnstructuredObject, "metadata">): string | undefined {
  const { generateName, name = "", ownerReferences = [] } = metadata;
  if (generateName && name !== generateName && name.startsWith(generateName)) return generateName;
  if (uidEnd.test(name)) return name.replace(uidEnd, "");
  if (!randomEnd.test(name)) return undefined;
  const prefix = name.slice(0, -5);
  return ownerReferences.some((owner) => `${owner.name}-` === prefix || owner.name === name) ? prefix : undefined;
}

/**
 * Returns the leaves of an object. A HorizontalPodAutoscaler looks at its target every 15 seconds: its status depends on
 * when the last look was.
 */
function normalizeObject(object: UnstructuredObject, names: ReadonlyMap<string, string>): NormalObject {
  const leaves = new Map<string, string>();
  const { generation } = object.metadata;
  const visit = (value: unknown, path: string): void => {
    if (volatilePaths.test(path) || bookkeeping.test(path)) return;
    if (path === "status" && object.kind === "HorizontalPodAutoscaler") return;
    if (path.startsWith("metadata.") && volatileMeta.has(path.slice("metadata.".length))) return;
    // Argo writes it as text.
    if (path.endsWith("bservedGeneration") && /^\d+$/.test(String(value)) && generation !== undefined)
      return void leaves.set(path, Number(value) >= generation ? "current" : "outdated");
    // The condition of the last run, or of the last release, may have a reason to be older.
    if (/^status\..*[gG]eneration$/.test(path) && value === generation) return void leaves.set(path, "current");
    if (Array.isArray(value)) {
      if (value.length === 0) leaves.set(path, "[]");
      const items = path === "status.conditions" ? value.filter((item) => !isOver(item)) : value;
      keyed(items, names).forEach(([key, item]) => visit(item, `${path}.${key}`));
    } else if (typeof value === "object" && value !== null) {
      const members = membersOf(value, names);
      if (members.length === 0 && path !== "") leaves.set(path, "{}");
      for (const [name, member] of members) visit(member, path === "" ? name : `${path}.${name}`);
    } else if (quantityPath.test(path)) leaves.set(path, normalizeQuantity(String(value)));
    else leaves.set(path, typeof value === "string" ? normalizeText(value, names) : JSON.stringify(value));
  };
  visit(object, "");
  return leaves;
}

/** Conditions of something out of the ordinary: one that has ended is as good as one that never was. */
const exceptions = new Set(["Suspended", "Paused", "Degraded", "Stalled", "Failed"]);

function isOver(condition: unknown): boolean {
  return isObject(condition) && exceptions.has(String(condition["type"])) && condition["status"] === "False";
}

/** Names items by their type or name, or taints, if that is the same in each run: they have no certain order. */
function keyed(items: readonly unknown[], names: ReadonlyMap<string, string>): (readonly [string, unknown])[] {
  const keys = items.map((item) => {
    const { type, name, key, effect } = (typeof item === "object" && item !== null ? item : {}) as Record<
      string,
      unknown
    >;
    const taint = typeof key === "string" && typeof effect === "string" ? `${key}:${effect}` : undefined;
    return [type, name, taint].find((each) => typeof each === "string" && !names.has(each));
  });
  const isUnique = new Set(keys).size === keys.length && keys.every((key) => key !== undefined);
  return items.map((item, index) => [isUnique ? (keys[index] as string) : String(index), item] as const);
}

/** Amounts of resources, which have several forms: Go programs write back another one than a user. */
const quantityPath = /\.(limits|requests|capacity)\.[^.]+$/;

function normalizeQuantity(text: string): string {
  try {
    return formatQuantity(parseQuantity(text));
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return text;
  }
}

/** Returns the members of an object by their keys without uids and generated names. */
function membersOf(object: object, names: ReadonlyMap<string, string>): (readonly [string, unknown])[] {
  const members = Object.entries(object).map(([key, value]) => [normalizeKey(key, names), value] as const);
  if (new Set(members.map(([key]) => key)).size === members.length) return members;
  const contentOf = (value: unknown): string => normalizeText(JSON.stringify(value), names);
  return [...groupBy(members, ([key]) => key)].flatMap(([key, same]) => {
    const values = same.map(([, value]) => value);
    return same.length === 1 ? same : numbered(key, values, contentOf);
  });
}

/** Only a key with a hyphen can contain a uid or a generated name. */
function normalizeKey(key: string, names: ReadonlyMap<string, string>): string {
  return key.includes("-") ? normalizeText(key, names) : key;
}

function normalizeText(text: string, names: ReadonlyMap<string, string>): string {
  let normal = text
    .replace(time, "<time>")
    .replace(uid, "<uid>")
    .replace(address, "<address>")
    .replace(replicaSet, '$1-<hash>"');
  for (const [name, replaced] of names) normal = normal.replaceAll(name, replaced);
  return normal;
}

/** Returns the differences of two states, apart from the masked paths of each object. */
export function diffStates(expected: ObjectState, actual: ObjectState, mask: Mask = maskOf([])): Difference[] {
  const ids = new Set([...expected.keys(), ...actual.keys()]);
  return [...ids].flatMap((id) => {
    const [before, after] = [expected.get(id), actual.get(id)];
    if (isMasked(mask, id, "")) return [];
    if (!before || !after) return [{ id, path: "", expected: before && "exists", actual: after && "exists" }];
    const paths = new Set([...before.keys(), ...after.keys()]);
    const unsimulated = [...unsimulatedParts(before), ...unsimulatedParts(after)];
    return (
      [...paths]
        .filter((path) => before.get(path) !== after.get(path) && !isMasked(mask, id, path))
        .filter((path) => !unsimulated.some((part) => path.startsWith(part)))
        .map((path) => ({ id, path, expected: before.get(path), actual: after.get(path) }))
        .filter(({ expected, actual }) => !(meansNothing.has(expected) && meansNothing.has(actual)))
        // An observed generation that is the last one is never wrong.
        .filter(({ expected, actual }) => !(expected === undefined && actual === "current"))
    );
  });
}

/**
 * The time of an event in one of two runs, such as a repair, says nothing about its outcome. An empty object equals an
 * absent one, and so do null, `false` and an empty text, which Go programs leave out when they write an object back.
 */
const meansNothing: ReadonlySet<string | undefined> = new Set([undefined, "<time>", "{}", "[]", "null", "false", ""]);

/**
 * Returns the paths of conditions and the like about work that the sandbox does not do, such as a connection to a pod.
 */
function unsimulatedParts(object: NormalObject): string[] {
  return [...object]
    .filter(([, value]) => isUnreached.test(value))
    .map(([path]) => (/^status\.\w+$/.test(path) ? path : path.slice(0, path.lastIndexOf(".") + 1)));
}

/** The parts of states that differ between runs without a fault, as data that can be sent to a worker. */
export interface Mask {
  /** What it was made of. */
  readonly differences: readonly MaskedPart[];
  /** IDs of objects with paths. */
  readonly parts: ReadonlySet<string>;
  /** The names without their ends of objects whose names end at random. */
  readonly randomStems: ReadonlySet<string>;
}

/** A field of an object, or, without a path, the object. */
type MaskedPart = Pick<Difference, "id" | "path">;

/** Returns the mask of the differences between states that should be equal. */
export function maskOf(differences: readonly MaskedPart[]): Mask {
  // Objects of one run each whose names differ only in their end: that is made by chance, and each run has others.
  const stems = [...new Set(differences.filter(({ path }) => path === "").map(({ id }) => id))].map(stemOf);
  return {
    differences,
    parts: new Set(differences.map(({ id, path }) => `${id} ${path}`)),
    randomStems: new Set(stems.filter((stem, index) => stems.indexOf(stem) !== index)),
  };
}

function isMasked({ parts, randomStems }: Mask, id: string, path: string): boolean {
  return parts.has(`${id} ${path}`) || (randomStems.size > 0 && randomStems.has(stemOf(id)));
}

/** Returns one ID for all objects whose random names have the same form; other objects keep their own. */
export function groupOf({ randomStems }: Mask, id: string): string {
  const stem = stemOf(id);
  return randomStems.has(stem) ? `${stem}*` : id;
}

/** Returns an object's name without its end, which may be made by chance. */
function stemOf(id: string): string {
  return id.replace(/[-.]([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z0-9]+)$/, "-");
}
