import { cloneJson } from "../../apimachinery/clone.ts";
import { isConditionTrue, setCondition } from "../../apimachinery/conditions.ts";
import type { Condition, UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { isApiError } from "../../apimachinery/status.ts";
import { timestamp } from "../../apimachinery/time.ts";
import type { ServiceResolver } from "../call-webhook.ts";
import type { ResourceEntry } from "../registry/served-resource.ts";
import type { ResourceRegistry } from "../registry/resource-registry.ts";
import { writeOwnStatus } from "../ssa/own-status.ts";
import type { Collection } from "../storage/collection.ts";
import type { Store } from "../storage/store.ts";
import { crdEntries, settleNames } from "./crd-entries.ts";
import { cleanupFinalizer } from "../kinds/apiextensions/custom-resource-definition.ts";
import { approvalAnnotation, isProtected } from "../../apimachinery/crd/approval-errors.ts";
import type { CrdSpec, CrdStatus, CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";

export interface CrdControllerOptions {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  /** Returns the address of a conversion webhook's service. */
  readonly resolveService: ServiceResolver;
  /** Deletes all instances of a CRD that is being deleted; respects finalizers. */
  readonly deleteInstances: (entry: ResourceEntry) => void;
}

const definitions = { group: "apiextensions.k8s.io", version: "v1", plural: "customresourcedefinitions" };

/** Time until another attempt if the journal refuses a write, as on a full disk. */
const retryMs = 1000;

/**
 * Accepts the names of CRDs and serves those that are established. It works a turn of the event loop after a write, so
 * that a client sees the same sequence of states as with a real server.
 */
export class CrdController {
  private readonly options: CrdControllerOptions;
  private readonly crds: Collection;
  private readonly served = new Map<string, Served>();
  /** Functions that stop watching the instances of CRDs that are being deleted. */
  private readonly cleanups = new Map<string, () => void>();
  private stopListening: () => void = () => undefined;
  private scheduled: NodeJS.Immediate | undefined;
  private cancelRetry: () => void = () => undefined;

  constructor(options: CrdControllerOptions) {
    this.options = options;
    this.crds = options.store.collection(definitions);
  }

  start(): void {
    this.stopListening = this.crds.listen(
      () => this.schedule(),
      () => undefined,
    );
    this.sync();
  }

  stop(): void {
    this.stopListening();
    for (const end of this.cleanups.values()) end();
    if (this.scheduled) clearImmediate(this.scheduled);
    this.cancelRetry();
  }

  private schedule(): void {
    this.scheduled ??= setImmediate(() => {
      this.scheduled = undefined;
      try {
        this.sync();
      } catch (error) {
        // The journal has reported it.
        if (!isApiError(error)) throw error;
        this.cancelRetry();
        this.cancelRetry = this.options.clock.after(retryMs, () => this.schedule());
      }
    });
  }

  private sync(): void {
    for (const name of this.served.keys()) if (!this.crds.get(name)) this.unserve(name);
    for (const crd of this.all()) this.serve(crd);
    // One CRD after the other: each sees the names that the others before have taken.
    for (const crd of this.all()) {
      if (crd.metadata.deletionTimestamp) this.cleanUp(crd);
      else this.settleNames(crd);
    }
  }

  private settleNames(crd: CustomResourceDefinition): void {
    const { accepted: names, conflict } = settleNames(crd, this.all());
    const now = timestamp(this.options.clock.now());
    const conditions = cloneJson(crd.status?.conditions ?? []) as Condition[];
    for (const each of [...acceptance(conflict, now), ...approval(crd, now)]) setCondition(conditions, each);
    this.writeStatus(crd, { ...crd.status, conditions, acceptedNames: { plural: "", kind: "", ...names } });
  }

  private writeStatus(crd: CustomResourceDefinition, status: CrdStatus): void {
    if (equalJson(status, crd.status)) return;
    writeOwnStatus(this.options, definitions, { previous: crd as unknown as UnstructuredObject, status });
  }

  private serve(crd: CustomResourceDefinition): void {
    const { name, deletionTimestamp } = crd.metadata;
    const known = this.served.get(name);
    const next = { spec: crd.spec, terminating: deletionTimestamp !== undefined };
    if (!isEstablished(crd) || (known && equalJson(known, next))) return;
    this.served.set(name, next);
    this.options.registry.setCustom(name, crdEntries(crd, this.options.resolveService));
    if (known && !next.terminating) this.instances(crd.spec).closeWatches();
  }

  private unserve(name: string): void {
    const served = this.served.get(name);
    this.served.delete(name);
    this.options.registry.setCustom(name, []);
    if (served) this.instances(served.spec).closeWatches();
  }

  /** Deletes the instances, and the CRD after the last one. */
  private cleanUp(crd: CustomResourceDefinition): void {
    const { name } = crd.metadata;
    if (!crd.metadata.finalizers?.includes(cleanupFinalizer)) return;
    // The write leads here again.
    if (this.reportCleanUp(crd)) return;
    const instances = this.instances(crd.spec);
    if (!this.cleanups.has(name)) {
      const [entry] = this.options.registry.customOf(name);
      if (entry) this.options.deleteInstances(entry);
      const wake = instances.listen(
        () => this.schedule(),
        () => undefined,
      );
      this.cleanups.set(name, wake);
    }
    if (instances.size > 0) return;
    this.cleanups.get(name)?.();
    this.cleanups.delete(name);
    this.release(crd);
  }

  /** Says in the status that instances are being deleted; returns false if it says so already. */
  private reportCleanUp(crd: CustomResourceDefinition): boolean {
    const conditions = cloneJson(crd.status?.conditions ?? []) as Condition[];
    if (conditions.some(({ reason }) => reason === inProgress.reason)) return false;
    setCondition(conditions, condition("Terminating", "True", inProgress, timestamp(this.options.clock.now())));
    this.writeStatus(crd, { ...crd.status, conditions });
    return true;
  }

  private release(crd: CustomResourceDefinition): void {
    const previous = crd as unknown as UnstructuredObject;
    const finalizers = (crd.metadata.finalizers ?? []).filter((each) => each !== cleanupFinalizer);
    if (finalizers.length === 0) {
      this.options.store.remove(this.crds, crd.metadata.name, previous);
      this.unserve(crd.metadata.name);
    } else {
      const object = { ...previous, metadata: { ...crd.metadata, finalizers } };
      this.options.store.commit(this.crds, crd.metadata.name, { previous, object });
    }
  }

  private instances({ group, names }: CrdSpec): Collection {
    return this.options.store.collection({ group, plural: names.plural });
  }

  private *all(): Generator<CustomResourceDefinition> {
    for (const [, object] of this.crds.entries("")) yield object as unknown as CustomResourceDefinition;
  }
}

interface Served {
  readonly spec: CrdSpec;
  readonly terminating: boolean;
}

function isEstablished(crd: CustomResourceDefinition): boolean {
  return isConditionTrue(crd.status?.conditions ?? [], "Established");
}

/** Returns the condition of a group of the Kubernetes project, which needs an approval. */
function approval({ metadata, spec }: CustomResourceDefinition, now: string): Condition[] {
  const value = metadata.annotations?.[approvalAnnotation];
  if (!isProtected(spec.group) || !value) return [];
  const type = "KubernetesAPIApprovalPolicyConformant";
  if (!value.startsWith("unapproved"))
    return [condition(type, "True", { reason: "ApprovedAnnotation", message: `approved in ${value}` }, now)];
  const message = `not approved: ${JSON.stringify(value)}`;
  return [condition(type, "False", { reason: "UnapprovedAnnotation", message }, now)];
}

type Why = Pick<Condition, "reason" | "message">;

/** Returns the conditions of a CRD whose names are accepted, unless there is a conflict. */
export function acceptance(conflict: Why | undefined, now: string): Condition[] {
  if (conflict)
    return [condition("NamesAccepted", "False", conflict, now), condition("Established", "False", notAccepted, now)];
  return [condition("NamesAccepted", "True", noConflicts, now), condition("Established", "True", initialNames, now)];
}

const noConflicts: Why = { reason: "NoConflicts", message: "no conflicts found" };
const notAccepted: Why = { reason: "NotAccepted", message: "not all names are accepted" };
const inProgress: Why = { reason: "InstanceDeletionInProgress", message: "CustomResource deletion is in progress" };
const initialNames: Why = { reason: "InitialNamesAccepted", message: "the initial names have been accepted" };

function condition(type: string, status: "True" | "False", why: Why, lastTransitionTime: string): Condition {
  return { lastTransitionTime, message: why.message, reason: why.reason, status, type };
}
