import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { mergePatch } from "../../../../../src/client/patches.ts";
import {
  ConfigMap,
  Event,
  Node,
  PersistentVolumeClaim,
  Pod,
  Secret,
  type PodSpec,
} from "../../../../../src/k8s/core/v1.ts";
import { nodeName } from "../../../../../src/sandbox/simulation/pods/register-node.ts";
import { startSandbox, type Sandbox } from "../../../../../src/sandbox/start-sandbox.ts";
import { patience } from "../../../../patience.ts";

// The states are those that a real scheduler and kubelet of Kubernetes 1.36 give these pods on a real server; the
// kubelet ran with the fake container runtime of kubemark.

const stop = new AbortController();
const namespace = "default";
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ pace: { min: 1, max: 5 }, runCommands: true }, stop.signal);
  await sandbox.client.create(ConfigMap, {
    metadata: { name: "there", namespace },
    data: { k: "v" },
    binaryData: { b: "AA==" },
  });
});
afterAll(async () => {
  stop.abort();
  await sandbox.done;
});

type Volume = NonNullable<PodSpec["volumes"]>[number];

const image = "x";
const mounting = (volume: Omit<Volume, "name">): PodSpec => ({
  containers: [{ name: "a", image, volumeMounts: [{ name: "v", mountPath: "/v" }] }],
  volumes: [{ name: "v", ...volume }],
});
const password = { name: "P", valueFrom: { secretKeyRef: { name: "login", key: "password" } } };

async function create(name: string, spec: PodSpec): Promise<void> {
  await sandbox.client.create(Pod, { metadata: { name, namespace }, spec });
}

const get = (name: string) => sandbox.client.get(Pod, { namespace, name });

/** Returns the states of a pod's containers, init containers first. */
async function statesOf(name: string): Promise<unknown[]> {
  const { status } = await get(name);
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map(({ state }) => state);
}

async function conditionsOf(name: string): Promise<object> {
  const { status } = await get(name);
  return Object.fromEntries((status?.conditions ?? []).map(({ type, status }) => [type, status]));
}

async function eventsOf(name: string): Promise<string[]> {
  const { items } = await sandbox.client.list(Event, { namespace });
  const own = items.filter(({ involvedObject, type }) => involvedObject.name === name && type === "Warning");
  return own.map(({ reason, message }) => `${reason}: ${message}`);
}

const creating = { waiting: { reason: "ContainerCreating" } };
const initializing = { waiting: { reason: "PodInitializing" } };
const refused = (message: string) => ({ waiting: { reason: "CreateContainerConfigError", message } });

