import { cloneJson } from "../../apimachinery/clone.ts";
import { findCondition, removeCondition, setCondition } from "../../apimachinery/conditions.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { Named } from "../../apimachinery/meta.ts";
import { timestamp } from "../../apimachinery/time.ts";
import type { Client } from "../../client/client.ts";
import {
  CatalogSourceKind,
  CsvKind,
  InstallPlanKind,
  OperatorGroupKind,
  SubscriptionKind,
  type CatalogSource,
  type InstallPlan,
  type ObjectReference,
  type Subscription,
} from "../../client/manifests/olm-kinds.ts";
import { enqueueAll, runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { bundleSteps } from "./bundle-steps.ts";
import { readCatalog, type CatalogBundle, resolveSubscription } from "./catalog-source-controller.ts";
import { ownCsvs } from "./copied-csvs.ts";

type Status = NonNullable<Subscription["status"]>;

/** Finds the bundle that each Subscription wants next, and creates its InstallPlan. */
export function runSubscriptions(context: SimulationContext, client: Client): Promise<void> {
  const all = enqueueAll(context, SubscriptionKind);
  const kinds = [CatalogSourceKind, InstallPlanKind, CsvKind, OperatorGroupKind];
  return runController(context, {
    sources: [watch(context, SubscriptionKind), ...kinds.map((kind) => watch(context, kind, all))],
    step: async (key) => {
      const subscription = await client.getOrUndefined(SubscriptionKind, key);
      if (subscription && !subscription.metadata.deletionTimestamp)
        await new SubscriptionStep(client, subscription, timestamp(context.clock.now())).run();
    },
  });
}

class SubscriptionStep {
  private readonly client: Client;
  private readonly subscription: Named<Subscription>;
  private readonly now: string;
  private status: Status;

  constructor(client: Client, subscription: Named<Subscription>, now: string) {
    this.client = client;
    this.subscription = subscription;
    this.now = now;
    this.status = { lastUpdated: now, ...cloneJson(subscription.status) };
  }

  async run(): Promise<void> {
    const { metadata, spec } = this.subscription;
    const key = { namespace: spec.sourceNamespace, name: spec.source };
    const source = await this.client.getOrUndefined(CatalogSourceKind, key);
    await this.readInstalled();
    if (source) await this.readCatalogHealth(source);
    const isReady = source?.status?.connectionState?.lastObservedState === "READY";
    const groups = await this.client.list(OperatorGroupKind, { namespace: metadata.namespace });
    if (isReady && groups.items.length === 1) await this.resolve(source);
    await this.write();
  }

  /** Follows the InstallPlan and the CSV that it has created. */
  private async readInstalled(): Promise<void> {
    const { namespace } = this.subscription.metadata;
    const { installPlanRef, currentCSV } = this.status;
    const plan = installPlanRef && (await this.client.getOrUndefined(InstallPlanKind, installPlanRef));
    const { phase = "Installing", conditions: ofPlan } = plan?.status ?? {};
    if (phase === "Complete" || phase === "Failed") removeCondition(this.conditions, "InstallPlanPending");
    if (phase === "Failed") this.setCondition("InstallPlanFailed", "True", "InstallComponentFailed");
    else if (plan && phase !== "Complete")
      this.setCondition("InstallPlanPending", "True", phase, findCondition(ofPlan, "Installed")?.message);
    const csv = currentCSV && (await this.client.getOrUndefined(CsvKind, { namespace, name: currentCSV }));
    if (csv) this.status = { ...this.status, installedCSV: currentCSV, state: "AtLatestKnown" };
  }

  private async readCatalogHealth(source: CatalogSource): Promise<void> {
    const { namespace = "", name = "", uid = "", resourceVersion = "" } = source.metadata;
    const { apiVersion, kind } = { apiVersion: "operators.coreos.com/v1alpha1", kind: "CatalogSource" };
    const isHealthy = source.status?.connectionState !== undefined;
    const before = this.status.catalogHealth?.[0];
    const lastUpdated = before?.healthy === isHealthy ? before.lastUpdated : this.now;
    const catalogSourceRef = { apiVersion, kind, namespace, name, uid, resourceVersion };
    this.status = { ...this.status, catalogHealth: [{ catalogSourceRef, healthy: isHealthy, lastUpdated }] };
    const reason = isHealthy ? "AllCatalogSourcesHealthy" : "UnhealthyCatalogSourceFound";
    this.setCondition("CatalogSourcesUnhealthy", isHealthy ? "False" : "True", reason);
  }

  private async resolve(source: CatalogSource): Promise<void> {
    const { namespace } = this.subscription.metadata;
    const { currentCSV, installedCSV } = this.status;
    if (currentCSV !== undefined && currentCSV !== installedCSV) return;
    const installed =
      installedCSV === undefined
        ? undefined
        : await this.client.getOrUndefined(CsvKind, { namespace, name: installedCSV });
    if (installed && installed.status?.phase !== "Succeeded") return;
    const catalog = await readCatalog(this.client, source);
    if (!catalog) return;
    const csvs = await ownCsvs(this.client, namespace);
    const found = resolveSubscription(this.subscription, catalog, { installedCSV, csvs });
    if ("problem" in found)
      return this.setCondition("ResolutionFailed", "True", "ConstraintsNotSatisfiable", found.problem);
    removeCondition(this.conditions, "ResolutionFailed");
    if (found.bundle) await this.createPlan(found.bundle, source);
  }

  private async createPlan(bundle: CatalogBundle, source: CatalogSource): Promise<void> {
    const { metadata, spec } = this.subscription;
    const { namespace = "", name, uid = "" } = metadata;
    const { installPlanApproval: approval = "Automatic" } = spec;
    const generation = (this.status.installPlanGeneration ?? 0) + 1;
    const owner = { apiVersion: "operators.coreos.com/v1alpha1", kind: "Subscription", name, uid };
    const plan = await this.client.create(InstallPlanKind, {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "InstallPlan",
      metadata: {
        generateName: "install-",
        namespace,
        ownerReferences: [{ ...owner, controller: false, blockOwnerDeletion: false }],
      },
      spec: {
        approval,
        approved: approval === "Automatic",
        clusterServiceVersionNames: [bundle.name],
        generation,
      },
    });
    const phase = approval === "Automatic" ? "Installing" : "RequiresApproval";
    const steps = bundleSteps(bundle, source, { namespace, replaces: this.status.installedCSV });
    const status: InstallPlan["status"] = { catalogSources: [spec.source], phase, plan: steps };
    const stored = await this.client.status.update(InstallPlanKind, { ...plan, status });
    const reference: ObjectReference = {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "InstallPlan",
      namespace,
      name: stored.metadata.name,
      uid: stored.metadata.uid ?? "",
      resourceVersion: stored.metadata.resourceVersion ?? "",
    };
    const { apiVersion, kind, uid: uuid } = reference;
    this.status = {
      ...this.status,
      currentCSV: bundle.name,
      installPlanGeneration: generation,
      installPlanRef: reference,
      installplan: { apiVersion, kind, name: reference.name, uuid },
      state: "UpgradePending",
    };
    this.setCondition("InstallPlanPending", "True", phase);
  }

  private get conditions(): NonNullable<Status["conditions"]> {
    return (this.status.conditions ??= []);
  }

  private setCondition(type: string, status: "True" | "False", reason: string, message?: string): void {
    setCondition(this.conditions, { type, status, reason, ...(message && { message }), lastTransitionTime: this.now });
  }

  private async write(): Promise<void> {
    if (equalJson(this.status, this.subscription.status)) return;
    const status = { ...this.status, lastUpdated: this.now };
    await this.client.status.update(SubscriptionKind, { ...this.subscription, status });
  }
}
