import type { Builtins } from "../../../apimachinery/builtin/load-builtins.ts";
import type { AdmissionPrograms } from "../../admission/admission-attributes.ts";
import type { Latest } from "../../storage/event-ring.ts";
import type { ServerRequest, User } from "../../api-server.ts";
import type { ResourceEntry, StrategyContext } from "../../registry/served-resource.ts";
import type { Collection } from "../../storage/collection.ts";
import { storageKey, type Store } from "../../storage/store.ts";
import type { AccessRules } from "../../access/authorization.ts";
import type { UserDirectory } from "../../access/authentication.ts";
import type { ServiceResolver } from "../../call-webhook.ts";
import type { FaultInjector } from "./fault-injector.ts";
import type { AuditedWebhookCall, AuditEvent, StoredChange } from "../../audit/audit-event.ts";
import type { TurnBudget } from "../../../apimachinery/turn-budget.ts";
import type { Clock } from "../../../apimachinery/clock.ts";
import type { ResourceRegistry } from "../../registry/resource-registry.ts";
import type { KubeList, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Status } from "../../../apimachinery/status.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import type { Handshake, Upgraded } from "../../streaming/upgrade.ts";
import type { PodConnections } from "../../streaming/remote-command.ts";

/** A request whose resource is known. */
export interface Call {
  readonly core: ServerCore;
  readonly request: ServerRequest;
  readonly entry: ResourceEntry;
  readonly collection: Collection;
  readonly namespace: string | undefined;
  /** Empty on requests to a collection. */
  readonly name: string;
  readonly subresource: string | undefined;
  readonly query: URLSearchParams;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
  readonly turns: TurnBudget;
  /** The changes that the request has made. */
  readonly changes: StoredChange[];
  /** The calls of admission webhooks that the request has led to; absent without an audit. */
  readonly webhookCalls: AuditedWebhookCall[] | undefined;
}

/** Returns the storage key of the object that the URL names. */
export function keyOf(call: Call): string {
  return storageKey(call.namespace, call.name);
}

/** The parts of the server that verbs use. */
export interface ServerCore extends AccessRules {
  /** The resources and types of the Kubernetes version that the server serves. */
  readonly builtins: Builtins;
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly uid: () => string;
  /** True if roles and bindings are enforced. */
  readonly enforcesRoles: boolean;
  /** True if pods get service accounts. */
  readonly hasAccounts: boolean;
  readonly users: UserDirectory;
  readonly host: ServerHost;
  /** Returns the addresses at which the webhooks of services listen. */
  readonly resolveService: ServiceResolver;
  readonly faults: FaultInjector;
  readonly programs: AdmissionPrograms;
  /** Texts of the latest event's object, which its watches share. */
  readonly eventTexts: Latest<string>;
  /** The latest object that some watches no longer select, with the version of its change. */
  readonly deselected: Latest<UnstructuredObject>;
}

/** What the program around the server does for it, and is told. */
export interface ServerHost {
  /** The source of pod logs; without it, requests for logs are refused with 501. */
  readonly podLog?: PodLogSource;
  /** Connects clients with containers; without it, exec, attach and port-forward are refused with 501. */
  readonly podConnections?: PodConnections;
  /** True if connections never break: watches have no bookmarks, and end only if the client has named a time. */
  readonly endlessWatches?: boolean;
  /** Called with each request for a part of Kubernetes that this server leaves out, for a line in a log. */
  readonly onUnsupported?: (request: UnsupportedRequest) => void;
  /** Called with each request that was answered, and the objects that it changed. */
  readonly onAudit?: (event: AuditEvent) => void;
}

/** Notes a change that a request has made. */
export function noteChange(
  { changes, entry }: Pick<Call, "changes" | "entry">,
  key: string,
  before: UnstructuredObject | undefined,
  after: UnstructuredObject | undefined,
): void {
  const { group, plural } = entry.storage;
  changes.push({ group, plural, key, before, after });
}

/** A request for a part of Kubernetes that this server leaves out. */
export interface UnsupportedRequest {
  readonly method: string;
  readonly path: string;
  /** The message of the response. */
  readonly message: string;
}

/** A request for the log of a container. */
export interface PodLogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  /** Milliseconds since 1970; earlier lines are left out. */
  readonly since: number | undefined;
  readonly limitBytes: number | undefined;
  /** Aborts when the reader disconnects. */
  readonly signal: AbortSignal;
}

/** The source of the logs of containers that have run. */
export type PodLogSource = (request: PodLogRequest) => AsyncIterable<string> | string;

/** The result of a verb, before a representation is chosen. */
export type Answer =
  | { readonly type: "object"; readonly code: number; readonly body: UnstructuredObject }
  | { readonly type: "list"; readonly code: number; readonly body: KubeList<UnstructuredObject> }
  /** A Status; that of a DELETE has no code. */
  | { readonly type: "success"; readonly code: number; readonly body: Omit<Status, "code"> & { code?: number } }
  | { readonly type: "text"; readonly code: number; readonly body: string | AsyncIterable<string> }
  | { readonly type: "watch"; readonly stream: WatchStream }
  /** The connection leaves HTTP. */
  | { readonly type: "connect"; readonly handshake: Handshake; readonly serve: (upgraded: Upgraded) => Promise<void> };

/** Opens the stream once the representation is known. */
type WatchStream = (format: EventFormat) => AsyncIterable<string>;

/** The format of a watch's events: lines, or bytes after their length. */
export interface EventFormat {
  /** `first` is true for the first event of the stream. Returns `undefined` if no event has this format: the watch ends. */
  event(type: string, object: UnstructuredObject, first: boolean): string | undefined;
  error(status: Status): string;
}

/** Returns the parts of the server that a strategy may use. */
export function strategyContext(core: ServerCore, user?: User): StrategyContext {
  return {
    ...(user && { user }),
    now: () => timestamp(core.clock.now()),
    random: core.random,
    *list(resource) {
      for (const [, object] of core.store.collection(resource).entries("")) yield object;
    },
  };
}