describe("a pod waits for what it needs", () => {
  it.each<[string, PodSpec, { states: unknown[]; event: string; unmet?: readonly string[] }]>([
    [
      "a key of a Secret in a variable",
      { containers: [{ name: "a", image, env: [password] }] },
      { states: [refused('secret "login" not found')], event: 'Failed: Error: secret "login" not found' },
    ],
    [
      "a key of a ConfigMap that exists",
      {
        containers: [
          { name: "a", image, env: [{ name: "P", valueFrom: { configMapKeyRef: { name: "there", key: "no" } } }] },
        ],
      },
      {
        states: [refused("couldn't find key no in ConfigMap default/there")],
        event: "Failed: Error: couldn't find key no in ConfigMap default/there",
      },
    ],
    [
      "a ConfigMap for all variables",
      { containers: [{ name: "a", image, envFrom: [{ configMapRef: { name: "absent" } }] }] },
      { states: [refused('configmap "absent" not found')], event: 'Failed: Error: configmap "absent" not found' },
    ],
    [
      "a variable of an init container",
      { initContainers: [{ name: "i", image, env: [password] }], containers: [{ name: "a", image }] },
      {
        states: [refused('secret "login" not found'), initializing],
        event: 'Failed: Error: secret "login" not found',
        unmet: ["Initialized"],
      },
    ],
    [
      "a Secret in a volume",
      mounting({ secret: { secretName: "login" } }),
      {
        states: [creating],
        event: 'FailedMount: MountVolume.SetUp failed for volume "v" : secret "login" not found',
        unmet: ["PodReadyToStartContainers"],
      },
    ],
    [
      "a key of a ConfigMap in a volume",
      mounting({ configMap: { name: "there", items: [{ key: "no", path: "x" }] } }),
      {
        states: [creating],
        event:
          'FailedMount: MountVolume.SetUp failed for volume "v" : configmap references non-existent config key: no',
        unmet: ["PodReadyToStartContainers"],
      },
    ],
    [
      "a Secret in a projected volume, with an init container",
      {
        ...mounting({ projected: { sources: [{ configMap: { name: "there" } }, { secret: { name: "login" } }] } }),
        initContainers: [{ name: "i", image }],
      },
      {
        states: [initializing, initializing],
        event: 'FailedMount: MountVolume.SetUp failed for volume "v" : secret "login" not found',
        unmet: ["PodReadyToStartContainers", "Initialized"],
      },
    ],
  ])("%s", async (title, spec, { states, event, unmet = [] }) => {
    const name = title.replaceAll(/\W+/g, "-").toLowerCase();
    await create(name, spec);
    await vi.waitFor(async () => expect(await eventsOf(name)).toEqual([event]), patience);
    expect(await statesOf(name)).toEqual(states);
    expect((await get(name)).status?.phase).toBe("Pending");
    const all = ["PodReadyToStartContainers", "Initialized", "PodScheduled"].map((type) => [
      type,
      unmet.includes(type) ? "False" : "True",
    ]);
    const expected = { ...Object.fromEntries(all), Ready: "False", ContainersReady: "False" } as object;
    expect(await conditionsOf(name)).toEqual(expected);
  });

  it("a claim, before it gets a node", async () => {
    await create("claims", mounting({ persistentVolumeClaim: { claimName: "none" } }));
    const message = '0/1 nodes are available: persistentvolumeclaim "none" not found. not found';
    await vi.waitFor(async () => expect(await eventsOf("claims")).toEqual([`FailedScheduling: ${message}`]), patience);
    const { spec, status } = await get("claims");
    expect(spec?.nodeName).toBeUndefined();
    expect(status).toMatchObject({
      phase: "Pending",
      conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }],
    });
    await sandbox.client.create(PersistentVolumeClaim, {
      metadata: { name: "none", namespace },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    });
    await vi.waitFor(async () => expect((await get("claims")).status?.phase).toBe("Running"), patience);
    expect(await conditionsOf("claims")).toMatchObject({ PodScheduled: "True", Ready: "True" });
  });

  it("a node that is not cordoned, unless it tolerates that", async () => {
    const cordon = (unschedulable: true | null) =>
      sandbox.client.patch(Node, { name: nodeName }, mergePatch({ spec: { unschedulable } }));
    const taintsOf = async () => (await sandbox.client.get(Node, { name: nodeName })).spec?.taints;
    const key = "node.kubernetes.io/unschedulable";
    await cordon(true);
    await vi.waitFor(async () => expect(await taintsOf()).toMatchObject([{ key, effect: "NoSchedule" }]), patience);
    const containers = [{ name: "a", image }];
    await create("cordoned", { containers });
    await create("agent", { containers, tolerations: [{ key, operator: "Exists", effect: "NoSchedule" }] });
    const message = "0/1 nodes are available: 1 node(s) were unschedulable.";
    await vi.waitFor(
      async () => expect(await eventsOf("cordoned")).toEqual([`FailedScheduling: ${message}`]),
      patience,
    );
    expect((await get("cordoned")).status).toMatchObject({
      phase: "Pending",
      conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }],
    });
    await vi.waitFor(async () => expect((await get("agent")).status?.phase).toBe("Running"), patience);
    await cordon(null);
    await vi.waitFor(async () => expect((await get("cordoned")).status?.phase).toBe("Running"), patience);
    await vi.waitFor(async () => expect(await taintsOf()).toBeUndefined(), patience);
  });

  it("and runs when it has all, with the values in its commands", async () => {
    const script = "console.log(process.env.P); setTimeout(() => {}, 60_000)";
    const command = [process.execPath, "-e", script];
    await create("runs", { containers: [{ name: "a", image, command, env: [password] }] });
    await vi.waitFor(async () => expect(await eventsOf("runs")).toHaveLength(1), patience);
    await sandbox.client.create(Secret, { metadata: { name: "login", namespace }, stringData: { user: "ann" } });
    const lacksKey = refused("couldn't find key password in Secret default/login");
    await vi.waitFor(async () => expect(await statesOf("runs")).toEqual([lacksKey]), patience);
    await sandbox.client.update(Secret, {
      metadata: { name: "login", namespace },
      stringData: { user: "ann", password: "secret" },
    });
    await vi.waitFor(async () => expect((await get("runs")).status?.phase).toBe("Running"), patience);
    expect(await conditionsOf("runs")).toMatchObject({ Ready: "True", Initialized: "True" });
    const path = `/api/v1/namespaces/${namespace}/pods/runs/log`;
    await vi.waitFor(async () => expect(await logOf(path)).toBe("secret\n"), patience);
  });
});

async function logOf(path: string): Promise<string> {
  const { HttpTransport } = await import("../../../../../src/client/transport/http-transport.ts");
  const transport = new HttpTransport(sandbox.config);
  try {
    return await (await transport.request({ method: "GET", path })).text();
  } finally {
    transport.close();
  }
}

describe("a pod does not wait for", () => {
  it.each<[string, PodSpec]>([
    [
      "a volume that no container mounts",
      { ...mounting({ secret: { secretName: "no" } }), containers: [{ name: "a", image }] },
    ],
    ["an optional Secret", mounting({ secret: { secretName: "no", optional: true } })],
    ["an optional key", mounting({ configMap: { name: "there", optional: true, items: [{ key: "no", path: "x" }] } })],
    ["a key of binary data", mounting({ configMap: { name: "there", items: [{ key: "b", path: "b" }] } })],
    [
      "an optional variable",
      {
        containers: [
          {
            name: "a",
            image,
            env: [{ name: "P", valueFrom: { secretKeyRef: { name: "no", key: "p", optional: true } } }],
            envFrom: [{ secretRef: { name: "no", optional: true } }],
          },
        ],
      },
    ],
  ])("%s", async (title, spec) => {
    const name = title.replaceAll(/\W+/g, "-").toLowerCase();
    await create(name, spec);
    await vi.waitFor(async () => expect((await get(name)).status?.phase).toBe("Running"), patience);
    expect(await eventsOf(name)).toEqual([]);
  });
});
