import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { defineKind } from "../../../src/apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { mergePatch } from "../../../src/client/patches.ts";
import { installCrds } from "../../../src/client/manifests/install-crds.ts";
import {
  DeploymentKind,
  EventKind,
  PodKind,
  ConfigMapKind,
  NamespaceKind,
  NodeKind,
  type Pod,
  DaemonSetKind,
  EndpointsKind,
  EndpointSliceKind,
  ServiceKind,
  StatefulSetKind,
} from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox, type Sandbox } from "../../../src/sandbox/start-sandbox.ts";
import { patience } from "../../patience.ts";

const stop = new AbortController();
const problems: unknown[] = [];
let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  const pace = { min: 1, max: 5 };
  sandbox = await startSandbox({ pace, onError: (error) => problems.push(error) }, stop.signal);
  client = createClient({ config: sandbox.config });
});

afterAll(async () => {
  stop.abort();
  await sandbox.done;
  expect(problems).toEqual([]);
});

type Truthy<T> = Exclude<T, false | "" | undefined>;

const until = <T>(ask: () => Promise<T>): Promise<Truthy<T>> =>
  vi.waitFor(async () => {
    const answer = await ask();
    if (!answer) throw new Error(`not yet; ${problems.map(String).join("; ")}`);
    return answer as Truthy<T>;
  }, patience);

const web = (name: string, image = "web:1") => ({
  metadata: { name, namespace: "default" },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "web", image }] } },
  },
});

const available = (name: string, count: number) =>
  until(async () => {
    const { status } = await client.get(DeploymentKind, { namespace: "default", name });
    return (
      status?.availableReplicas === count && status.replicas === count && status.updatedReplicas === count && status
    );
  });

const podsOf = async (app: string) => (await client.list(PodKind, { namespace: "default", labels: { app } })).items;

describe("deployments", () => {
  it("stay unavailable if the image cannot be pulled, and record why", async () => {
    await client.create(DeploymentKind, web("broken", "fail:x"));
    const pod = await until(async () => (await podsOf("broken")).find(({ status }) => status?.containerStatuses));
    expect(pod.status?.containerStatuses?.[0]?.state).toMatchObject({ waiting: { reason: "ImagePullBackOff" } });
    const events = await until(async () => {
      const { items } = await client.list(EventKind, { namespace: "default" });
      const mine = items.filter((event) => (event["involvedObject"] as { name: string }).name === pod.metadata.name);
      return mine.some((event) => event["reason"] === "BackOff") && mine;
    });
    expect(events.map((event) => event["reason"])).toEqual(expect.arrayContaining(["Scheduled", "Failed", "BackOff"]));
  });

  it("replace a deleted pod", async () => {
    await client.create(DeploymentKind, web("replaced"));
    await available("replaced", 2);
    const [victim] = await podsOf("replaced");
    await client.delete(PodKind, { namespace: "default", name: victim!.metadata.name });
    await until(async () => !(await podsOf("replaced")).some(({ metadata }) => metadata.uid === victim!.metadata.uid));
    await available("replaced", 2);
  });
});

it("shows how the containers of a deleted pod have ended before it is gone", async () => {
  const key = { namespace: "default", name: "leaving" };
  await client.create(PodKind, { metadata: key, spec: { containers: [{ name: "web", image: "web:1" }] } });
  const running = await until(async () => {
    const pod = await client.get(PodKind, key);
    return pod.status?.phase === "Running" && pod;
  });
  const { resourceVersion = "" } = running.metadata;
  const seen: unknown[] = [];
  await client.delete(PodKind, key);
  for await (const { type, object } of client.watch(PodKind, { ...key, resourceVersion })) {
    const { deletionGracePeriodSeconds: grace } = object.metadata;
    const { phase, containerStatuses } = (object as Pod).status ?? {};
    seen.push([type, grace, phase, containerStatuses?.map(({ state }) => Object.keys(state)[0])]);
    if (type === "DELETED") break;
  }
  expect(seen).toEqual([
    ["MODIFIED", 30, "Running", ["running"]],
    ["MODIFIED", 30, "Failed", ["terminated"]],
    ["MODIFIED", 0, "Failed", ["terminated"]],
    ["DELETED", 0, "Failed", ["terminated"]],
  ]);
});

it("tells which generation of a pod the kubelet has seen", async () => {
  const key = { namespace: "default", name: "changing" };
  await client.create(PodKind, { metadata: key, spec: { containers: [{ name: "web", image: "web:1" }] } });
  const seen = (generation: number) =>
    until(async () => {
      const { metadata, status } = await client.get(PodKind, key);
      const isSeen = status?.["observedGeneration"] === generation && status.phase === "Running";
      return metadata.generation === generation && isSeen && status;
    });
  const { conditions = [] } = await seen(1);
  expect(conditions.map(({ observedGeneration }) => observedGeneration)).toEqual(conditions.map(() => 1));
  await client.patch(PodKind, key, mergePatch({ spec: { activeDeadlineSeconds: 3600 } }));
  await seen(2);
});

