import { apiVersionOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, OwnerReference } from "../../apimachinery/meta.ts";
import { isNotFound } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { recordEvent } from "./record-event.ts";
import type { SimulationContext } from "./simulation-context.ts";
import { timestamp } from "./timestamp.ts";
import { PodKind, type Pod, type PodTemplate } from "./simulated-kinds.ts";

/** A reference that makes its owner the controller. */
export function controllerReference<T extends KubeObject>(kind: Kind<T>, { metadata }: T): OwnerReference {
  const { name = "", uid = "" } = metadata;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The uid of whatever controls an object. */
export function controllerUid({ metadata }: KubeObject): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
}

export interface PodIdentity {
  readonly name?: string;
  readonly generateName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A pod of a template, controlled by `owner`. */
export function podOf<T extends KubeObject>(
  { kind, owner }: { kind: Kind<T>; owner: T },
  template: PodTemplate,
  { labels, annotations, ...names }: PodIdentity,
): Pod {
  const { namespace } = owner.metadata;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...template.metadata,
      ...names,
      ...(namespace && { namespace }),
      labels: { ...template.metadata?.labels, ...labels },
      ...((annotations ?? template.metadata?.annotations) && {
        annotations: { ...template.metadata?.annotations, ...annotations },
      }),
      ownerReferences: [controllerReference(kind, owner)],
    },
    spec: template.spec,
  };
}

/** Creates and deletes pods for one kind of workload, with the events that tell of it. */
export class PodControl<T extends KubeObject> {
  readonly #context: SimulationContext;
  readonly #client: Client;
  readonly #kind: Kind<T>;
  readonly #component: string;

  constructor(context: SimulationContext, client: Client, { kind, component }: { kind: Kind<T>; component: string }) {
    this.#context = context;
    this.#client = client;
    this.#kind = kind;
    this.#component = component;
  }

  /** The pods that an object controls. */
  async owned(owner: T): Promise<Pod[]> {
    const { namespace, uid } = owner.metadata;
    const pods = await this.#client.list(PodKind, { namespace });
    return pods.items.filter((pod) => controllerUid(pod) === uid);
  }

  async create(owner: T, template: PodTemplate, identity: PodIdentity): Promise<void> {
    const pod = await this.#client.create(PodKind, podOf({ kind: this.#kind, owner }, template, identity));
    await this.tell(owner, "SuccessfulCreate", `Created pod: ${pod.metadata.name}`);
  }

  async delete(owner: T, pod: Pod): Promise<void> {
    const { namespace, name = "", uid } = pod.metadata;
    try {
      await this.#client.delete(PodKind, { namespace, name }, { preconditions: { ...(uid && { uid }) } });
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    await this.tell(owner, "SuccessfulDelete", `Deleted pod: ${name}`);
  }

  tell(owner: T, reason: string, message: string): Promise<void> {
    const source = { client: this.#client, component: this.#component, now: timestamp(this.#context) };
    return recordEvent(source, this.#kind, owner, { type: "Normal", reason, message });
  }
}
