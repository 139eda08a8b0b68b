import { metadataOnly, type Kind } from "../../apimachinery/kind.ts";
import { objectKey, type Named } from "../../apimachinery/meta.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { mergePatch } from "../../client/patches.ts";
import { Lease } from "../../runtime/leader-election/lease-object.ts";
import { NamespaceKind } from "../simulation/context/simulated-kinds.ts";
import { runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import type { ServedKinds } from "../simulation/housekeeping/served-kinds.ts";
import {
  hashKeyOf,
  membersOf,
  namespaceMatcherOf,
  type RingMember,
  type HashRing,
  enqueueRing,
  shardsOf,
  type HashRings,
  memberOf,
} from "./hash-ring.ts";
import { ControllerRing, drainLabel, shardLabel } from "../../runtime/sharding/controller-ring.ts";
import { issueCertificates } from "../../apimachinery/certificates/issue-certificates.ts";
import { createJsonPatch } from "../../apimachinery/patch/json-patch.ts";
import { discardLogger } from "../../runtime/log/logger.ts";
import { startHttpServer } from "../../runtime/servers/http-server.ts";
import { admission, type AdmissionHandler } from "../../runtime/webhook/admission.ts";
import { standaloneWebhook } from "../../runtime/webhook/admission-endpoint.ts";

const syncPeriodMs = 5 * 60_000;

/** Moves the objects of each ring to their shards when shards come or go, and every five minutes. */
export function runSharder(
  context: SimulationContext,
  client: Client,
  { kinds, rings }: { readonly kinds: ServedKinds; readonly rings: HashRings },
): Promise<void> {
  return runController(context, {
    sources: [watch(context, ControllerRing), watch(context, Lease, enqueueRing(context))],
    step: async ({ name }) => {
      const ring = await client.getOrUndefined(ControllerRing, { name });
      if (!ring || ring.metadata.deletionTimestamp) return;
      const shards = await shardsOf(client, name, context.clock.now());
      const move = new Movement(client, ring, { available: new Set(shards.available), hashes: rings.of(name, shards) });
      const namespaces = await namespacesOf(client, ring);
      const failures: unknown[] = [];
      for (const member of membersOf(ring)) {
        const kind = kinds
          .having("list", "patch")
          .find(({ group, plural }) => group === member.group && plural === member.resource);
        // The CRD may come later; the next round finds it.
        if (!kind) continue;
        for await (const object of client.listEach(metadataOnly(kind))) {
          const { namespace } = object.metadata;
          if (namespace !== undefined && namespaces.has(namespace)) {
            await move.object(member, kind, object).catch((error: unknown) => failures.push(error));
          }
        }
      }
      // The others are moved first: one that has changed meanwhile is tried again.
      if (failures.length > 0) throw failures[0];
      return syncPeriodMs;
    },
  });
}

async function namespacesOf(client: Client, ring: ControllerRing): Promise<ReadonlySet<string>> {
  const matcher = namespaceMatcherOf(ring);
  const { items } = await client.list(NamespaceKind);
  const selected = items.filter(({ metadata }) => matcher.matches(metadata.labels ?? {}));
  return new Set(selected.map(({ metadata }) => metadata.name));
}

/** The movement of a ring's objects to the shards of now. */
class Movement {
  private readonly client: Client;
  private readonly shardKey: string;
  private readonly drainKey: string;
  private readonly shards: { readonly available: ReadonlySet<string>; readonly hashes: HashRing };

  constructor(client: Client, { metadata }: Named<ControllerRing>, shards: Movement["shards"]) {
    this.client = client;
    this.shardKey = shardLabel(metadata.name);
    this.drainKey = drainLabel(metadata.name);
    this.shards = shards;
  }

  /** Drains an object from a live shard, or takes it from a dead one; the webhook reassigns it. */
  async object(member: RingMember, kind: Kind, object: Named): Promise<void> {
    const key = hashKeyOf(member, kind, object);
    const wanted = key === undefined ? undefined : this.shards.hashes.shardOf(key);
    const current = object.metadata.labels?.[this.shardKey];
    if (!wanted || wanted === current) return;
    // Only a main object is drained: its shard lets go of it, and of its children, at the same time.
    const isDrained = current !== undefined && this.shards.available.has(current) && !member.isControlled;
    const labels = isDrained ? { [this.drainKey]: "true" } : { [this.shardKey]: null, [this.drainKey]: null };
    const { resourceVersion } = object.metadata;
    const patch = mergePatch({ metadata: { resourceVersion, labels } });
    await this.client.patch(metadataOnly(kind), objectKey(object), patch).catch(ignoreNotFound);
  }
}

/** The webhook that assigns objects, and how the API server reaches it. */
export interface ShardWebhook {
  readonly urlOf: (ring: string) => string;
  /** The CA as PEM text in base64. */
  readonly caBundle: string;
  close(): Promise<void>;
}

const pathPrefix = "/webhooks/sharder/controllerring/";

/** Serves the webhook on a free port of loopback. */
export async function serveShardWebhook(
  { clock }: SimulationContext,
  client: Client,
  rings: HashRings,
): Promise<ShardWebhook> {
  const host = "127.0.0.1";
  const { ca, server } = issueCertificates([host], Date.now());
  const running = await startHttpServer({
    what: "sharder's webhook",
    flag: "",
    address: `${host}:0`,
    tls: server,
    handler: standaloneWebhook(assign({ clock, client, rings }), discardLogger),
    drainMs: 1_000,
  });
  return {
    urlOf: (ring) => `https://${host}:${running.port}${pathPrefix}${ring}`,
    caBundle: Buffer.from(ca).toString("base64"),
    close: () => running.close(),
  };
}

/** Assigns an object without shard to the shard of its key. */
function assign({
  clock,
  client,
  rings,
}: Pick<SimulationContext, "clock"> & { client: Client; rings: HashRings }): AdmissionHandler {
  return async ({ object, resource, kind }, { httpRequest }) => {
    const name = (httpRequest?.url ?? "").split("?")[0]!.slice(pathPrefix.length);
    const ring = await client.get(ControllerRing, { name });
    const label = shardLabel(name);
    if (!object || object.metadata.labels?.[label]) return admission.allowed("object is already assigned");
    const member = memberOf(ring, resource);
    if (!member) return admission.errored(400, `the ring ${name} does not contain ${resource.resource}`);
    const key = hashKeyOf(member, kind, object);
    if (key === undefined && !member.isControlled) {
      return admission.errored(400, "generateName is not supported for main resources of a ring");
    }
    if (key === undefined) return admission.allowed("object should not be assigned");
    const shard = rings.of(name, await shardsOf(client, name, clock.now())).shardOf(key);
    if (!shard) return admission.allowed("there is no available shard");
    const labels = { ...object.metadata.labels, [label]: shard };
    const assigned = { ...object, metadata: { ...object.metadata, labels } };
    return admission.patched("assigning object", createJsonPatch(object, assigned));
  };
}
