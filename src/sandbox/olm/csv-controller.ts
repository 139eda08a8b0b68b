import { equalJson } from "../../apimachinery/equal.ts";
import { objectKey, type Named } from "../../apimachinery/meta.ts";
import { timestamp } from "../../apimachinery/time.ts";
import type { Client } from "../../client/client.ts";
import { mergePatch } from "../../client/patches.ts";
import { enqueueForOwner } from "../../runtime/controller/handlers.ts";
import {
  CsvKind,
  OperatorGroupKind,
  type CsvObject,
  type CsvStatus,
  type OperatorGroup,
} from "../../client/manifests/olm-kinds.ts";
import { CustomResourceDefinition } from "../../client/manifests/install-crds.ts";
import { enqueueAll, runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import {
  DeploymentKind,
  SecretKind,
  ServiceAccountKind,
  ClusterRoleKind,
  RoleBindingKind,
} from "../simulation/context/simulated-kinds.ts";
import { isCopied, ownCsvs } from "./copied-csvs.ts";
import { checkRequirements, isMet } from "./csv-requirements.ts";
import { unsupportedMode } from "./operator-group-controller.ts";
import { invalidWebhooks } from "./install-webhooks.ts";
import {
  deploymentProblem,
  grantEverywhere,
  installCsv,
  installOperatorCondition,
  removeClusterObjects,
} from "./install-csv.ts";

const finalizer = "operators.coreos.com/csv-cleanup";
/** Time that an installation may take. */
const timeoutMs = 300_000;
const reinstallMs = 1_000;
/** OLM keeps the last phases of a CSV. */
const historySize = 20;
/** The reasons of the phase Failed that may pass, each with the reason of the phase Pending which follows. */
const recoveries: Readonly<Record<string, string>> = {
  RequirementsNotMet: "RequirementsNotMet",
  ComponentUnhealthy: "NeedsReinstall",
  InstallCheckFailed: "NeedsReinstall",
  UnsupportedOperatorGroup: "RequirementsUnknown",
  InterOperatorGroupOwnerConflict: "RequirementsUnknown",
  NoOperatorGroup: "RequirementsUnknown",
  TooManyOperatorGroups: "RequirementsUnknown",
};

/** Takes each ClusterServiceVersion through its phases. */
export function runCsvs(context: SimulationContext, client: Client): Promise<void> {
  const all = enqueueAll(context, CsvKind);
  const ofOwner = enqueueForOwner(CsvKind, { onlyController: false });
  return runController(context, {
    sources: [
      watch(context, CsvKind, all),
      ...[OperatorGroupKind, CustomResourceDefinition, ServiceAccountKind, RoleBindingKind, ClusterRoleKind].map(
        (kind) => watch(context, kind, all),
      ),
      watch(context, DeploymentKind, ofOwner),
      watch(context, SecretKind, ofOwner),
    ],
    step: async (key) => {
      const csv = await client.getOrUndefined(CsvKind, key);
      return csv && !isCopied(csv) ? new CsvStep(context, client, csv).run() : undefined;
    },
  });
}

class CsvStep {
  private readonly context: SimulationContext;
  private readonly client: Client;
  private readonly csv: Named<CsvObject>;
  private readonly namespace: string;
  private readonly now: string;

  constructor(context: SimulationContext, client: Client, csv: Named<CsvObject>) {
    this.context = context;
    this.client = client;
    this.csv = csv;
    this.namespace = csv.metadata.namespace ?? "";
    this.now = timestamp(context.clock.now());
  }

  async run(): Promise<number | void> {
    const { metadata } = this.csv;
    const { finalizers = [] } = metadata;
    if (metadata.deletionTimestamp) {
      if (!finalizers.includes(finalizer)) return;
      await removeClusterObjects(this.client, this.csv);
      return this.patchMetadata({ finalizers: finalizers.filter((each) => each !== finalizer) });
    }
    if (!finalizers.includes(finalizer)) return this.patchMetadata({ finalizers: [...finalizers, finalizer] });
    await installOperatorCondition(this.client, this.csv);
    const group = await this.joinGroup();
    return group && this.advance(group);
  }

  /** Returns the group of the namespace, once the CSV is annotated with it. */
  private async joinGroup(): Promise<Named<OperatorGroup> | undefined> {
    const { items } = await this.client.list(OperatorGroupKind, { namespace: this.namespace });
    const [group] = items;
    if (!group) return this.fail("NoOperatorGroup", "csv in namespace with no operatorgroups");
    if (items.length > 1) {
      const message = "csv created in namespace with multiple operatorgroups, can't pick one automatically";
      return this.fail("TooManyOperatorGroups", message);
    }
    const targets = group.status?.namespaces;
    if (!targets) return undefined;
    const annotations = {
      "olm.operatorGroup": group.metadata.name,
      "olm.operatorNamespace": this.namespace,
      "olm.targetNamespaces": targets.join(","),
    };
    const known = this.csv.metadata.annotations ?? {};
    if (equalJson({ ...known, ...annotations }, known)) return group;
    await this.patchMetadata({ annotations });
    return undefined;
  }

  private async advance(group: Named<OperatorGroup>): Promise<number | void> {
    const targets = group.status?.namespaces ?? [""];
    const unsupported = unsupportedMode(this.csv, this.namespace, targets);
    if (unsupported !== undefined) return this.fail("UnsupportedOperatorGroup", unsupported);
    if (await this.conflictsWithOther(targets))
      return this.fail("InterOperatorGroupOwnerConflict", "intersecting operatorgroups provide the same apis");
    const { phase, reason } = this.csv.status ?? {};
    switch (phase) {
      case undefined:
        return this.enter("Pending", "RequirementsUnknown", "requirements not yet checked");
      case "Pending":
        if (targets.includes("")) await grantEverywhere(this.client, this.csv);
        return this.checkBeforeInstall();
      case "InstallReady":
        return this.install(group);
      case "Installing":
        return this.awaitDeployments();
      case "Succeeded":
        return this.checkHealth();
      case "Failed":
        return this.recover(reason ?? "");
      case "Replacing":
        return this.replace();
      case "Deleting":
        return this.client.delete(CsvKind, objectKey(this.csv));
    }
  }

  private async checkBeforeInstall(): Promise<void> {
    if (this.csv.spec.install?.strategy !== "deployment")
      return this.fail("InvalidStrategy", "install strategy invalid: unrecognized install strategy");
    const requirementStatus = await checkRequirements(this.context, this.client, this.csv);
    if (!requirementStatus.every(isMet)) {
      const message = "one or more requirements couldn't be found";
      return this.enter("Pending", "RequirementsNotMet", message, { requirementStatus });
    }
    const invalid = invalidWebhooks(this.csv);
    if (invalid !== undefined) return this.fail("InvalidWebhookDescription", invalid);
    const others = await this.otherCsvs(this.namespace);
    if (others.some((other) => shareCrd(this.csv, other) && !this.isRelated(other)))
      return this.fail("OwnerConflict", "conflicting CRD owner in namespace");
    const message = "all requirements found, attempting install";
    return this.enter("InstallReady", "AllRequirementsMet", message, { requirementStatus });
  }

  private async install(group: Named<OperatorGroup>): Promise<void> {
    await installCsv(this.client, this.csv, group);
    return this.enter("Installing", "InstallSucceeded", "waiting for install components to report healthy");
  }

  private async awaitDeployments(): Promise<number | void> {
    const problem = await deploymentProblem(this.client, this.csv);
    if (!problem) {
      return this.enter("Succeeded", "InstallSucceeded", "install strategy completed with no errors");
    }
    if (problem.type === "missing") {
      // A step that can never succeed is tried again for ever, but not without a pause.
      const pause = reinstallMs - this.phaseAge();
      if (pause > 0) return pause;
      return this.enter("Pending", "NeedsReinstall", "calculated deployment install is bad");
    }
    if (problem.type === "failed") return this.fail("InstallCheckFailed", `install failed: ${problem.message}`);
    const left = timeoutMs - this.phaseAge();
    if (left <= 0) return this.fail("InstallCheckFailed", "install timeout");
    await this.enter("Installing", "InstallWaiting", `installing: ${problem.message}`);
    return left;
  }

  /** Returns the time in milliseconds for which the CSV has been in its phase. */
  private phaseAge(): number {
    return Date.parse(this.now) - Date.parse(this.csv.status?.lastTransitionTime ?? this.now);
  }

  private async checkHealth(): Promise<void> {
    const others = await this.otherCsvs(this.namespace);
    const replacement = others.find(({ spec }) => spec.replaces === this.csv.metadata.name);
    if (replacement) {
      const message = `being replaced by csv: ${replacement.metadata.name}`;
      return this.enter("Replacing", "BeingReplaced", message);
    }
    const requirementStatus = await checkRequirements(this.context, this.client, this.csv);
    if (!requirementStatus.every(isMet)) {
      return this.enter("Failed", "RequirementsNotMet", "requirements no longer met", { requirementStatus });
    }
    const problem = await deploymentProblem(this.client, this.csv);
    if (problem?.type === "missing")
      return this.enter("Pending", "NeedsReinstall", "calculated deployment install is bad");
    if (problem) return this.enter("Failed", "ComponentUnhealthy", `installing: ${problem.message}`);
  }

  /** Leaves the phase Failed once its reason is gone. */
  private async recover(reason: string): Promise<void> {
    if (reason === "InstallCheckFailed" && (await deploymentProblem(this.client, this.csv))) return undefined;
    const next = recoveries[reason];
    if (next !== undefined) return this.enter("Pending", next, "the reason of the failure is gone");
  }

  private async replace(): Promise<void> {
    const others = await this.otherCsvs(this.namespace);
    const next = others.find(({ spec }) => spec.replaces === this.csv.metadata.name);
    if (next?.status?.phase !== "Succeeded") return;
    const message = "has been replaced by a newer ClusterServiceVersion that has successfully installed.";
    return this.enter("Deleting", "Replaced", message);
  }

  private async otherCsvs(namespace?: string): Promise<Named<CsvObject>[]> {
    const csvs = await ownCsvs(this.client, namespace);
    return csvs.filter(({ metadata }) => metadata.uid !== this.csv.metadata.uid);
  }

  private async conflictsWithOther(targets: readonly string[]): Promise<boolean> {
    const others = (await this.otherCsvs()).filter(({ metadata }) => metadata.namespace !== this.namespace);
    return others.some((other) => {
      const theirs = other.metadata.annotations?.["olm.targetNamespaces"]?.split(",");
      const isActive = theirs !== undefined && other.status !== undefined && other.status.phase !== "Failed";
      if (!isActive || !shareCrd(this.csv, other)) return false;
      return targets.includes("") || theirs.includes("") || targets.some((target) => theirs.includes(target));
    });
  }

  private isRelated({ metadata, spec }: CsvObject): boolean {
    return metadata.name === this.csv.spec.replaces || spec.replaces === this.csv.metadata.name;
  }

  private async fail(reason: string, message: string): Promise<undefined> {
    await this.enter("Failed", reason, message);
  }

  private async enter(
    phase: string,
    reason: string,
    message: string,
    more: Pick<CsvStatus, "requirementStatus"> = {},
  ): Promise<void> {
    const { status: known } = this.csv;
    const { now } = this;
    const isSame = known?.phase === phase && known.reason === reason && known.message === message;
    const lastTransitionTime = known?.phase === phase ? known.lastTransitionTime : now;
    const condition = { phase, reason, message, lastTransitionTime, lastUpdateTime: now };
    const conditions = [...(known?.conditions ?? []), condition].slice(-historySize);
    const status = { ...(isSame ? known : { cleanup: {}, ...known, ...condition, conditions }), ...more };
    if (!equalJson(status, known)) await this.client.status.update(CsvKind, { ...this.csv, status });
  }

  private async patchMetadata(metadata: object): Promise<void> {
    await this.client.patch(CsvKind, objectKey(this.csv), mergePatch({ metadata }));
  }
}

/** Reports whether two CSVs own the same CRD. */
function shareCrd(a: CsvObject, b: CsvObject): boolean {
  const namesOf = ({ spec }: CsvObject): string[] =>
    spec.customresourcedefinitions?.owned?.map(({ name }) => name) ?? [];
  const names = namesOf(a);
  return namesOf(b).some((name) => names.includes(name));
}
