import type { AdmissionPrograms } from "../../admission/admission-attributes.ts";
import type { Latest } from "../../storage/latest.ts";
import type { ServerRequest, User } from "../../api-server.ts";
import type { ResourceEntry } from "../../registry/resource-entry.ts";
import type { Collection } from "../../storage/collection.ts";
import { storageKey, type Store } from "../../storage/store.ts";
import type { Attributes, Authorizer } from "../../access/authorization.ts";
import type { UserDirectory } from "../../access/authentication.ts";
import type { ServiceResolver } from "../../call-webhook.ts";
import type { FaultInjector } from "./fault-injector.ts";
import type { Clock } from "../../../apimachinery/clock.ts";
import type { ResourceRegistry } from "../../registry/resource-registry.ts";
import type { KubeList, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Status } from "../../../apimachinery/status.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { StrategyContext } from "../../registry/strategy.ts";

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
  /** `/api/v1/watch/…`: nothing but a watch, even of one object. */
  readonly watchPath: boolean;
  readonly query: URLSearchParams;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
}

/** The storage key of the object that the URL names. */
export function keyOf(call: Call): string {
  return storageKey(call.namespace, call.name);
}

/** What the verbs work on. */
export interface ServerCore {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly uid: () => string;
  readonly authorize: Authorizer;
  /** Roles decide what users may do. */
  readonly enforcesRoles: boolean;
  /** Says more in a 403 than a real server would, such as what to do about it. */
  readonly forbiddenHint?: (attributes: Attributes) => string | undefined;
  readonly users: UserDirectory;
  readonly podLog?: PodLogSource;
  /** Where the webhooks of services listen. */
  readonly resolveService?: ServiceResolver;
  readonly faults: FaultInjector;
  readonly programs: AdmissionPrograms;
  /** Texts of the latest event's object, which its watches share. */
  readonly eventTexts: Latest<string>;
  /** The latest object that some watches no longer select, with the version of its change. */
  readonly deselected: Latest<UnstructuredObject>;
  readonly onUnsupported?: (request: UnsupportedRequest) => void;
}

/** A request for what this server leaves out, which a real one would have done. */
export interface UnsupportedRequest {
  readonly method: string;
  readonly path: string;
  /** What the client was answered. */
  readonly message: string;
}

/** What a log reader asks for. */
export interface PodLogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  /** Milliseconds since 1970: earlier lines are left out. */
  readonly since: number | undefined;
  readonly limitBytes: number | undefined;
  /** Aborts when the reader has gone. */
  readonly signal: AbortSignal;
}

/** Where the logs of containers that have run come from. */
export type PodLogSource = (request: PodLogRequest) => AsyncIterable<string> | string;

/** What a verb answers, before a representation is chosen. */
export type Answer =
  | { readonly type: "object"; readonly code: number; readonly body: UnstructuredObject }
  | { readonly type: "list"; readonly code: number; readonly body: KubeList<UnstructuredObject> }
  /** A Status, as a DELETE answers it without a code. */
  | { readonly type: "success"; readonly code: number; readonly body: Omit<Status, "code"> & { code?: number } }
  | { readonly type: "text"; readonly code: number; readonly body: string | AsyncIterable<string> }
  | { readonly type: "watch"; readonly stream: WatchStream };

/** Opens the stream once the representation is known. */
export type WatchStream = (format: EventFormat) => AsyncIterable<string>;

/** How a watch shows its events: as lines, or as bytes with their length. */
export interface EventFormat {
  /** `first` is true for the first event of the stream. */
  event(type: string, object: UnstructuredObject, first: boolean): string;
  error(status: Status): string;
}

/** What a strategy may see of the server. */
export function strategyContext(core: ServerCore, user?: User): StrategyContext {
  return {
    ...(user && { user }),
    now: () => formatTime(new Date(core.clock.now())),
    random: core.random,
    *list(resource) {
      for (const [, object] of core.store.collection(resource).entries("")) yield object;
    },
  };
}
