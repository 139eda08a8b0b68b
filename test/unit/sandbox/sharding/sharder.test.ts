import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { formatMicroTime } from "../../../../src/apimachinery/time.ts";
import type { Client } from "../../../../src/client/client.ts";
import { mergePatch } from "../../../../src/client/patches.ts";
import { Lease } from "../../../../src/runtime/leader-election/lease-object.ts";
import { ControllerRing, drainLabel, ringLabel, shardLabel } from "../../../../src/runtime/sharding/controller-ring.ts";
import { MutatingWebhookConfigurationKind } from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { ConfigMap, Secret } from "../../../../src/k8s/core/v1.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { patience } from "../../../patience.ts";

const [shard, drain] = [shardLabel("demo"), drainLabel("demo")];
const namespace = "default";
let client: Client;
let end: () => Promise<void>;

beforeEach(async () => {
  const stop = new AbortController();
  const sandbox = await startSandbox({ sharding: true, pace: { min: 1, max: 10 } }, stop.signal);
  end = async () => {
    stop.abort();
    await sandbox.done;
  };
  client = sandbox.client;
  await client.create(ControllerRing, {
    metadata: { name: "demo" },
    spec: {
      resources: [{ group: "", resource: "secrets", controlledResources: [{ group: "", resource: "configmaps" }] }],
    },
  });
  await eventually(() => client.getOrUndefined(MutatingWebhookConfigurationKind, { name: "controllerring-demo" }));
});
afterEach(() => end());

it("assigns objects when they are created, and children to the shard of their controller", async () => {
  await join("a");
  await join("b");
  await untilShards(2);
  const shards = new Set<string | undefined>();
  for (let index = 0; index < 20; index++) {
    const secret = await client.create(Secret, { metadata: { namespace, name: `secret-${index}` } });
    const owner = {
      apiVersion: "v1",
      kind: "Secret",
      name: secret.metadata.name,
      uid: secret.metadata.uid!,
      controller: true,
    };
    const child = await client.create(ConfigMap, {
      metadata: { namespace, generateName: "child-", ownerReferences: [owner] },
    });
    shards.add(secret.metadata.labels?.[shard]);
    expect(child.metadata.labels?.[shard]).toBe(secret.metadata.labels?.[shard]);
  }
  expect(shards).toEqual(new Set(["a", "b"]));
  const other = await client.create(ConfigMap, { metadata: { namespace, name: "without-controller" } });
  expect(other.metadata.labels).toBeUndefined();
});

it("assigns the objects that exist when the first shard comes", async () => {
  await client.create(Secret, { metadata: { namespace, name: "early" } });
  await join("a");
  await eventually(async () => (await labelsOf("early"))[shard] === "a");
});

it("drains the objects that move to a new shard, and assigns them when their shard has let go", async () => {
  await join("a");
  await untilShards(1);
  const names = Array.from({ length: 10 }, (_, index) => `secret-${index}`);
  for (const name of names) await client.create(Secret, { metadata: { namespace, name } });
  await join("b");
  await eventually(async () => (await drained()).length > 0);
  const moving = await drained();
  for (const { metadata } of moving) expect(metadata.labels?.[shard]).toBe("a");
  for (const { metadata } of moving) {
    const patch = mergePatch({ metadata: { labels: { [shard]: null, [drain]: null } } });
    const released = await client.patch(Secret, metadata, patch);
    expect(released.metadata.labels).toEqual({ [shard]: "b" });
  }
});

it("moves the objects of a shard that gives its lease back", async () => {
  await join("a");
  await untilShards(1);
  await client.create(Secret, { metadata: { namespace, name: "moved" } });
  await join("b");
  await client.patch(Lease, { namespace, name: "a" }, mergePatch({ spec: { holderIdentity: "" } }));
  await eventually(async () => (await labelsOf("moved"))[shard] === "b");
  expect((await labelsOf("moved"))[drain]).toBeUndefined();
  expect((await client.get(ControllerRing, { name: "demo" })).status).toMatchObject({
    shards: 2,
    availableShards: 1,
  });
});

it("takes the lease of a shard that does not renew it, and moves its objects", async () => {
  await join("a", { leaseDurationSeconds: 1 });
  await untilShards(1);
  await client.create(Secret, { metadata: { namespace, name: "moved" } });
  await join("b");
  await eventually(async () => (await labelsOf("moved"))[shard] === "b");
  const { metadata, spec } = await client.get(Lease, { namespace, name: "a" });
  expect(metadata.labels?.["alpha.sharding.timebertt.dev/state"]).toBe("dead");
  expect(spec).toMatchObject({ holderIdentity: "shardlease-controller", leaseDurationSeconds: 2, leaseTransitions: 1 });
});

it("deletes the webhook configuration with its ring", async () => {
  await client.delete(ControllerRing, { name: "demo" });
  const configuration = { name: "controllerring-demo" };
  await eventually(async () => !(await client.getOrUndefined(MutatingWebhookConfigurationKind, configuration)));
});

async function join(
  name: string,
  spec: { leaseDurationSeconds: number } = { leaseDurationSeconds: 60 },
): Promise<void> {
  const time = formatMicroTime(new Date());
  await client.create(Lease, {
    metadata: { namespace, name, labels: { [ringLabel]: "demo" } },
    spec: { holderIdentity: name, acquireTime: time, renewTime: time, ...spec },
  });
}

/** Waits until the sharder has seen the shards. */
function untilShards(count: number): Promise<unknown> {
  return eventually(async () => {
    const { status } = await client.get(ControllerRing, { name: "demo" });
    return status?.availableShards === count;
  });
}

async function labelsOf(name: string): Promise<Record<string, string>> {
  return (await client.get(Secret, { namespace, name })).metadata.labels ?? {};
}

async function drained() {
  return (await client.list(Secret, { namespace, labels: drain })).items;
}

function eventually<T>(check: () => Promise<T>): Promise<T> {
  return vi.waitUntil(check, { ...patience, interval: 10 });
}
