import { equalJson } from "../../apimachinery/equal.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import type { Named, UnstructuredObject } from "../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../apimachinery/status.ts";
import { timestamp } from "../../apimachinery/time.ts";
import { messageOf } from "../../errors/message-of.ts";
import type { Client } from "../../client/client.ts";
import {
  CsvKind,
  InstallPlanKind,
  type CsvObject,
  type InstallPlan,
  type InstallStep,
} from "../../manifests/olm-kinds.ts";
import { CustomResourceDefinition, isCrd, untilCrdsServed } from "../../manifests/install-crds.ts";
import { alongsideAnnotation } from "./csv-requirements.ts";
import { hashOf } from "./owned-names.ts";
import { runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";

/** Time after which a plan fails whose steps do not succeed. */
const timeoutMs = 60_000;
const retryMs = 1_000;

/** Runs the steps of InstallPlans that are approved. */
export function runInstallPlans(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:olm:olm-operator-serviceaccount");
  return runController(context, {
    sources: [watch(context, InstallPlanKind)],
    step: async (key) => {
      const plan = await client.getOrUndefined(InstallPlanKind, key);
      const phase = plan?.status?.phase;
      if (!plan?.status || plan.metadata.deletionTimestamp || phase === "Complete" || phase === "Failed") return;
      if (phase === "RequiresApproval" && !plan.spec.approved) return;
      return execute(client, plan, timestamp(context.clock.now()));
    },
  });
}

async function execute(client: Client, plan: Named<InstallPlan>, now: string): Promise<number | void> {
  const write = async (change: Partial<NonNullable<InstallPlan["status"]>>): Promise<void> => {
    const status = { ...plan.status!, ...change };
    if (!equalJson(status, plan.status)) await client.status.update(InstallPlanKind, { ...plan, status });
  };
  const { phase, startTime = now } = plan.status!;
  if (phase === "RequiresApproval") return write({ phase: "Installing", startTime });
  const steps: InstallStep[] = [];
  const pending = plan.status!.plan ?? [];
  try {
    for (const step of pending)
      steps.push(isDone(step) ? step : { ...step, status: await createStep(client, plan, step) });
  } catch (error) {
    const message = messageOf(error);
    const all = [...steps, ...pending.slice(steps.length)];
    const isOver = Date.parse(now) - Date.parse(startTime) > timeoutMs;
    const failed = { type: "Installed", status: "False", reason: "InstallComponentFailed", message };
    const times = { lastTransitionTime: now, lastUpdateTime: now };
    await write({
      plan: all,
      message,
      startTime,
      ...(isOver && { phase: "Failed", conditions: [{ ...failed, ...times }] }),
    });
    return isOver ? undefined : retryMs;
  }
  const installed = { type: "Installed", status: "True", lastTransitionTime: now, lastUpdateTime: now };
  const { message: _, ...status } = plan.status!;
  const done = { ...status, plan: steps, phase: "Complete", startTime, conditions: [installed] };
  await client.status.update(InstallPlanKind, { ...plan, status: done });
}

function isDone({ status }: InstallStep): boolean {
  return status === "Created" || status === "Present";
}

async function createStep(
  client: Client,
  { metadata }: InstallPlan,
  { resource, resolving }: InstallStep,
): Promise<"Created" | "Present"> {
  const object = JSON.parse(resource.manifest ?? "null") as UnstructuredObject;
  if (isCrd(object)) return createCrd(client, object, { plan: metadata, csv: resolving });
  const kind = await client.kindFor(object.apiVersion ?? "", object.kind ?? "");
  const csv =
    kind.kind === CsvKind.kind
      ? undefined
      : await client.get(CsvKind, { namespace: metadata.namespace, name: resolving });
  return createObject(client, kind, placed(object, kind, { plan: metadata, csv }));
}

/** Places an object in the namespace of its plan, with the labels of its package and its owner. */
function placed(
  object: UnstructuredObject,
  { scope }: Kind,
  { plan, csv }: { plan: InstallPlan["metadata"]; csv: Named<CsvObject> | undefined },
): UnstructuredObject {
  const { metadata } = object;
  const labels = { ...metadata.labels, "olm.managed": "true", ...plan.labels };
  const { uid = "", name = "" } = csv?.metadata ?? {};
  const owner = { apiVersion: "operators.coreos.com/v1alpha1", kind: "ClusterServiceVersion", name, uid };
  const isOwned = csv && scope === "Namespaced";
  return {
    ...object,
    metadata: {
      ...metadata,
      labels,
      ...(scope === "Namespaced" && plan.namespace !== undefined && { namespace: plan.namespace }),
      ...(isOwned && { ownerReferences: [{ ...owner, controller: false, blockOwnerDeletion: false }] }),
    },
  };
}

/** Creates an object. One that exists gets the content, and keeps its other owners. */
async function createObject(client: Client, kind: Kind, object: UnstructuredObject): Promise<"Created" | "Present"> {
  try {
    await client.create(kind, object);
    return "Created";
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    if (kind.kind === CsvKind.kind) return "Present";
    const { namespace, name = "" } = object.metadata;
    const existing = await client.get(kind as Kind<UnstructuredObject>, { namespace, name });
    const { resourceVersion = "", ownerReferences = [] } = existing.metadata;
    const owners = [...ownerReferences, ...(object.metadata.ownerReferences ?? [])];
    const unique = owners.filter(({ uid }, index) => owners.findIndex((each) => each.uid === uid) === index);
    const metadata = { ...object.metadata, resourceVersion, ownerReferences: unique };
    const isService = kind.kind === "Service" && kind.group === "";
    const spec = isService ? { spec: { ...(existing["spec"] as object), ...(object["spec"] as object) } } : {};
    await client.update(kind, { ...object, ...spec, metadata });
    return "Present";
  }
}

async function createCrd(
  client: Client,
  crd: UnstructuredObject,
  { plan, csv }: { readonly plan: InstallPlan["metadata"]; readonly csv: string },
): Promise<"Created" | "Present"> {
  const owner = `${plan.namespace}/${csv}`;
  const annotations = { ...crd.metadata.annotations, [alongsideAnnotation + hashOf(owner).slice(0, 15)]: owner };
  const object = {
    ...crd,
    metadata: {
      ...crd.metadata,
      annotations,
      labels: { ...crd.metadata.labels, "olm.managed": "true", ...plan.labels },
    },
  };
  const existing = await client.getOrUndefined(CustomResourceDefinition, { name: crd.metadata.name ?? "" });
  if (!existing) {
    await client.create(CustomResourceDefinition, object);
    await untilCrdsServed(client, [object]);
    return "Created";
  }
  checkStoredVersions(existing, object);
  const { resourceVersion = "" } = existing.metadata;
  const metadata = {
    ...object.metadata,
    labels: { ...existing.metadata.labels, ...object.metadata.labels },
    annotations: { ...existing.metadata.annotations, ...annotations },
    resourceVersion,
  };
  await client.update(CustomResourceDefinition, { ...object, metadata });
  await untilCrdsServed(client, [object]);
  return "Present";
}

/** Refuses a CRD that lacks a version in which objects may be stored. */
function checkStoredVersions(existing: UnstructuredObject, next: UnstructuredObject): void {
  const { storedVersions = [] } = existing["status"] as { storedVersions?: string[] };
  const { versions } = next["spec"] as { versions: { name: string }[] };
  const lost = storedVersions.find((name) => !versions.some((each) => each.name === name));
  if (lost === undefined) return;
  const reason = `new CRD removes version ${lost} that is listed as a stored version on the existing CRD`;
  throw new Error(`risk of data loss updating ${JSON.stringify(next.metadata.name)}: ${reason}`);
}
