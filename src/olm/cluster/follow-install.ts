import { objectKey } from "../../apimachinery/meta.ts";
import { retryOnConflict } from "../../client/retry-on-conflict.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import {
  CatalogSourceKind,
  CsvKind,
  InstallPlanKind,
  OperatorGroupKind,
  SubscriptionKind,
  type CsvObject,
} from "../../client/manifests/olm-kinds.ts";
import { explainCsv } from "./describe-deployment.ts";
import { pendingOf, poll, type OlmHost } from "./olm-host.ts";
import { podState } from "./pod-state.ts";
import { PodKind } from "./kinds.ts";

/** The installation that a subscription is waited for. */
export interface Followed {
  readonly subscription: string;
  readonly csv: string;
  /** Time in milliseconds since 1970. */
  readonly deadline: number;
}

/** Approves the InstallPlan of a CSV, and waits until OLM has installed it. */
export async function followInstall(host: OlmHost, followed: Followed): Promise<void> {
  const { client, namespace } = host;
  const { csv, deadline } = followed;
  host.emit(`waiting for the InstallPlan of ${csv}`);
  const plan = await poll(host, deadline, {
    async ask() {
      const { items } = await client.list(InstallPlanKind, { namespace });
      return items.find(({ spec, status }) => status !== undefined && spec.clusterServiceVersionNames.includes(csv));
    },
    explain: () => explainNoPlan(host, followed),
  });
  await retryOnConflict(async () => {
    const current = await client.get(InstallPlanKind, objectKey(plan));
    if (!current.spec.approved)
      await client.update(InstallPlanKind, { ...current, spec: { ...current.spec, approved: true } });
  });
  host.emit(`approved InstallPlan ${plan.metadata.name}`);
  await awaitCsv(host, followed, plan.metadata.name);
}

async function awaitCsv(host: OlmHost, { csv, deadline }: Followed, plan: string): Promise<void> {
  const { client, namespace } = host;
  const show = pendingOf(host);
  const failed = async (found: CsvObject, state: string): Promise<Error> => {
    const lines = [state, ...(await explainCsv(host, found))];
    return new TsopError("TSOP_OLM_FAILED", { what: csv, reason: lines.join("\n  ") });
  };
  await poll(host, deadline, {
    async ask() {
      const found = await client.getOrUndefined(CsvKind, { namespace, name: csv });
      const { phase, reason = "", message = "" } = found?.status ?? {};
      const planned = (await client.getOrUndefined(InstallPlanKind, { namespace, name: plan }))?.status;
      // The CSV does not say why an object is missing that the plan has not created.
      const unfinished = planned?.phase === "Complete" ? undefined : planned?.message;
      const rows = [
        ...(phase === undefined ? [] : [{ name: csv, state: `${phase} (${reason}): ${message}` }]),
        ...(unfinished ? [{ name: `InstallPlan ${plan}`, state: unfinished }] : []),
      ];
      if (rows.length > 0) show(rows);
      // OLM recovers from this reason: it may miss a service account while the replaced CSV is deleted.
      if (phase === "Failed" && reason !== "RequirementsNotMet") throw await failed(found!, `${reason}: ${message}`);
      if (phase === "Succeeded") return true;
      if (phase === undefined && planned?.phase === "Failed")
        throw new TsopError("TSOP_OLM_FAILED", { what: `InstallPlan ${plan}`, reason: planned.message ?? "" });
      return undefined;
    },
    async explain() {
      const found = await client.getOrUndefined(CsvKind, { namespace, name: csv });
      if (found) return failed(found, `${found.status?.phase}: ${found.status?.message}`);
      const { status } = await client.get(InstallPlanKind, { namespace, name: plan });
      const lookups = status?.bundleLookups?.flatMap(({ conditions = [] }) => conditions) ?? [];
      const why = lookups.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
      const refused = status?.conditions?.filter((each) => each.status === "False") ?? [];
      const groups = await client.list(OperatorGroupKind, { namespace });
      const problems = groups.items.flatMap((group) => group.status?.conditions ?? []);
      const reasons = [...refused, ...problems].map(({ reason, message }) => `${reason}: ${message}`);
      const state = [`phase ${status?.phase}`, status?.message, ...why, ...reasons].filter(Boolean).join("; ");
      return new TsopError("TSOP_OLM_TIMEOUT", { what: `InstallPlan ${plan}`, state });
    },
  });
}

interface PodContainers {
  readonly containers: readonly { readonly name: string }[];
}

/** Names the reasons of the Subscription, and the pods that OLM runs to unpack a bundle's image. */
async function explainNoPlan({ client, namespace }: OlmHost, { subscription, csv }: Followed): Promise<Error> {
  const found = await client.getOrUndefined(SubscriptionKind, { namespace, name: subscription });
  const source = found && (await client.getOrUndefined(CatalogSourceKind, { namespace, name: found.spec.source }));
  const conditions = (found?.status?.conditions ?? [])
    .filter(({ type, status }) => status === "True" && type !== "InstallPlanPending")
    .map(({ type, reason, message }) => [type, reason, message].filter(Boolean).join(": "));
  const connection = source?.status?.connectionState?.lastObservedState;
  const isUnpacking = conditions.some((text) => text.startsWith("BundleUnpacking"));
  const pods = isUnpacking ? await client.list(PodKind, { namespace: found?.spec.sourceNamespace }) : { items: [] };
  const unpacking = pods.items
    .filter((pod) => (pod["spec"] as PodContainers).containers.some(({ name }) => name === "extract"))
    .map((pod) => `pod ${pod.metadata.name}: ${podState(pod)}`);
  const state = [
    ...conditions,
    ...unpacking,
    source
      ? `catalog ${source.metadata.name}: ${connection ?? source.status?.message ?? "not connected"}`
      : "there is no catalog",
  ].join("; ");
  return new TsopError("TSOP_OLM_TIMEOUT", { what: `an InstallPlan of ${csv}`, state });
}
