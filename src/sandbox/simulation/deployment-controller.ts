import { equalJson } from "../../apimachinery/equal.ts";
import type { ObjectKey } from "../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { planDeployment, revisionAnnotation, type DeploymentPlan } from "./deployment-plan.ts";
import { deploymentStatus } from "./deployment-status.ts";
import { recordEvent } from "./record-event.ts";
import { controllerKeys, reactionDelay, runKindController, type SimulationContext } from "./simulation-context.ts";
import { timestamp } from "./timestamp.ts";
import { DeploymentKind, ReplicaSetKind, type Deployment, type ReplicaSet } from "./simulated-kinds.ts";

/** Rolls deployments out through ReplicaSets, one step at a look. */
export function runDeployments(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:deployment-controller");
  return runKindController(context, client, {
    kind: DeploymentKind,
    delay: () => reactionDelay(context),
    step: (key) => stepDeployment(context, client, key),
    triggers: [{ kind: ReplicaSetKind, keysOf: controllerKeys(DeploymentKind) }],
  });
}

async function stepDeployment(context: SimulationContext, client: Client, key: ObjectKey): Promise<void> {
  const deployment = await client.getOrUndefined(DeploymentKind, key);
  if (!deployment) return;
  const all = await client.list(ReplicaSetKind, { namespace: key.namespace });
  const owned = all.items.filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === deployment.metadata.uid),
  );
  if (!deployment.metadata.deletionTimestamp) {
    const plan = planDeployment(deployment, owned);
    if (await carryOut(context, client, { deployment, plan })) return;
    if (await showRevision(client, deployment, plan)) return;
  }
  const status = deploymentStatus(deployment, owned, timestamp(context));
  if (!equalJson(status, deployment.status ?? {})) {
    await client.status.update(DeploymentKind, { ...deployment, status });
  }
}

/** True when something was written: the change itself will bring the next look. */
async function carryOut(
  context: SimulationContext,
  client: Client,
  { deployment, plan }: { deployment: Deployment; plan: DeploymentPlan },
): Promise<boolean> {
  const tell = (message: string) =>
    recordEvent({ client, component: "deployment-controller", now: timestamp(context) }, DeploymentKind, deployment, {
      type: "Normal",
      reason: "ScalingReplicaSet",
      message,
    });
  if (plan.create) {
    const created = await createReplicaSet(client, deployment, plan.create);
    if (created && created.spec.replicas) {
      await tell(`Scaled up replica set ${created.metadata.name} from 0 to ${created.spec.replicas}`);
    }
  }
  for (const { replicaSet, from, to } of plan.scale) {
    await client.update(ReplicaSetKind, { ...replicaSet, spec: { ...replicaSet.spec, replicas: to } });
    await tell(`Scaled ${to > from ? "up" : "down"} replica set ${replicaSet.metadata.name} from ${from} to ${to}`);
  }
  for (const { metadata } of plan.remove) {
    await client.delete(ReplicaSetKind, { namespace: metadata.namespace, name: metadata.name ?? "" });
  }
  return plan.create !== undefined || plan.scale.length > 0;
}

/** A name that another template's ReplicaSet has taken is counted as a collision, which changes the next hash. */
async function createReplicaSet(
  client: Client,
  deployment: Deployment,
  replicaSet: ReplicaSet,
): Promise<ReplicaSet | undefined> {
  try {
    return await client.create(ReplicaSetKind, replicaSet);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
    await client.status.update(DeploymentKind, { ...deployment, status: { ...deployment.status, collisionCount } });
    return undefined;
  }
}

async function showRevision(
  client: Client,
  deployment: Deployment,
  { current, revision }: DeploymentPlan,
): Promise<boolean> {
  const show = <T extends Deployment | ReplicaSet>(object: T): T => ({
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [revisionAnnotation]: revision } },
  });
  const behind = (object: Deployment | ReplicaSet) => object.metadata.annotations?.[revisionAnnotation] !== revision;
  if (current && behind(current)) await client.update(ReplicaSetKind, show(current));
  if (!current || !behind(deployment)) return false;
  await client.update(DeploymentKind, show(deployment));
  return true;
}
