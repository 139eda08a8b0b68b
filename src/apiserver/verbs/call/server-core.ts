import type { Attributes, Authorizer } from "../../access/attributes.ts";
import type { UserDirectory } from "../../access/user-directory.ts";
import type { ServiceResolver } from "../../webhooks/webhook-configuration.ts";
import type { FaultInjector } from "../fault-injector.ts";
import type { PodLogSource } from "./pod-log-source.ts";
import type { Clock } from "../../../apimachinery/clock.ts";
import type { ResourceRegistry } from "../../registry/resource-registry.ts";
import type { UnsupportedRequest } from "./unsupported.ts";
import type { Store } from "../../storage/store.ts";

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
  readonly onUnsupported?: (request: UnsupportedRequest) => void;
}
