import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import type { Condition, KubeObject } from "../../../apimachinery/meta.ts";
import { isConflict, isNotFound } from "../../../apimachinery/status.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import type { CustomResourceDefinition as Crd } from "../../../apimachinery/crd/crd-types.ts";
import { messageOf } from "../../../errors/message-of.ts";
import type { Client } from "../../../client/client.ts";
import { CustomResourceDefinition } from "../../../client/manifests/install-crds.ts";
import { mergePatch } from "../../../client/patches.ts";
import { enqueueFromMap } from "../../../runtime/controller/handlers.ts";
import { withCondition } from "../context/workload-conditions.ts";
import { byAge, runController, watch } from "../context/run-controller.ts";
import { reactionDelay, type SimulationContext } from "../context/simulation-context.ts";
import type { ServedKinds } from "../housekeeping/served-kinds.ts";

interface Migration extends KubeObject {
  readonly spec: { readonly resource: { readonly group?: string; readonly resource: string } };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly resourceVersion?: string | undefined };
}

const MigrationKind: Kind<Migration> = defineKind({
  group: "storagemigration.k8s.io",
  version: "v1",
  kind: "StorageVersionMigration",
  plural: "storageversionmigrations",
  scope: "Cluster",
});

type Text = Pick<Condition, "reason" | "message">;

const started: Text = { reason: "MigrationRunning", message: "The migration is running" };
/** How long a kind may be unknown, because its CRD is new. */
const patienceMs = 60_000;

/** Writes all objects of the resources that migrations name, one migration of a resource at a time, the oldest first. */
export async function runMigrations(context: SimulationContext, kinds: ServedKinds): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:storage-version-migrator-controller");
  if (!kinds.find("storagemigration.k8s.io/v1", "StorageVersionMigration")) return;
  await runController(context, {
    sources: [
      watch(
        context,
        MigrationKind,
        enqueueFromMap(() => [{ name: "all" }]),
      ),
    ],
    step: async () => {
      const { items } = await client.list(MigrationKind);
      const taken = new Set<string>();
      let again: number | undefined;
      for (const migration of items.filter((one) => !isOver(one)).toSorted(byAge)) {
        const { group = "", resource } = migration.spec.resource;
        if (taken.has(`${resource}.${group}`)) continue;
        taken.add(`${resource}.${group}`);
        again = (await new MigrationRun(context, client, migration).advance(kinds)) ?? again;
      }
      return again;
    },
  });
}

function isOver({ status }: Migration): boolean {
  return (status?.conditions ?? []).some(({ type, status: is }) => type !== "Running" && is === "True");
}

class MigrationRun {
  private readonly context: SimulationContext;
  private readonly client: Client;
  private readonly key: { readonly name: string };
  private migration: Migration;

  constructor(context: SimulationContext, client: Client, migration: Migration) {
    this.context = context;
    this.client = client;
    this.migration = migration;
    this.key = { name: migration.metadata.name ?? "" };
  }

  /** Migrates; a number requests another look at a kind that is not served yet. */
  async advance(kinds: ServedKinds): Promise<number | void> {
    const { group = "", resource } = this.migration.spec.resource;
    const crd = { name: `${resource}.${group}` };
    await this.noteOnCrd(crd, "True", { ...started, message: `Migration ${this.key.name} is running` });
    await this.set("Running", "True", started);
    const isMeant = (kind: Kind): boolean => kind.group === group && kind.plural === resource;
    if (!kinds.having().some(isMeant)) {
      const age = this.context.clock.now() - Date.parse(this.migration.metadata.creationTimestamp ?? "");
      return age < patienceMs ? reactionDelay(this.context) : this.fail("resource does not exist in discovery");
    }
    const kind = kinds.having("list", "patch", "update").find(isMeant);
    if (!kind) return this.fail(`resource ${resource} does not support discovery operations: [update patch list]`);
    const { items, metadata } = await this.client.list(kind);
    await this.write({ resourceVersion: metadata.resourceVersion });
    for (const [at, object] of items.entries()) {
      const { namespace, name, resourceVersion } = object.metadata;
      try {
        await this.client.patch(kind, { namespace, name }, mergePatch({ metadata: { resourceVersion } }));
      } catch (error) {
        // Whoever has written it has migrated it.
        if (isConflict(error) || isNotFound(error)) continue;
        const left = `${items.length - at}/${items.length} not yet migrated`;
        return this.fail(`${left}. migration encountered unhandled error: ${messageOf(error)}`);
      }
    }
    const verified = items.length > 0 ? `, ${items.length} objects verified migrated` : "";
    await this.set("Running", "True", { ...started, message: started.message + verified });
    await this.set("Succeeded", "True", {
      reason: "StorageVersionMigrationSucceeded",
      message: "Migration completed",
    });
    await this.finish(true);
  }

  private async fail(message: string): Promise<void> {
    await this.set("Failed", "True", { reason: "StorageVersionMigrationFailed", message });
    await this.finish(false);
  }

  private async finish(isDone: boolean): Promise<void> {
    const { group = "", resource } = this.migration.spec.resource;
    const reason = isDone ? "MigrationSucceeded" : "MigrationFailed";
    const message = `The migration has ${isDone ? "succeeded" : "failed"}`;
    await this.noteOnCrd({ name: `${resource}.${group}` }, "False", { reason, message });
    await this.set(
      "Running",
      "False",
      { reason: "MigrationCompleted", message: "Migration completed" },
      this.migration.metadata.generation,
    );
  }

  /** Sets a condition of the CRD, if the resource has one, and at the end the versions in which objects are stored. */
  private async noteOnCrd(key: { readonly name: string }, is: "True" | "False", text: Text): Promise<void> {
    const crd = (await this.client.getOrUndefined(CustomResourceDefinition, key)) as unknown as Crd | undefined;
    if (!crd) return;
    const conditions: readonly Condition[] = crd.status?.conditions ?? [];
    const before = conditions.find(({ type }) => type === "StorageMigrating");
    const { generation, resourceVersion } = crd.metadata;
    const storage = crd.spec.versions.find((version) => version.storage)?.name;
    const isStored = is === "False" && before?.observedGeneration === generation;
    const status = {
      conditions: this.withCondition(conditions, { type: "StorageMigrating", status: is, ...text }, generation),
      ...(isStored && storage !== undefined && { storedVersions: [storage] }),
    };
    await this.client.status.patch(
      CustomResourceDefinition,
      key,
      mergePatch({ metadata: { resourceVersion }, status }),
    );
  }

  private set(type: string, is: "True" | "False", text: Text, generation?: number): Promise<void> {
    const before = this.migration.status?.conditions ?? [];
    return this.write({ conditions: this.withCondition(before, { type, status: is, ...text }, generation) });
  }

  private withCondition(
    conditions: readonly Condition[],
    told: Pick<Condition, "type" | "status"> & Text,
    observedGeneration?: number,
  ): Condition[] {
    const lastTransitionTime = timestamp(this.context.clock.now());
    const condition = { ...told, lastTransitionTime, ...(observedGeneration !== undefined && { observedGeneration }) };
    return withCondition<Condition>(conditions, condition, lastTransitionTime);
  }

  private async write(status: NonNullable<Migration["status"]>): Promise<void> {
    const { resourceVersion } = this.migration.metadata;
    const change = mergePatch({ metadata: { resourceVersion }, status });
    this.migration = await this.client.status.patch(MigrationKind, this.key, change);
  }
}
