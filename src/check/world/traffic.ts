import { type AuditEvent, type StoredChange, responseText } from "../../apiserver/audit/audit-event.ts";
import type { ServerRequest, ServerResponse } from "../../apiserver/api-server.ts";
import { UseLog } from "../../apiserver/audit/use-log.ts";
import type { StoreListener } from "../../apiserver/storage/store.ts";
import type { ObjectMeta, UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Change, RecordedRequest } from "./run-record.ts";
import { undoneField } from "./undone-field.ts";

/** A request of the operator, as faults see it. */
export interface OperatorRequest {
  readonly request: ServerRequest;
  readonly step: string;
  readonly verb: string;
  readonly signature: string;
  /** The ordinal of a write among the writes of the step with the same signature; 0 for reads. */
  readonly occurrence: number;
}

export type Pass = (request: ServerRequest) => Promise<ServerResponse>;

/** Handles requests of the operator for a fault. */
export interface Meddler {
  /** The default passes a request on. */
  handle?(request: OperatorRequest, pass: Pass): Promise<ServerResponse> | undefined;
}

/** A fault at work: its meddler stands between the operator and the server. */
export class Interference {
  meddler: Meddler = {};
  /** True once the fault has done something. */
  hasStruck = false;
}

export interface TrafficOptions {
  /** The name of the operator's user. */
  readonly operator: string;
  /** The namespace of the operator. */
  readonly home?: string | undefined;
  /** The names of the users of other operators. */
  readonly neighbours: readonly string[];
  readonly now: () => number;
}

/** The requests of a run that are kept: an operator in an endless loop must not fill the memory. */
export const mostRequests = 10_000;

const writes = new Set(["create", "update", "patch", "delete", "deletecollection"]);

/** Kinds that come and go without meaning: heartbeats and events. */
const noise = new Set(["coordination.k8s.io/leases", "/events", "events.k8s.io/events"]);
/** The groups whose only kinds are reviews. */
const reviewGroups = new Set(["authentication.k8s.io", "authorization.k8s.io"]);

/** Stands between the operator and the server: records requests and their effects, and lets faults meddle. */
export class Traffic {
  readonly requests: RecordedRequest[] = [];
  /** The objects that have changed since the start, as they are now. */
  readonly objects: Map<string, UnstructuredObject> = new Map();
  /** The number of changes of `objects` so far. */
  changes = 0;
  /** Objects that the operator or a user has written, by identity. */
  readonly written: Set<string> = new Set();
  /** The paths that the operator watches. */
  readonly watched: Set<string> = new Set();
  /** The revision of the last change. */
  revision = "1";
  /** True if the operator has written a lease. */
  leases = false;
  /** True while an administrator installs what the operator needs, which does not belong to a run. */
  isInstalling = false;
  /** What the operator asked for. */
  readonly uses: UseLog = new UseLog();
  /** The faults of the run, in the order in which they see a request. */
  readonly interferences: Interference[] = [];
  step = "";
  /** The time of the last change by anybody. */
  lastChange = 0;
  /** The time of the last request of the operator, watches and its lease apart. */
  lastRequest = 0;
  /** The number of requests of the operator that wait for their answer, watches apart. */
  pending = 0;
  private readonly options: TrafficOptions;
  private readonly occurrences = new Map<string, number>();
  private readonly faults = new WeakMap<ServerRequest, string>();
  private readonly points = new WeakMap<ServerRequest, number>();

  constructor(options: TrafficOptions) {
    this.options = options;
  }

  /** Handles a request that comes over HTTPS. */
  async intercept(request: ServerRequest, next: Pass): Promise<ServerResponse> {
    if (request.user.username !== this.options.operator) return next(request);
    const { step } = this;
    const verb = verbOf(request);
    const signature = `${verb} ${pathOf(request)}`;
    if (isElection(request)) this.leases = true;
    let occurrence = 0;
    if (isWrite(request)) {
      const id = `${step}\n${signature}`;
      occurrence = (this.occurrences.get(id) ?? 0) + 1;
      this.occurrences.set(id, occurrence);
      this.points.set(request, occurrence);
    }
    const counts = verb !== "watch";
    if (counts) this.pending++;
    else this.watched.add(pathOf(request));
    if (counts && !request.url.includes("/leases") && !isElection(request)) this.lastRequest = this.options.now();
    try {
      return await this.meddle({ request, step, verb, signature, occurrence }, next);
    } finally {
      if (counts) this.pending--;
    }
  }

  /** Makes room for a fault. */
  interfere(): Interference {
    const interference = new Interference();
    this.interferences.push(interference);
    return interference;
  }

  /** Passes a request through the faults, from one of them on, to the server. */
  private meddle(request: OperatorRequest, next: Pass, from = 0): Promise<ServerResponse> {
    const interference = this.interferences[from];
    if (!interference) return next(request.request);
    const pass: Pass = (passed) => this.meddle({ ...request, request: passed }, next, from + 1);
    return interference.meddler.handle?.(request, pass) ?? pass(request.request);
  }

  /** Adds the requests of one step to another step. */
  moveRequests(from: string, to: string): void {
    this.requests.forEach((request, index) => {
      if (request.step === from) this.requests[index] = { ...request, step: to };
    });
  }

