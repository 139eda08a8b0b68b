import { apiVersionOf, type Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject, OwnerReference } from "../../../apimachinery/meta.ts";
import { isForbidden, isInternalError, isInvalid, isNotFound } from "../../../apimachinery/status.ts";
import type { Client } from "../../../client/client.ts";
import type { CoreEventRecorder } from "../../../runtime/event-recorder/core-event-recorder.ts";
import { controllerOf } from "../../../runtime/objects/owner-references.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { PodKind, type Pod, type PodTemplate } from "../context/simulated-kinds.ts";

/** Returns an owner reference that makes its owner the controller. */
export function controllerReference<T extends KubeObject>(kind: Kind<T>, { metadata }: T): OwnerReference {
  const { name = "", uid = "" } = metadata;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

export function controllerUid(object: KubeObject): string | undefined {
  return controllerOf(object)?.uid;
}

/** Gives an object another controller, or none. */
export function setController<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  { object, reference }: { readonly object: T; readonly reference?: OwnerReference },
): Promise<T> {
  const others = (object.metadata.ownerReferences ?? []).filter(({ controller }) => !controller);
  const ownerReferences = reference ? [...others, reference] : others;
  return client.update(kind, { ...object, metadata: { ...object.metadata, ownerReferences } });
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
  // The name of a template is that of no pod.
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

/** The event messages of a kind. */
export interface PodWords<T extends KubeObject> {
  created(owner: T, pod: Pod): string;
  deleted(owner: T, pod: Pod): string;
  /** `name` is that of the pod, if its owner chooses it. */
  refused(owner: T, message: string, name: string | undefined): string;
}

const plainWords: PodWords<KubeObject> = {
  created: (_, { metadata }) => `Created pod: ${metadata.name}`,
  deleted: (_, { metadata }) => `Deleted pod: ${metadata.name}`,
  refused: (_, message) => `Error creating: ${message}`,
};

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
  private readonly words: PodWords<T>;

  constructor(
    context: SimulationContext,
    client: Client,
    { kind, component, words = plainWords }: { kind: Kind<T>; component: string; words?: PodWords<T> },
  ) {
    this.client = client;
    this.kind = kind;
    this.recorder = context.recorder(client, component);
    this.words = words;
  }

  /** Lists the pods that an object controls. */
  async owned(owner: T): Promise<Pod[]> {
    const { namespace, uid } = owner.metadata;
    const pods = await this.client.list(PodKind, { namespace });
    return pods.items.filter((pod) => controllerUid(pod) === uid);
  }

  /** Creates a pod. If the server refuses it, records an event and returns the message. */
  async create(owner: T, template: PodTemplate, identity: PodIdentity): Promise<string | undefined> {
    try {
      const pod = await this.client.create(PodKind, podOf({ kind: this.kind, owner }, template, identity));
      this.record(owner, "SuccessfulCreate", this.words.created(owner, pod));
      return undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.record(owner, "FailedCreate", this.words.refused(owner, error.message, identity.name), "Warning");
      return error.message;
    }
  }

  async delete(owner: T, pod: Pod): Promise<void> {
    const { namespace, name = "", uid } = pod.metadata;
    try {
      await this.client.delete(PodKind, { namespace, name }, { preconditions: { ...(uid && { uid }) } });
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    this.record(owner, "SuccessfulDelete", this.words.deleted(owner, pod));
  }

  record(owner: T, reason: string, message: string, type: "Normal" | "Warning" = "Normal"): void {
    this.recorder.event(owner, type, reason, message);
  }
}
