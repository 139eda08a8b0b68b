import { apiVersionOf, type Kind } from "../../../apimachinery/kind.ts";
import {
  type DeepReadonly,
  type KubeObject,
  type LabelSelector,
  type OwnerReference,
} from "../../../apimachinery/meta.ts";
import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import { isAlreadyExists, isForbidden, isInternalError, isInvalid, isNotFound } from "../../../apimachinery/status.ts";
import { TurnBudget } from "../../../apimachinery/turn-budget.ts";
import type { Client } from "../../../client/client.ts";
import { enqueueForOwner, enqueueFromMap } from "../../../runtime/controller/handlers.ts";
import type { Source } from "../../../runtime/controller/sources.ts";
import type { CoreEventRecorder } from "../../../runtime/event-recorder/core-event-recorder.ts";
import { controllerOf } from "../../../runtime/objects/owner-references.ts";
import { keysOf, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { PodKind, type Pod, type PodTemplate } from "../context/simulated-kinds.ts";

/** The most pods that a step creates or deletes, as in real controllers. */
export const mostOfStep = 500;
/** The most pods of a workload that are simulated: `replicas` may be two billion. */
export const mostPods = 2_000;

/** Returns an owner reference that makes its owner the controller. */
export function controllerReference<T extends KubeObject>(kind: Kind<T>, { metadata }: T): OwnerReference {
  const { name = "", uid = "" } = metadata;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

export function controllerUid(object: KubeObject): string | undefined {
  return controllerOf(object)?.uid;
}

/** Gives an object another controller, or none. */
function setController<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  object: T,
  reference?: OwnerReference,
): Promise<T> {
  const others = (object.metadata.ownerReferences ?? []).filter(({ controller }) => !controller);
  const ownerReferences = reference ? [...others, reference] : others;
  return client.update(kind, { ...object, metadata: { ...object.metadata, ownerReferences } });
}

interface Claimant<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly owner: T;
  readonly selector: LabelSelector;
}

interface Claimed<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly items: readonly T[];
  readonly isMember?: ((object: T) => boolean) | undefined;
  /** Returns an object as it is once it has the owner, or has it no longer. */
  readonly adopted?: (object: T) => T;
  readonly released?: (object: T) => T;
}

/** Returns the objects that an owner controls: takes over those that match and have no controller, and lets others go. */
export async function claimObjects<O extends KubeObject, T extends KubeObject>(
  client: Client,
  { kind: ownerKind, owner, selector }: Claimant<O>,
  { kind, items, isMember = () => true, adopted = same, released = same }: Claimed<T>,
): Promise<T[]> {
  const { uid, deletionTimestamp } = owner.metadata;
  const matcher = labelSelectorMatcher(selector);
  const claimed: T[] = [];
  for (const object of items) {
    const isMatching = matcher.matches(object.metadata.labels ?? {}) && isMember(object);
    const controller = controllerUid(object);
    if (isMatching && controller === uid) claimed.push(object);
    if (deletionTimestamp) continue;
    if (isMatching && controller === undefined && object.metadata.deletionTimestamp === undefined)
      claimed.push(await setController(client, kind, adopted(object), controllerReference(ownerKind, owner)));
    if (!isMatching && controller === uid) await setController(client, kind, released(object));
  }
  return claimed;
}

function same<T>(object: T): T {
  return object;
}

interface Claims<O extends KubeObject, T extends KubeObject> {
  readonly owned: Kind<T>;
  readonly selectorOf: (owner: DeepReadonly<O>) => DeepReadonly<LabelSelector> | undefined;
}

/** Creates the sources of objects that claim others: they themselves, what they control, and what has no controller. */
export function watchClaims<O extends KubeObject, T extends KubeObject>(
  context: SimulationContext,
  kind: Kind<O>,
  { owned, selectorOf }: Claims<O, T>,
): Source[] {
  const claimants = enqueueFromMap((object) => {
    if (controllerUid(object) !== undefined) return [];
    const { namespace, labels = {} } = object.metadata;
    return keysOf(context.objects.list(kind, namespace), (owner) => {
      const selector = selectorOf(owner);
      return selector !== undefined && labelSelectorMatcher(selector).matches(labels);
    });
  });
  return [watch(context, kind), watch(context, owned, enqueueForOwner(kind)), watch(context, owned, claimants)];
}