  /** Notes the fault that a request met. */
  mark(request: ServerRequest, fault: string): void {
    this.faults.set(request, fault);
  }

  /** Records a request that the server has answered. */
  record(event: AuditEvent): void {
    const { username } = event.user;
    const by = this.roleOf(username);
    if (by === "operator") this.uses.note(event, this.options.home ?? "default");
    if (this.isInstalling && by === "user") return;
    const changes = event.changes.map(changeOf).filter(isMeant);
    if (by !== "cluster") for (const { id } of changes) this.written.add(id);
    if (by === "operator" ? !isRecorded(event) : changes.length === 0) return;
    if (this.requests.length >= mostRequests) return;
    const message = messageOf(event);
    const fault = this.faults.get(event.request);
    const undone = undoneField(event);
    this.requests.push({
      at: this.options.now(),
      step: this.step,
      by,
      verb: event.verb,
      signature: `${event.verb} ${pathOf(event.request)}`,
      occurrence: this.points.get(event.request) ?? 0,
      status: event.response.status,
      ...(message !== undefined && { message }),
      changes,
      ...(fault !== undefined && { fault }),
      ...(undone !== undefined && { undone }),
    });
  }

  private roleOf(username: string): RecordedRequest["by"] {
    const { operator, neighbours } = this.options;
    if (username === operator) return "operator";
    if (neighbours.includes(username)) return "neighbour";
    return username === "admin" ? "user" : "cluster";
  }

  /** Keeps the state of an object. Some changes come from no request: the server accepts the names of a CRD. */
  readonly follow: StoreListener = (resource, { key, type, object, previous }) => {
    const id = `${resource} ${key}`;
    const after = type === "DELETED" ? undefined : object;
    if (!isMeant({ id, before: previous, after })) return;
    this.lastChange = this.options.now();
    this.changes++;
    if (!after) return void this.objects.delete(id);
    this.objects.set(id, after);
    // A restarted server reports all objects.
    const { resourceVersion = "0" } = after.metadata;
    if (Number(resourceVersion) > Number(this.revision)) this.revision = resourceVersion;
  };
}

/** Reads and watches, questions, events and leases are of interest if they are refused. */
function isRecorded(event: AuditEvent): boolean {
  const { verb, request, response, target } = event;
  if (response.status === 403) return true;
  if (target && (noise.has(`${target.group}/${target.resource}`) || isElection(request))) return false;
  return writes.has(verb) && !isQuestion(event);
}

/** Reports whether a request only asks something: the server stores nothing of a review, a request for a token or a dry run. */
function isQuestion({ request, target }: AuditEvent): boolean {
  return reviewGroups.has(target?.group ?? "") || target?.subresource === "token" || /[?&]dryRun=/.test(request.url);
}

function changeOf({ group, plural, key, before, after }: StoredChange): Change {
  return { id: `${group}/${plural} ${key}`, before, after };
}

function messageOf({ response }: AuditEvent): string | undefined {
  if (response.status < 400) return undefined;
  const [, text] = /"message":("(?:[^"\\]|\\.)*")/.exec(responseText(response) ?? "") ?? [];
  return text === undefined ? undefined : (JSON.parse(text) as string);
}

function isWrite(request: ServerRequest): boolean {
  const { method, url } = request;
  return method !== "GET" && method !== "HEAD" && !url.includes("/events") && !isElection(request);
}

/** The annotation by which older clients elect a leader, on a ConfigMap or on Endpoints. */
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader";

/** Reports whether a request writes the object by which a leader is elected. */
function isElection({ method, url, body }: ServerRequest): boolean {
  if (method === "GET") return false;
  return url.includes("/leases") || Buffer.from(body).includes(leaderAnnotation);
}

/** Reports whether a change is more than a heartbeat or an event. */
function isMeant({ id, before, after }: Change): boolean {
  return !noise.has(id.split(" ")[0] ?? "") && !isLeaderAnnotated((after ?? before)?.metadata ?? {});
}

/** Reports whether older clients elect a leader by this object. */
export function isLeaderAnnotated({ annotations = {} }: ObjectMeta): boolean {
  return leaderAnnotation in annotations;
}

function verbOf({ method, url }: ServerRequest): string {
  const [, query = ""] = url.split("?");
  if (method === "GET") return new URLSearchParams(query).get("watch") ? "watch" : "get";
  return { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" }[method] ?? method.toLowerCase();
}

/**
 * Reports whether a path lists the kind of an object: `apps/v1/deployments` does for `apps/deployments
 * default/memcached`.
 */
export function isPathOf(path: string, { id }: Pick<Change, "id">): boolean {
  const [group = "", plural = ""] = id.split(" ")[0]!.split("/");
  return path.startsWith(group === "" ? "v1/" : `${group}/`) && path.endsWith(`/${plural}`);
}

/** Returns the path of a request: `apps/v1/namespaces/default/deployments/memcached`. */
export function pathOf({ url }: ServerRequest): string {
  const [path = ""] = url.split("?");
  return path.replace(/^\/apis?\//, "");
}
