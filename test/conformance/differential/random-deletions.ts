import {
  apply,
  jsonPatch,
  merge,
  strategic,
  type RequestStep,
  type Scenario,
  type Step,
} from "../apiserver/scenario.ts";
import { pick, type Random } from "./mutate.ts";
import { deletion, randomDeleteOptions } from "./random-delete-options.ts";
import type { Subject } from "./subject.ts";

/** A kind whose objects are deleted. */
export interface DeletedKind extends Subject {
  /** True if a real server stores the first write to a new object even if it changes nothing. */
  readonly settles?: true;
  /** True if an apply always has the whole spec. */
  readonly isWhole?: true;
  /** Merge patches that change the desired state. */
  readonly changes: readonly object[];
  /** What is there before its objects. */
  readonly before?: readonly Step[];
  /** Makes a request for a subresource that is not written like the object. */
  readonly acts?: (at: string, random: Random) => RequestStep;
  /** The share of these among the requests. */
  readonly share?: number;
}

/** Generates deletions of a few objects among writes to them, with the events of all that. */
export function randomDeletions(name: string, kind: DeletedKind, random: Random): Scenario {
  const steps: Step[] = [
    ...(kind.before ?? []),
    { open: "w", request: `GET ${kind.path}?watch=true${watched(kind)}` },
    ...["a", "b", "c"].slice(0, 1 + Math.floor(random() * 3)).flatMap((each) => create(kind, each, random)),
  ];
  const length = steps.length + 8 + Math.floor(random() * 8);
  while (steps.length < length) steps.push(...request(kind, random));
  steps.push({ request: `GET ${kind.path}?${watched(kind)}` });
  if (!kind.settles)
    steps.push(
      { request: `POST ${kind.path}`, body: objectOf(kind, "last"), unrecorded: true },
      { read: "w", isLast: ({ object }) => object.metadata.name.endsWith("last") },
    );
  return { name, steps, managedFields: true };
}

/** Cluster-scoped objects of other sequences are not watched. */
function watched({ path }: Subject): string {
  return path.includes("{ns}") ? "" : "&labelSelector=of%3D{ns}";
}

function nameOf({ path }: Subject, name: string): string {
  return path.includes("{ns}") ? name : `{ns}-${name}`;
}

function objectOf(kind: DeletedKind, name: string): any {
  const { metadata, ...rest } = structuredClone(kind.object);
  return { ...rest, metadata: { ...metadata, name: nameOf(kind, name), labels: { ...metadata.labels, of: "{ns}" } } };
}

function create(kind: DeletedKind, name: string, random: Random): RequestStep[] {
  const object = objectOf(kind, name);
  if (random() < 0.5) Object.assign(object.metadata, changedMeta(random));
  if (random() < 0.5) object.metadata.labels.app = "b";
  const save = { made: "metadata.resourceVersion", rv: "metadata.resourceVersion", uid: "metadata.uid" };
  const created = { request: `POST ${kind.path}${random() < 0.05 ? "?dryRun=All" : ""}`, body: object, save };
  const at = `${kind.path}/${nameOf(kind, name)}`;
  return kind.settles
    ? [
        { ...created, unrecorded: true },
        { request: `PATCH ${at}`, headers: merge, body: {}, save },
      ]
    : [created];
}

function request(kind: DeletedKind, random: Random): RequestStep[] {
  const name = pick(["a", "a", "a", "b", "c"], random);
  const at = `${kind.path}/${nameOf(kind, name)}`;
  if (kind.acts && random() < (kind.share ?? 0.07)) return [kind.acts(at, random)];
  const chance = random();
  if (chance < 0.33) return [deletion(at, randomDeleteOptions(random))];
  if (chance < 0.4) return [removeAll(kind, random)];
  if (chance < 0.52) return create(kind, name, random);
  if (chance < 0.57) return [{ request: `GET ${at}` }];
  return [{ ...change(kind, name, random), save: { rv: "metadata.resourceVersion" } }];
}

const selections = [
  "labelSelector=app%3Da",
  "labelSelector=app%3Db",
  "labelSelector=app",
  "labelSelector=app+in+(a,b)",
  "labelSelector=app+in+(",
  "fieldSelector=metadata.name%3Da",
  "fieldSelector=metadata.name!%3Da",
  "fieldSelector=metadata.uid%3Da",
];
const paging = ["limit=1", "limit=2", "limit=0", "limit=x", "continue=x", "timeoutSeconds=5"];

function removeAll(kind: DeletedKind, random: Random): RequestStep {
  const { query, body } = randomDeleteOptions(random);
  const isShared = !kind.path.includes("{ns}");
  const selected = [
    ...(isShared ? ["labelSelector=of%3D{ns}"] : random() < 0.5 ? [pick(selections, random)] : []),
    ...(random() < 0.3 ? [pick(paging, random)] : []),
  ];
  return deletion(kind.path, { query: [...selected, ...query], body });
}

