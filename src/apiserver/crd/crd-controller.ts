import type { Condition, UnstructuredObject } from "../../apimachinery/meta.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { ResourceRegistry } from "../registry/resource-registry.ts";
import type { Collection } from "../storage/collection.ts";
import type { Store } from "../storage/store.ts";
import { crdEntries } from "./crd-entries.ts";
import { completeNames, nameConflict } from "./crd-names.ts";
import type { CustomResourceDefinition } from "./custom-resource-definition.ts";

export interface CrdControllerOptions {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly now: () => string;
}

/**
 * Accepts the names of CRDs and serves those that are established. It works a turn of the event loop after a write, so
 * that a client sees the same sequence of states as with a real server.
 */
export class CrdController {
  readonly #options: CrdControllerOptions;
  readonly #crds: Collection;
  readonly #served = new Map<string, CustomResourceDefinition["spec"]>();
  #stop: () => void = () => undefined;
  #scheduled: NodeJS.Immediate | undefined;

  constructor(options: CrdControllerOptions) {
    this.#options = options;
    this.#crds = options.store.collection({ group: "apiextensions.k8s.io", plural: "customresourcedefinitions" });
  }

  start(): void {
    this.#stop = this.#crds.listen(
      () => this.#schedule(),
      () => undefined,
    );
    this.#schedule();
  }

  stop(): void {
    this.#stop();
    if (this.#scheduled) clearImmediate(this.#scheduled);
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = undefined;
      this.#sync();
    });
  }

  #sync(): void {
    for (const name of this.#served.keys()) if (!this.#crds.get(name)) this.#unserve(name);
    for (const crd of this.#all()) this.#serve(crd);
    // Names are settled one CRD after the other: each sees what the ones before have taken.
    for (const crd of this.#all()) this.#settleNames(crd);
  }

  #settleNames(crd: CustomResourceDefinition): void {
    const conflict = nameConflict(crd, this.#all());
    const now = this.#options.now();
    const accepted: Condition = conflict
      ? condition("NamesAccepted", "False", conflict, now)
      : condition("NamesAccepted", "True", { reason: "NoConflicts", message: "no conflicts found" }, now);
    const established: Condition = conflict
      ? condition("Established", "False", notAccepted, now)
      : condition("Established", "True", initialNames, now);
    const known = crd.status?.conditions ?? [];
    const conditions = [accepted, established].reduce(withCondition, known);
    const acceptedNames = conflict ? (crd.status?.acceptedNames ?? {}) : completeNames(crd.spec.names);
    const status = { ...crd.status, conditions, acceptedNames };
    if (equalJson(status, crd.status)) return;
    const previous = crd as unknown as UnstructuredObject;
    this.#options.store.commit(this.#crds, crd.metadata.name, { previous, object: { ...previous, status } });
  }

  #serve(crd: CustomResourceDefinition): void {
    if (!isEstablished(crd) || this.#served.get(crd.metadata.name) === crd.spec) return;
    const known = this.#served.get(crd.metadata.name);
    if (known && equalJson(known, crd.spec)) return;
    this.#served.set(crd.metadata.name, crd.spec);
    this.#options.registry.setCustom(crd.metadata.name, crdEntries(crd));
    if (known) this.#instances(crd.spec).closeWatches();
  }

  #unserve(name: string): void {
    const spec = this.#served.get(name);
    this.#served.delete(name);
    this.#options.registry.setCustom(name, []);
    if (spec) this.#instances(spec).closeWatches();
  }

  #instances({ group, names }: CustomResourceDefinition["spec"]): Collection {
    return this.#options.store.collection({ group, plural: names.plural });
  }

  *#all(): Generator<CustomResourceDefinition> {
    for (const [, object] of this.#crds.entries("")) yield object as unknown as CustomResourceDefinition;
  }
}

function isEstablished(crd: CustomResourceDefinition): boolean {
  return crd.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True") ?? false;
}

type Why = Pick<Condition, "reason" | "message">;

const notAccepted: Why = { reason: "NotAccepted", message: "not all names are accepted" };
const initialNames: Why = { reason: "InitialNamesAccepted", message: "the initial names have been accepted" };

function condition(type: string, status: "True" | "False", why: Why, lastTransitionTime: string): Condition {
  return { lastTransitionTime, message: why.message, reason: why.reason, status, type };
}

/** Replaces a condition of the same type; the time moves only when the status does. */
function withCondition(conditions: readonly Condition[], next: Condition): readonly Condition[] {
  const old = conditions.find(({ type }) => type === next.type);
  if (!old) return [...conditions, next];
  const kept = old.status === next.status ? { ...next, lastTransitionTime: old.lastTransitionTime } : next;
  return conditions.map((each) => (each === old ? kept : each));
}
