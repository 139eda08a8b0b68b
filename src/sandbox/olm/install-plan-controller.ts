import { equalJson } from "../../apimachinery/equal.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import { objectKey, type Named, type UnstructuredObject } from "../../apimachinery/meta.ts";
import { isAlreadyExists, isForbidden } from "../../apimachinery/status.ts";
import { timestamp } from "../../apimachinery/time.ts";
import { messageOf } from "../../errors/message-of.ts";
import type { Client } from "../../client/client.ts";
import { jsonPatch } from "../../client/patches.ts";
import {
  CsvKind,
  InstallPlanKind,
  type CsvObject,
  type InstallPlan,
  type InstallStep,
  type ObjectReference,
} from "../../manifests/olm-kinds.ts";
import { CustomResourceDefinition, isCrd, untilCrdsServed } from "../../manifests/install-crds.ts";
import { alongsideAnnotation } from "./csv-requirements.ts";
import { clientOf, findAccount } from "./installing-account.ts";
import { olmUser } from "./olm-user.ts";
import { hashOf } from "./owned-names.ts";
import { runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";

/** Time after which a plan fails whose steps do not succeed. */
const timeoutMs = 60_000;
const retryMs = 1_000;

/** Runs the steps of InstallPlans that are approved. */
export function runInstallPlans(context: SimulationContext): Promise<void> {
  const client = context.clientFor(olmUser);
  return runController(context, {
    sources: [watch(context, InstallPlanKind)],
    step: async (key) => {
      const plan = await client.getOrUndefined(InstallPlanKind, key);
      const phase = plan?.status?.phase;
      if (!plan?.status || plan.metadata.deletionTimestamp || phase === "Complete" || phase === "Failed") return;
      const now = timestamp(context.clock.now());
      const found = await findAccount(client, key.namespace);
      if ("problem" in found) {
        await refuse(client, plan, { message: found.problem, now });
        return retryMs;
      }
      if (await attach(client, plan, found.account)) return;
      if (phase === "RequiresApproval" && !plan.spec.approved) return;
      return execute({ own: client, scoped: clientOf(context, found.account, client) }, plan, now);
    },
  });
}

/** Reports that nobody can install the plan; it waits. */
async function refuse(
  client: Client,
  plan: Named<InstallPlan>,
  { message, now }: { readonly message: string; readonly now: string },
): Promise<void> {
  const failed = { type: "Installed", status: "False", reason: "InstallCheckFailed", message } as const;
  if (plan.status?.conditions?.some((each) => each.message === message)) return;
  const conditions = [{ ...failed, lastTransitionTime: now, lastUpdateTime: now }];
  await setStatus(client, plan, { ...plan.status!, conditions });
}

/** Notes the account of the plan, and that it is refused no longer; reports whether there was a change. */
async function attach(
  client: Client,
  plan: Named<InstallPlan>,
  account: ObjectReference | undefined,
): Promise<boolean> {
  const { conditions, attenuatedServiceAccountRef: known, ...rest } = plan.status!;
  const others = conditions?.filter(({ reason }) => reason !== "InstallCheckFailed") ?? [];
  const reference = account ?? known;
  const status = {
    ...rest,
    ...(others.length > 0 && { conditions: others }),
    ...(reference && { attenuatedServiceAccountRef: reference }),
  };
  if (equalJson(status, plan.status)) return false;
  await setStatus(client, plan, status);
  return true;
}

/** The clients of OLM, which writes the plan, and of the account that runs its steps. */
interface PlanClients {
  readonly own: Client;
  readonly scoped: Client;
}

async function execute(
  { own: client, scoped }: PlanClients,
  plan: Named<InstallPlan>,
  now: string,
): Promise<number | void> {
  const write = async (change: Partial<NonNullable<InstallPlan["status"]>>): Promise<void> => {
    const status = { ...plan.status!, ...change };
    if (!equalJson(status, plan.status)) await setStatus(client, plan, status);
  };
  const { phase, startTime = now } = plan.status!;
  if (phase === "RequiresApproval") return write({ phase: "Installing", startTime });
  const steps: InstallStep[] = [];
  const pending = plan.status!.plan ?? [];
  try {
    for (const step of pending)
      steps.push(isDone(step) ? step : { ...step, status: await runStep({ own: client, scoped }, plan, step) });
  } catch (error) {
    const { kind, name } = pending[steps.length]!.resource;
    const reason = `${kind === CsvKind.kind ? `error creating csv ${name}: ` : ""}${messageOf(error)}`;
    const all = [...steps, ...pending.slice(steps.length)];
    // A service account may get more permissions at any time.
    const isOver = Date.parse(now) - Date.parse(startTime) > timeoutMs && !isForbidden(error);
    const message = isOver ? reason : `retrying execution due to error: ${reason}`;
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
  await setStatus(client, plan, { ...status, plan: steps, phase: "Complete", startTime, conditions: [installed] });
}

/** Replaces the status, which no other controller changes, even if the plan gets a label meanwhile. */
async function setStatus(
  client: Client,
  plan: Named<InstallPlan>,
  status: NonNullable<InstallPlan["status"]>,
): Promise<void> {
  const patch = jsonPatch([{ op: "replace", path: "/status", value: status }]);
  await client.status.patch(InstallPlanKind, objectKey(plan), patch);
}

function isDone({ status }: InstallStep): boolean {
  return status === "Created" || status === "Present";
}

async function runStep(
  { own, scoped }: PlanClients,
  plan: Named<InstallPlan>,
  step: InstallStep,
): Promise<"Created" | "Present"> {
  const object = JSON.parse(step.resource.manifest ?? "null") as UnstructuredObject;
  const status = await createStep(scoped, plan, { object, resolving: step.resolving });
  // An account that may create a CRD may not be able to list its objects.
  if (isCrd(object)) await untilCrdsServed(own, [object]);
  return status;
}

async function createStep(
  client: Client,
  { metadata }: InstallPlan,
  { object, resolving }: { readonly object: UnstructuredObject; readonly resolving: string },
): Promise<"Created" | "Present"> {
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
