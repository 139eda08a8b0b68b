import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { ObjectRow, PastState, RevisionRow, Writer } from "../contract.ts";
import { parseApiVersion } from "../../../apimachinery/kind.ts";
import { conditionsOf, describeStatus } from "./object-status.ts";

/** A change of an object. */
export interface ObjectChange {
  readonly id: string;
  readonly at: number;
  readonly type: RevisionRow["type"];
  /** Of a deletion, the last state. */
  readonly object: UnstructuredObject;
  readonly by?: Writer;
}

/** A revision with its content as JSON, which takes less memory than an object. */
export interface Revision extends RevisionRow {
  readonly text: string;
  readonly row: ObjectRow;
  by?: Writer;
}

/** The revisions of one object. */
export interface Biography {
  readonly id: string;
  readonly revisions: Revision[];
  /** The number of older revisions that were dropped. */
  dropped: number;
}

export interface HistoryLimits {
  /** The number of superseded revisions. */
  readonly revisions: number;
  /** The characters of superseded revisions. */
  readonly size: number;
}

const defaultLimits: HistoryLimits = { revisions: 50_000, size: 128 * 1024 * 1024 };

/** Every revision of every object since the start, up to a limit of memory: the oldest superseded ones are dropped. */
export class ObjectHistory {
  private readonly limits: HistoryLimits;
  private readonly objects = new Map<string, Biography>();
  /** Superseded revisions, the oldest first from `head` on. */
  private queue: (readonly [Biography, Revision])[] = [];
  private head = 0;
  private size = 0;
  private lost = { revisions: 0, before: 0 };

  constructor(limits: HistoryLimits = defaultLimits) {
    this.limits = limits;
  }

  /** The number of dropped revisions, and the time before which the history is not complete. */
  get dropped(): { readonly revisions: number; readonly before: number } {
    return this.lost;
  }

  /** Adds a revision and returns the object's line. */
  add({ id, at, type, object, by }: ObjectChange): ObjectRow {
    let biography = this.objects.get(id);
    if (!biography) this.objects.set(id, (biography = { id, revisions: [], dropped: 0 }));
    const previous = biography.revisions.at(-1);
    const isDeleted = type === "DELETED";
    const row = { ...objectRow(id, object), ...(isDeleted && { deleted: at }) };
    const n = (previous?.n ?? biography.dropped) + 1;
    const text = JSON.stringify(object);
    const revision: Revision = { n, at, type, resourceVersion: row.resourceVersion, text, row, ...(by && { by }) };
    biography.revisions.push(revision);
    if (previous && previous.type !== "DELETED") this.supersede(biography, previous);
    if (isDeleted) this.supersede(biography, revision);
    this.drop();
    return row;
  }

  /** Notes who wrote a revision; without a version, the deletion. Returns its number. */
  attribute(id: string, resourceVersion: string | undefined, by: Writer): number | undefined {
    const revision = this.objects
      .get(id)
      ?.revisions.findLast((each) =>
        resourceVersion === undefined ? each.type === "DELETED" : each.resourceVersion === resourceVersion,
      );
    if (revision) revision.by = by;
    return revision?.n;
  }

  get(id: string): Biography | undefined {
    return this.objects.get(id);
  }

  /** The objects that exist, in their latest state. */
  *rows(): Generator<ObjectRow> {
    for (const { revisions } of this.objects.values()) {
      const last = revisions.at(-1);
      if (last && last.type !== "DELETED") yield last.row;
    }
  }

  /** Returns the objects as they were at a time. */
  at(time: number): PastState {
    const objects: ObjectRow[] = [];
    for (const { revisions } of this.objects.values()) {
      const last = revisions.findLast(({ at }) => at <= time);
      if (last && last.type !== "DELETED") objects.push(last.row);
    }
    return { at: time, complete: time >= this.lost.before, objects };
  }

  /** Yields the latest state of the objects of a resource, such as `/events`, that contain a text. */
  *current(resource: string, contained: string): Generator<UnstructuredObject> {
    for (const { id, revisions } of this.objects.values()) {
      const last = revisions.at(-1);
      if (last && last.type !== "DELETED" && id.startsWith(`${resource} `) && last.text.includes(contained))
        yield JSON.parse(last.text) as UnstructuredObject;
    }
  }

  private supersede(biography: Biography, revision: Revision): void {
    this.queue.push([biography, revision]);
    this.size += revision.text.length;
  }

  private drop(): void {
    const { limits } = this;
    while (this.queue.length - this.head > limits.revisions || this.size > limits.size) {
      const [biography, revision] = this.queue[this.head++]!;
      this.size -= revision.text.length;
      // The queue has the order of the superseding; within an object that is the order of its revisions.
      biography.revisions.shift();
      biography.dropped = revision.n;
      if (biography.revisions.length === 0) this.objects.delete(biography.id);
      const next = biography.revisions[0]?.at ?? revision.at;
      this.lost = { revisions: this.lost.revisions + 1, before: Math.max(this.lost.before, next) };
    }
    // Cut off a long front at once rather than moving the rest each time.
    if (this.head > 4096 && this.head * 2 > this.queue.length) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
  }
}

/** Returns the line of an object in the tree. */
function objectRow(id: string, object: UnstructuredObject): ObjectRow {
  const { kind = "", apiVersion = "", metadata } = object;
  const owners = metadata.ownerReferences ?? [];
  return {
    id,
    ...parseApiVersion(apiVersion),
    kind,
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    owners: owners
      .toSorted((a, b) => Number(b.controller ?? false) - Number(a.controller ?? false))
      .map(({ uid }) => uid),
    created: Date.parse(metadata.creationTimestamp ?? "") || 0,
    status: describeStatus(object),
    conditions: conditionsOf(object).map(({ type, status }) => ({ type, status })),
    labels: metadata.labels ?? {},
    system: isSystem(object),
    resourceVersion: metadata.resourceVersion ?? "",
  };
}

/** Kinds that come and go without meaning, or describe the server itself. */
const systemKinds = new Set([
  "Event",
  "Lease",
  "EndpointSlice",
  "Endpoints",
  "FlowSchema",
  "PriorityLevelConfiguration",
  "APIService",
  "PriorityClass",
  "CSINode",
  "ControllerRevision",
  "ServiceCIDR",
  "IPAddress",
  "RuntimeClass",
]);

const systemNames = /^(kube-|system:|default$|kubernetes$)/;
/** Kinds of which every cluster has some. */
const sharedKinds = new Set(["Namespace", "ServiceAccount", "ConfigMap", "Service"]);

function isSystem({ kind = "", metadata }: UnstructuredObject): boolean {
  const { namespace = "", name = "", labels = {} } = metadata;
  if (systemKinds.has(kind) || namespace.startsWith("kube-")) return true;
  if (labels["kubernetes.io/bootstrapping"] !== undefined) return true;
  return systemNames.test(name) && (sharedKinds.has(kind) || name.startsWith("system:"));
}