export interface PodIdentity {
  readonly name?: string;
  readonly generateName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: string[];
}

/** Returns a pod of a template, controlled by `owner`. */
function podOf<T extends KubeObject>(
  { kind, owner }: { kind: Kind<T>; owner: T },
  template: PodTemplate,
  { labels, annotations, finalizers = [], ...names }: PodIdentity,
): Pod {
  const { namespace } = owner.metadata;
  // No pod has the name in a template.
  const given = template.metadata ?? {};
  const held = [...(given.finalizers ?? []), ...finalizers];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...names,
      ...(namespace && { namespace }),
      labels: { ...given.labels, ...labels },
      ...((annotations ?? given.annotations) && { annotations: { ...given.annotations, ...annotations } }),
      ...(held.length > 0 && { finalizers: held }),
      ownerReferences: [controllerReference(kind, owner)],
    },
    spec: template.spec,
  };
}

/** Delay before a refused object is tried again. */
export const retryMs = 1_000;

/** Reports whether a server refuses an object. A webhook that cannot be called is an internal error. */
export function isRefusal(error: unknown): error is Error {
  return isForbidden(error) || isInvalid(error) || isInternalError(error);
}

/** Creates and deletes the pods of one kind of workload, and records events. */
export class PodControl<T extends KubeObject> {
  private readonly client: Client;
  private readonly kind: Kind<T>;
  private readonly recorder: CoreEventRecorder;
  /** The generation for which the limit was last reported, by the UID of the owner. */
  private readonly limited = new Map<string, number>();
  /** Others go on between the pods of a step: requests within a process need no turn of the event loop. */
  private readonly turns = new TurnBudget();

  constructor(
    context: SimulationContext,
    client: Client,
    { kind, component }: { readonly kind: Kind<T>; readonly component: string },
  ) {
    this.client = client;
    this.kind = kind;
    this.recorder = context.recorder(client, component);
  }

  /** Returns the pods of an object, which it claims. */
  async claim(owner: T, selector: LabelSelector, isMember?: (pod: Pod) => boolean): Promise<Pod[]> {
    const { items } = await this.client.list(PodKind, { namespace: owner.metadata.namespace });
    return claimObjects(this.client, { kind: this.kind, owner, selector }, { kind: PodKind, items, isMember });
  }

  /** Creates a pod. If the server refuses it, records an event and returns the message. */
  async create(owner: T, template: PodTemplate, identity: PodIdentity): Promise<string | undefined> {
    await this.turns.rest();
    try {
      const pod = await this.client.create(PodKind, podOf({ kind: this.kind, owner }, template, identity));
      this.record(owner, "SuccessfulCreate", `Created pod: ${pod.metadata.name}`);
      return undefined;
    } catch (error) {
      // A name is taken until the pod that has it is gone.
      if (isAlreadyExists(error)) return error.message;
      if (!isRefusal(error)) throw error;
      const what = identity.name === undefined ? "Error creating" : `Create Pod ${identity.name} failed`;
      this.record(owner, "FailedCreate", `${what}: ${error.message}`, "Warning");
      return error.message;
    }
  }

  /** Records, once for each version of its spec, that an owner wants more pods than are simulated. */
  reportLimit(owner: T, wanted: number): void {
    const { uid = "", generation = 0 } = owner.metadata;
    if (wanted <= mostPods || this.limited.get(uid) === generation) return;
    this.limited.set(uid, generation);
    const message = `Error creating: the sandbox simulates ${mostPods} pods of a workload at most, ${wanted} are wanted`;
    this.record(owner, "FailedCreate", message, "Warning");
  }

  async delete(owner: T, pod: Pod): Promise<void> {
    const { namespace, name = "", uid } = pod.metadata;
    await this.turns.rest();
    try {
      await this.client.delete(PodKind, { namespace, name }, { preconditions: { ...(uid && { uid }) } });
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    this.record(owner, "SuccessfulDelete", `Deleted pod: ${name}`);
  }

  record(owner: T, reason: string, message: string, type: "Normal" | "Warning" = "Normal"): void {
    this.recorder.event(owner, type, reason, message);
  }
}