describe("other workloads", () => {
  const template = (app: string) => ({
    metadata: { labels: { app } },
    spec: { containers: [{ name: app, image: `${app}:1` }] },
  });

  it("keeps numbered pods of stateful sets, with volumes that outlive them", async () => {
    await client.create(StatefulSetKind, {
      metadata: { name: "db", namespace: "default" },
      spec: {
        replicas: 2,
        serviceName: "db",
        selector: { matchLabels: { app: "db" } },
        template: template("db"),
        volumeClaimTemplates: [claim("data")],
      },
    });
    await until(
      async () => (await client.get(StatefulSetKind, { namespace: "default", name: "db" })).status?.readyReplicas === 2,
    );
    const pods = await podsOf("db");
    expect(new Set(pods.map(({ metadata }) => metadata.name))).toEqual(new Set(["db-0", "db-1"]));
    expect(pods[0]?.spec["volumes"]).toContainEqual({
      name: "data",
      persistentVolumeClaim: { claimName: `data-${pods[0]?.metadata.name}` },
    });
    const bound = await until(async () => {
      const found = await client.get(Claim, { namespace: "default", name: "data-db-1" });
      return (found["status"] as { phase?: string }).phase === "Bound" && found;
    });
    expect(bound["spec"]).toMatchObject({ volumeName: `pvc-${bound.metadata.uid}`, storageClassName: "standard" });
    await client.delete(StatefulSetKind, { namespace: "default", name: "db" });
    await until(async () => (await podsOf("db")).length === 0);
    await client.delete(Claim, { namespace: "default", name: "data-db-1" });
    await until(async () => !(await client.getOrUndefined(Volume, { name: `pvc-${bound.metadata.uid}` })));
    expect(await client.get(Claim, { namespace: "default", name: "data-db-0" })).toBeTruthy();
  });

  it("keeps one pod of a daemon set on the node", async () => {
    await client.create(DaemonSetKind, {
      metadata: { name: "agent", namespace: "default" },
      spec: { selector: { matchLabels: { app: "agent" } }, template: template("agent") },
    });
    const node = { name: "tsop-node" };
    const places = (count: number) =>
      until(async () => {
        const { status } = await client.get(DaemonSetKind, { namespace: "default", name: "agent" });
        return status?.["desiredNumberScheduled"] === count && (status["numberAvailable"] ?? 0) === count;
      });
    await places(1);
    expect(await podsOf("agent")).toHaveLength(1);
    const taints = [{ key: "dedicated", effect: "NoExecute" }];
    await client.patch(NodeKind, node, mergePatch({ spec: { taints } }));
    await places(0);
    await until(async () => (await podsOf("agent")).length === 0);
    await client.patch(NodeKind, node, mergePatch({ spec: { taints: null } }));
    await places(1);
  });

  it("has the endpoints of the API server", async () => {
    const key = { namespace: "default", name: "kubernetes" };
    const { subsets } = await until(() => client.getOrUndefined(EndpointsKind, key));
    const { endpoints, ports } = await until(() => client.getOrUndefined(EndpointSliceKind, key));
    const [{ addresses }] = subsets as [{ addresses: [{ ip: string }] }];
    expect(endpoints).toEqual([{ addresses: [addresses[0].ip], conditions: { ready: true } }]);
    expect(ports).toEqual([{ name: "https", port: 6443, protocol: "TCP" }]);
  });

  it("gives a service of type LoadBalancer an address", async () => {
    const key = { namespace: "default", name: "front" };
    await client.create(ServiceKind, { metadata: key, spec: { type: "LoadBalancer", ports: [{ port: 8080 }] } });
    const balancer = await until(async () => {
      const { loadBalancer } = (await client.get(ServiceKind, key)).status ?? {};
      return loadBalancer && "ingress" in loadBalancer && loadBalancer;
    });
    expect(balancer).toMatchObject({ ingress: [{ ip: expect.stringMatching(/^172\.18\.255\./) }] });
  });
});

it("removes dependents of a deleted custom resource", async () => {
  const Thing = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
  await installCrds(client, [thingCrd]);
  const { metadata } = await client.create(Thing, { metadata: { name: "owner", namespace: "default" } });
  const key = { namespace: "default", name: "child" };
  const owner = { apiVersion: "example.com/v1", kind: "Thing", name: "owner", uid: metadata.uid! };
  await client.create(ConfigMapKind, { metadata: { ...key, ownerReferences: [owner] } });
  await client.delete(Thing, { namespace: "default", name: "owner" });
  await until(async () => !(await client.getOrUndefined(ConfigMapKind, key)));
});

it("gives a namespace the server's CA", async () => {
  await client.create(NamespaceKind, { metadata: { name: "team" } });
  const ca = await until(() => client.getOrUndefined(ConfigMapKind, { namespace: "team", name: "kube-root-ca.crt" }));
  expect(ca.data?.["ca.crt"]).toBe(sandbox.config.ca);
});

const core = (kind: string, plural: string) => defineKind({ group: "", version: "v1", kind, plural });
const Claim = core("PersistentVolumeClaim", "persistentvolumeclaims");
const Volume = { ...core("PersistentVolume", "persistentvolumes"), scope: "Cluster" } as const;

const claim = (name: string) => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } },
});

const thingCrd: UnstructuredObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Thing", listKind: "ThingList", plural: "things", singular: "thing" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
