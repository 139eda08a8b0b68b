import { equalJson } from "../../../apimachinery/equal.ts";
import type { Kind } from "../../../apimachinery/kind.ts";
import type { DeepReadonly, KubeObject, LabelSelector, ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { controllerReference, PodControl, retryMs, setController, watchClaims } from "./controlled-pods.ts";
import { planReplicaSet, replicaSetStatus } from "./replica-set-plan.ts";
import { runController } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import {
  PodKind,
  ReplicaSetKind,
  ReplicationControllerKind,
  type PodTemplate,
  type ReplicaSet,
  type ReplicaSetStatus,
} from "../context/simulated-kinds.ts";

/** Keeps the number of pods that each ReplicaSet wants. */
export function runReplicaSets(context: SimulationContext): Promise<void> {
  const name = "replicaset-controller";
  return runReplicas(context, name, {
    kind: ReplicaSetKind,
    asReplicaSet: (set) => set,
    selectorOf: ({ spec }) => spec.selector,
    asStatus: (status) => status,
  });
}

/** Keeps the number of pods that each ReplicationController wants, the former kind of ReplicaSets. */
export function runReplicationControllers(context: SimulationContext): Promise<void> {
  return runReplicas(context, "replication-controller", {
    kind: ReplicationControllerKind,
    asReplicaSet: ({ metadata, spec, status }) => ({
      metadata,
      ...(status && { status }),
      spec: { ...spec, selector: { matchLabels: spec.selector } },
    }),
    selectorOf: ({ spec }) => ({ matchLabels: spec.selector }),
    asStatus(status) {
      const { terminatingReplicas: _, ...shown } = status;
      return shown;
    },
  });
}

/** A kind that is kept as ReplicaSets are. */
interface ReplicaKind<T extends KubeObject> {
  readonly kind: Kind<T>;
  asReplicaSet(object: T): ReplicaSet;
  selectorOf(object: DeepReadonly<T>): DeepReadonly<LabelSelector>;
  asStatus(status: ReplicaSetStatus): ReplicaSetStatus;
}

function runReplicas<T extends KubeObject>(
  context: SimulationContext,
  name: string,
  replicas: ReplicaKind<T>,
): Promise<void> {
  const { kind } = replicas;
  const client = context.clientFor(`system:serviceaccount:kube-system:${name}`);
  const pods = new PodControl<KubeObject>(context, client, { kind, component: name });
  return runController(context, {
    sources: watchClaims(context, kind, { owned: PodKind, selectorOf: (object) => replicas.selectorOf(object) }),
    step: (key) => stepReplicas({ context, client, pods, replicas }, key),
  });
}

interface Tools<T extends KubeObject> {
  readonly context: SimulationContext;
  readonly client: Client;
  readonly pods: PodControl<KubeObject>;
  readonly replicas: ReplicaKind<T>;
}

async function stepReplicas<T extends KubeObject>(
  { context, client, pods, replicas }: Tools<T>,
  key: ObjectKey,
): Promise<number | void> {
  const object = await client.getOrUndefined(replicas.kind, key);
  if (!object) return;
  const replicaSet = replicas.asReplicaSet(object);
  const { items } = await client.list(PodKind, { namespace: key.namespace });
  const plan = planReplicaSet(replicaSet, items);
  if (!replicaSet.metadata.deletionTimestamp) {
    const reference = controllerReference(replicas.kind, object);
    pods.reportLimit(object, replicaSet.spec.replicas ?? 1);
    for (const pod of plan.adopt) await setController(client, PodKind, { object: pod, reference });
    for (const pod of plan.release) await setController(client, PodKind, { object: pod });
    for (const pod of plan.remove) await pods.delete(object, pod);
  }
  const refusal = await createPods(pods, object, { template: replicaSet.spec.template, count: plan.create });
  const next = replicaSetStatus(replicaSet, { ...plan, refusal }, context.clock.now());
  const status = replicas.asStatus(next.status);
  if (!equalJson(status, replicaSet.status)) await client.status.update(replicas.kind, { ...object, status });
  return refusal === undefined ? next.changesIn : retryMs;
}

/** Creates pods until the server rejects one, and returns its message: the others would be rejected as well. */
async function createPods(
  pods: PodControl<KubeObject>,
  owner: KubeObject,
  { template, count }: { readonly template: PodTemplate; readonly count: number },
): Promise<string | undefined> {
  if (owner.metadata.deletionTimestamp) return undefined;
  const identity = { generateName: `${owner.metadata.name}-` };
  for (let created = 0; created < count; created++) {
    const refusal = await pods.create(owner, template, identity);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
