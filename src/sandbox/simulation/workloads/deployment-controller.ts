import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectKey } from "../../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../../apimachinery/status.ts";
import type { Client } from "../../../client/client.ts";
import { claimObjects, isRefusal, retryMs, watchClaims } from "./controlled-pods.ts";
import {
  planDeployment,
  type DeploymentPlan,
  limits,
  wanted,
  newestAnnotations,
  revisionAnnotation,
  sizeAnnotations,
} from "./deployment-plan.ts";
import { deadlineIn, deploymentStatus } from "./deployment-status.ts";
import { runController } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import {
  DeploymentKind,
  ReplicaSetKind,
  type Deployment,
  type ReplicaSet,
  type WorkloadCondition,
} from "../context/simulated-kinds.ts";
import { moveCondition } from "../context/workload-conditions.ts";

/** Rolls out deployments by ReplicaSets, one step in each round. */
export function runDeployments(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:deployment-controller");
  return runController(context, {
    sources: watchClaims(context, DeploymentKind, {
      owned: ReplicaSetKind,
      selectorOf: ({ spec }) => spec.selector,
    }),
    step: (key) => stepDeployment(context, client, key),
  });
}

async function stepDeployment(context: SimulationContext, client: Client, key: ObjectKey): Promise<number | void> {
  const deployment = await client.getOrUndefined(DeploymentKind, key);
  if (!deployment) return;
  const all = await client.list(ReplicaSetKind, { namespace: key.namespace });
  const claimant = { kind: DeploymentKind, owner: deployment, selector: deployment.spec.selector };
  const owned = await claimObjects(client, claimant, { kind: ReplicaSetKind, items: all.items });
  if (!deployment.metadata.deletionTimestamp) {
    const plan = planDeployment(deployment, owned);
    const step = { context, client, deployment };
    if (await updateRevision(step, plan)) return;
    const outcome = await applyPlan(step, plan);
    if (outcome !== undefined) return outcome === "refused" ? retryMs : undefined;
  }
  const status = deploymentStatus(deployment, owned, timestamp(context.clock.now()));
  if (!equalJson(status, deployment.status ?? {})) {
    await client.status.update(DeploymentKind, { ...deployment, status });
  }
  return deadlineIn({ ...deployment, status }, context.clock.now());
}

interface Step {
  readonly context: SimulationContext;
  readonly client: Client;
  readonly deployment: Deployment;
}

/** Applies a plan. Returns `"written"` if an object was written, whose change starts the next round. */
async function applyPlan(
  { context, client, deployment }: Step,
  plan: DeploymentPlan,
): Promise<"written" | "refused" | undefined> {
  const recorder = context.recorder(client, "deployment-controller");
  const record = (message: string) => recorder.event(deployment, "Normal", "ScalingReplicaSet", message);
  if (plan.create) {
    const created = await createReplicaSet(client, deployment, plan.create);
    if (created instanceof Error) {
      const message = `Failed to create new replica set "${plan.create.metadata.name}": ${created.message}`;
      recorder.event(deployment, "Warning", "ReplicaSetCreateError", message);
      await tellRefusal(client, deployment, { message, now: timestamp(context.clock.now()) });
      return "refused";
    }
    if (created?.spec.replicas) {
      record(`Scaled up replica set ${created.metadata.name} from 0 to ${created.spec.replicas}`);
    }
    const why = { reason: "NewReplicaSetCreated", message: `Created new replica set "${created?.metadata.name}"` };
    if (created)
      await writeRevision(client, deployment, { revision: plan.revision, why, now: timestamp(context.clock.now()) });
  }
  for (const { replicaSet, from, to } of plan.scale) {
    const size = sizeAnnotations(wanted(deployment), limits(deployment).maxSurge);
    const annotations = { ...replicaSet.metadata.annotations, ...size };
    const metadata = { ...replicaSet.metadata, annotations };
    await client.update(ReplicaSetKind, { ...replicaSet, metadata, spec: { ...replicaSet.spec, replicas: to } });
    record(`Scaled ${to > from ? "up" : "down"} replica set ${replicaSet.metadata.name} from ${from} to ${to}`);
  }
  for (const { metadata } of plan.remove) {
    await client.delete(ReplicaSetKind, { namespace: metadata.namespace, name: metadata.name ?? "" });
  }
  return plan.create !== undefined || plan.scale.length > 0 ? "written" : undefined;
}

/**
 * Creates a ReplicaSet. If its name is taken, counts a collision, which changes the next hash. Returns the error of a
 * server that refuses it.
 */
async function createReplicaSet(
  client: Client,
  deployment: Deployment,
  replicaSet: ReplicaSet,
): Promise<ReplicaSet | Error | undefined> {
  try {
    return await client.create(ReplicaSetKind, replicaSet);
  } catch (error) {
    if (isRefusal(error)) return error;
    if (!isAlreadyExists(error)) throw error;
    const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
    await client.status.update(DeploymentKind, { ...deployment, status: { ...deployment.status, collisionCount } });
    return undefined;
  }
}

/** Reports in the status that the current template has no ReplicaSet. */
async function tellRefusal(
  client: Client,
  deployment: Deployment,
  { message, now }: { readonly message: string; readonly now: string },
): Promise<void> {
  const { status = {} } = deployment;
  const why = { type: "Progressing", status: "False", reason: "ReplicaSetCreateError", message } as const;
  const conditions = moveCondition(status.conditions ?? [], why, now);
  if (equalJson(conditions, status.conditions)) return;
  await client.status.update(DeploymentKind, { ...deployment, status: { ...status, conditions } });
}

/** Updates the newest ReplicaSet, and the revision in its annotations and the deployment's. Returns true if it wrote. */
async function updateRevision(
  { context, client, deployment }: Step,
  { current, revision }: DeploymentPlan,
): Promise<boolean> {
  if (!current) return false;
  const annotations = newestAnnotations(deployment, current, revision);
  const { minReadySeconds = 0 } = deployment.spec;
  const isRetimed = (current.spec.minReadySeconds ?? 0) !== minReadySeconds;
  if (isRetimed || !equalJson(annotations, current.metadata.annotations ?? {})) {
    const spec = { ...current.spec, minReadySeconds };
    await client.update(ReplicaSetKind, { ...current, metadata: { ...current.metadata, annotations }, spec });
    return true;
  }
  const isNamed = deployment.status?.conditions?.some(({ type }) => type === "Progressing");
  if (isNamed && deployment.metadata.annotations?.[revisionAnnotation] === revision) return false;
  const why = { reason: "FoundNewReplicaSet", message: `Found new replica set "${current.metadata.name}"` };
  await writeRevision(client, deployment, {
    revision,
    why: isNamed ? undefined : why,
    now: timestamp(context.clock.now()),
  });
  return true;
}

interface RevisionChange {
  readonly revision: string;
  readonly why: Pick<WorkloadCondition, "reason" | "message"> | undefined;
  readonly now: string;
}

/** Writes the revision with the status, so that the generation of the deployment does not change. */
async function writeRevision(
  client: Client,
  deployment: Deployment,
  { revision, why, now }: RevisionChange,
): Promise<void> {
  const { metadata, status = {} } = deployment;
  const annotations = { ...metadata.annotations, [revisionAnnotation]: revision };
  const { conditions = [] } = status;
  const moved = why ? moveCondition(conditions, { type: "Progressing", status: "True", ...why }, now) : conditions;
  await client.status.update(DeploymentKind, {
    ...deployment,
    metadata: { ...metadata, annotations },
    status: { ...status, ...(moved.length > 0 && { conditions: moved }) },
  });
}
