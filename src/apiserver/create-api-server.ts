import { loadBuiltins } from "../apimachinery/builtin/load-builtins.ts";
import { Documents } from "./endpoints/documents.ts";
import { Latest } from "./storage/event-ring.ts";
import { timestamp } from "../apimachinery/time.ts";
import { randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "../apimachinery/clock.ts";
import type { ApiServer, ServerRequest, ServerResponse, User } from "./api-server.ts";
import { allowAll, rbacAuthorizer, type AccessRules } from "./access/authorization.ts";
import { UserDirectory, anonymousUser } from "./access/authentication.ts";
import { type ServiceResolver, unreachableServices } from "./call-webhook.ts";
import { CrdController } from "./crd/crd-controller.ts";
import { expireEvents } from "./kinds/core/event.ts";
import { FaultInjector } from "./verbs/request/fault-injector.ts";
import { builtinEntries, seedObjects } from "./kinds/builtin-entries.ts";
import type { ResourceEntry } from "./registry/served-resource.ts";
import { ResourceRegistry } from "./registry/resource-registry.ts";
import { route } from "./endpoints/route.ts";
import { type Journal, takeSnapshot, type Snapshot, storageKey, Store, type StoreListener } from "./storage/store.ts";
import { systemClock } from "../apimachinery/clock.ts";
import { deleteObject } from "./verbs/write/delete-objects.ts";
import type { ServerCore, ServerHost } from "./verbs/request/call.ts";

export interface ApiServerOptions extends ServerHost, Pick<AccessRules, "forbiddenHint"> {
  /** One of the recorded versions of Kubernetes, which the server serves; 1.37 by default. */
  readonly kubernetesVersion?: string | undefined;
  /** Time; by default the machine's. */
  readonly clock?: Clock;
  /** A number in [0, 1), for generated names and jitter. */
  readonly random?: () => number;
  readonly uid?: () => string;
  /** Returns the addresses of services' webhooks; without it, they are unreachable. */
  readonly resolveService?: ServiceResolver;
  /** Called with each object that is restored, stored or removed, by requests and by the server itself. */
  readonly onChange?: StoreListener;
  /** Enforces roles and bindings; without it, every user may do everything. */
  readonly rbac?: boolean;
  /** Gives pods their service accounts, which controllers make; without it, as in envtest, pods have no account. */
  readonly accounts?: boolean;
  /** The number of events per resource that a late watch can still read; older versions are refused with 410. */
  readonly historySize?: number;
  /** The state of an earlier server, to continue from. */
  readonly restore?: Snapshot;
  /** Receives each change before it is made. The objects of `restore` do not count as changes. */
  readonly journal?: Journal;
}

export interface EmbeddedApiServer extends ApiServer {
  /** The users by bearer token. */
  readonly users: UserDirectory;
  /** The user of requests without a token; absent without roles, which would limit it. */
  readonly anonymous?: User;
  /** Injects faults for tests. */
  readonly faults: FaultInjector;
  /** Adds a user and returns their bearer token. */
  addUser(user: User): string;
  /** Returns the current state, ready for JSON. */
  snapshot(): Snapshot;
  /** The objects that it serves. */
  readonly store: Store;
  /** Ends all watches and the server's own controllers. */
  close(): void;
}

/** Creates a server with the objects of an empty cluster. It responds to requests at once. */
export function createApiServer(options: ApiServerOptions = {}): EmbeddedApiServer {
  const tokenKey = options.restore?.tokenKey ?? randomBytes(32).toString("base64");
  const core = coreOf(options, Buffer.from(tokenKey, "base64"));
  const { store, registry, clock, uid, users, faults } = core;
  if (options.restore) store.restore(options.restore);
  seedObjects(store, registry, { uid, now: timestamp(clock.now()) });
  const deleteInstances = (entry: ResourceEntry): void => deleteAll(core, entry);
  const crds = new CrdController({ store, registry, clock, resolveService: core.resolveService, deleteInstances });
  crds.start();
  const documents = new Documents(core.builtins, () => registry.resources());
  const stopExpiring = expireEvents(store, clock);
  return {
    handle: (request: ServerRequest): Promise<ServerResponse> => route({ core, documents }, request),
    users,
    ...(core.enforcesRoles && { anonymous: anonymousUser }),
    faults,
    addUser: (user) => users.add(user),
    snapshot: () => ({ ...takeSnapshot(store), tokenKey }),
    store,
    close() {
      crds.stop();
      stopExpiring();
      for (const collection of store.collections()) collection.closeWatches();
    },
  };
}

function coreOf(options: ApiServerOptions, key: Uint8Array): ServerCore {
  const { clock = systemClock(), random = Math.random, uid = randomUUID } = options;
  const store = new Store(options.historySize, options.journal, options.onChange);
  const builtins = loadBuiltins(options.kubernetesVersion);
  const authorize = options.rbac ? rbacAuthorizer(store) : allowAll;
  return {
    builtins,
    store,
    registry: new ResourceRegistry(builtinEntries(builtins)),
    clock,
    random,
    uid,
    authorize,
    enforcesRoles: options.rbac === true,
    hasAccounts: options.accounts === true,
    host: options,
    resolveService: options.resolveService ?? unreachableServices(store),
    ...(options.forbiddenHint && { forbiddenHint: options.forbiddenHint }),
    users: new UserDirectory({ now: () => clock.now(), key, uidOf: (plural, ...key) => uidOf(store, plural, key) }),
    faults: new FaultInjector(clock),
    programs: { conditions: new WeakMap(), policies: new WeakMap() },
    eventTexts: new Latest(),
    deselected: new Latest(),
  };
}

function uidOf(store: Store, plural: string, key: readonly [string | undefined, string]): string | undefined {
  return store.collection({ group: "", plural }).get(storageKey(...key))?.metadata.uid;
}

function deleteAll(core: ServerCore, entry: ResourceEntry): void {
  const collection = core.store.collection(entry.storage);
  const keys = [...collection.entries("")].map(([key]) => key);
  for (const key of keys) deleteObject({ core, entry, collection, changes: [] }, key, { dryRun: false });
}