function change(kind: DeletedKind, name: string, random: Random): RequestStep {
  const at = `${kind.path}/${nameOf(kind, name)}`;
  const metadata = changedMeta(random);
  const wish: any = { ...(random() < 0.4 && pick(kind.changes, random)), ...(random() < 0.8 && { metadata }) };
  const part = kind.parts && random() < 0.2 ? `/${pick(kind.parts, random)}` : "";
  const dry = random() < 0.08 ? "dryRun=All" : "";
  const question = dry && `?${dry}`;
  const chance = random();
  if (chance < 0.45) return { request: `PATCH ${at}${part}${question}`, headers: merge, body: wish };
  if (chance < 0.55) {
    // The refusal of a time would show the patch.
    const headers = metadata["deletionTimestamp"] === "x" ? merge : strategic;
    return { request: `PATCH ${at}${part}${question}`, headers, body: wish };
  }
  if (chance < 0.7) {
    const { apiVersion, kind: called, spec } = kind.object;
    const applied = { ...withoutEmpty(metadata), name: nameOf(kind, name) };
    const whole = spec && !kind.settles && (kind.isWhole || random() < 0.5) && { spec: { ...spec, ...wish.spec } };
    const body = { apiVersion, kind: called, ...wish, ...whole, metadata: applied };
    const force = random() < 0.6 ? "&force=true" : "";
    return { request: `PATCH ${at}${part}?fieldManager=${pick(["one", "two"], random)}${force}`, headers: apply, body };
  }
  if (chance < 0.82) {
    const object = objectOf(kind, name);
    if (random() < 0.6) object.metadata.resourceVersion = pick(["{rv}", "{rv}", "{rv}", "{made}"], random);
    const spec = object.spec && { ...object.spec, ...wish.spec };
    const body = { ...object, ...wish, ...(spec && { spec }), metadata: { ...object.metadata, ...metadata } };
    return { request: `PUT ${at}${part}${question}`, body };
  }
  return { request: `PATCH ${at}${part}${question}`, headers: jsonPatch, body: operations(random) };
}

/**
 * Drops empty parts, for which a real server writes the object again when a second has passed, and text that is no time,
 * for which it drops metadata of custom objects.
 */
function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !/null|\[\]|"x"/.test(JSON.stringify(value))));
}

const finalizers = [
  [],
  null,
  ["a.io/f"],
  ["a.io/f", "a.io/g"],
  ["a.io/g"],
  ["foregroundDeletion"],
  ["orphan"],
  ["a.io/f", "orphan"],
  ["a.io/f", "foregroundDeletion"],
];
const oddFinalizers = [
  ["orphan", "foregroundDeletion"],
  ["orphan", "orphan"],
  ["a.io/f", "a.io/f"],
  ["bad name/x"],
  ["nopath"],
  ["with.dots"],
  ["kubernetes"],
  [""],
  [null],
  "a.io/f",
  ["x".repeat(64)],
];

const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "22222222-2222-4222-8222-222222222222" };
const owners: readonly unknown[] = [
  [owner],
  [{ ...owner, controller: true, blockOwnerDeletion: true }],
  [owner, { ...owner, name: "p", uid: "33333333-3333-4333-8333-333333333333" }],
  [],
  null,
];
const oddOwners: readonly unknown[] = [
  [owner, owner],
  [
    { ...owner, controller: true },
    { ...owner, name: "p", controller: true },
  ],
  [{ ...owner, uid: "" }],
  [{ kind: "ConfigMap", name: "o" }],
  [{ ...owner, apiVersion: "a/b/c" }],
  [{ ...owner, apiVersion: "v1", kind: "Event" }],
  [{ ...owner, unknown: 1 }],
  [null],
];

/** Returns a few fields of the metadata, mostly valid. */
function changedMeta(random: Random): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  if (random() < 0.65) result["finalizers"] = pick(random() < 0.85 ? finalizers : oddFinalizers, random);
  if (random() < 0.15) result["ownerReferences"] = pick(random() < 0.8 ? owners : oddOwners, random);
  if (random() < 0.1) result["annotations"] = { note: pick(["1", "2", null], random) };
  if (random() < 0.08) result["deletionTimestamp"] = pick([null, null, "x"], random);
  if (random() < 0.08) result["deletionGracePeriodSeconds"] = pick([null, 0, 5, 30, -1], random);
  if (random() < 0.04) result["uid"] = pick(["{uid}", "44444444-4444-4444-8444-444444444444", null], random);
  if (random() < 0.04) result["generation"] = pick([7, null], random);
  return result;
}

function operations(random: Random): object[] {
  return pick<object[]>(
    [
      [{ op: "remove", path: "/metadata/finalizers" }],
      [{ op: "remove", path: "/metadata/finalizers/0" }],
      [{ op: "remove", path: "/metadata/finalizers/0" }],
      [{ op: "add", path: "/metadata/finalizers/-", value: "a.io/h" }],
      [{ op: "add", path: "/metadata/finalizers/0", value: "orphan" }],
      [{ op: "add", path: "/metadata/finalizers", value: ["a.io/f"] }],
      [{ op: "replace", path: "/metadata/finalizers", value: [] }],
      [
        { op: "test", path: "/metadata/finalizers", value: ["a.io/f"] },
        { op: "remove", path: "/metadata/finalizers" },
      ],
      [{ op: "remove", path: "/metadata/deletionTimestamp" }],
      [{ op: "replace", path: "/metadata/deletionGracePeriodSeconds", value: 3 }],
      [{ op: "remove", path: "/metadata/ownerReferences" }],
    ],
    random,
  );
}
