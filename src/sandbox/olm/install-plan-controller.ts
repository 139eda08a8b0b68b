import type { Kind } from "../../apimachinery/kind.ts";
import { objectKey, type Named, type UnstructuredObject } from "../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../apimachinery/status.ts";
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
} from "../../client/manifests/olm-kinds.ts";
import { CustomResourceDefinition, isCrd, untilCrdsServed } from "../../client/manifests/install-crds.ts";
import { alongsideAnnotation } from "./csv-requirements.ts";
import { hashOf, ownerReference } from "./owned-names.ts";
import { runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";

/** Time after which a plan fails whose steps do not succeed. */
const timeoutMs = 60_000;
const retryMs = 1_000;

/** Runs the steps of InstallPlans that are approved. */
export function runInstallPlans(context: SimulationContext, client: Client): Promise<void> {
  return runController(context, {
    sources: [watch(context, InstallPlanKind)],
    step: async (key) => {
      const plan = await client.getOrUndefined(InstallPlanKind, key);
      if (!plan?.status || plan.metadata.deletionTimestamp || /^(Complete|Failed)$/.test(plan.status.phase)) return;
      if (plan.status.phase === "RequiresApproval" && !plan.spec.approved) return;
      return execute(client, plan, timestamp(context.clock.now()));
    },
  });
}

type PlanStatus = NonNullable<InstallPlan["status"]>;

function installed(status: "True" | "False", now: string, why: { reason?: string; message?: string } = {}) {
  return { type: "Installed", status, ...why, lastTransitionTime: now, lastUpdateTime: now };
}

async function execute(client: Client, plan: Named<InstallPlan>, now: string): Promise<number | void> {
  const write = (change: Partial<PlanStatus>): Promise<void> => setStatus(client, plan, { ...plan.status!, ...change });
  const { phase, startTime = now, message: before, ...known } = plan.status!;
  if (phase === "RequiresApproval") return write({ phase: "Installing", startTime });
  const steps = [...(known.plan ?? [])];
  for (const [index, step] of steps.entries()) {
    if (step.status === "Created" || step.status === "Present") continue;
    try {
      steps[index] = { ...step, status: await runStep(client, plan, step) };
    } catch (error) {
      const message = `${step.resource.kind} ${step.resource.name}: ${messageOf(error)}`;
      if (Date.parse(now) - Date.parse(startTime) <= timeoutMs) {
        if (message !== before) await write({ plan: steps, message, startTime });
        return retryMs;
      }
      const conditions = [installed("False", now, { reason: "InstallComponentFailed", message })];
      return write({ plan: steps, message, phase: "Failed", conditions });
    }
  }
  const conditions = [installed("True", now)];
  await setStatus(client, plan, { ...known, plan: steps, phase: "Complete", startTime, conditions });
}

/** Replaces the status, which no other controller changes. */
async function setStatus(client: Client, plan: Named<InstallPlan>, status: PlanStatus): Promise<void> {
  const patch = jsonPatch([{ op: "replace", path: "/status", value: status }]);
  await client.status.patch(InstallPlanKind, objectKey(plan), patch);
}

async function runStep(client: Client, plan: Named<InstallPlan>, step: InstallStep): Promise<"Created" | "Present"> {
  const object = JSON.parse(step.resource.manifest ?? "null") as UnstructuredObject;
  const status = await createStep(client, plan, { object, resolving: step.resolving });
  if (isCrd(object)) await untilCrdsServed(client, [object]);
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

/** Places an object in the namespace of its plan, with its owner. */
function placed(
  object: UnstructuredObject,
  { scope }: Kind,
  { plan, csv }: { plan: InstallPlan["metadata"]; csv: Named<CsvObject> | undefined },
): UnstructuredObject {
  const { metadata } = object;
  const labels = { ...metadata.labels, "olm.managed": "true" };
  return {
    ...object,
    metadata: {
      ...metadata,
      labels,
      ...(scope === "Namespaced" && plan.namespace !== undefined && { namespace: plan.namespace }),
      ...(csv && scope === "Namespaced" && { ownerReferences: [ownerReference(csv)] }),
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
      labels: { ...crd.metadata.labels, "olm.managed": "true" },
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
