import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { defineKind } from "../../../src/apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { mergePatch } from "../../../src/client/patches.ts";
import { installCrds } from "../../../src/manifests/install-crds.ts";
import {
  DeploymentKind,
  EventKind,
  PodKind,
  ReplicaSetKind,
  ConfigMapKind,
  NamespaceKind,
  NodeKind,
  ServiceAccountKind,
  type Pod,
} from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { DaemonSetKind } from "../../../src/sandbox/simulation/workloads/daemon-set-controller.ts";
import { JobKind } from "../../../src/sandbox/simulation/jobs/job-kind.ts";
import { isOver } from "../../../src/sandbox/simulation/jobs/job-conditions.ts";
import {
  EndpointsKind,
  EndpointSliceKind,
  ServiceKind,
} from "../../../src/sandbox/simulation/services/service-kinds.ts";
import { StatefulSetKind } from "../../../src/sandbox/simulation/workloads/stateful-set-plan.ts";
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
  it("become available, scale, roll out, and delete their pods", async () => {
    await client.create(DeploymentKind, web("journey"));
    const status = await available("journey", 2);
    expect(status.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      "Available=True",
      "Progressing=True",
    ]);
    const [pod] = await podsOf("journey");
    expect(pod).toMatchObject({ spec: { nodeName: "tsop-node" }, status: { phase: "Running" } });

    const scale = { type: "application/merge-patch+json", body: { spec: { replicas: 3 } } } as const;
    await client.patch(DeploymentKind, { namespace: "default", name: "journey" }, scale);
    await available("journey", 3);

    // No update: its controller may write the status between a read and that.
    const image = { op: "replace", path: "/spec/template/spec/containers/0/image", value: "web:2" };
    const rollout = { type: "application/json-patch+json", body: [image] } as const;
    await client.patch(DeploymentKind, { namespace: "default", name: "journey" }, rollout);
    await until(async () => {
      const pods = await podsOf("journey");
      return pods.length === 3 && pods.every(({ spec }) => spec.containers[0]?.image === "web:2");
    });
    const revisions = await client.list(ReplicaSetKind, { namespace: "default", labels: { app: "journey" } });
    expect(
      new Set(revisions.items.map(({ metadata }) => metadata.annotations?.["deployment.kubernetes.io/revision"])),
    ).toEqual(new Set(["1", "2"]));
    const rolledOut = await client.get(DeploymentKind, { namespace: "default", name: "journey" });
    expect(rolledOut.metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("2");

    await client.delete(DeploymentKind, { namespace: "default", name: "journey" });
    await until(async () => (await podsOf("journey")).length === 0);
    await until(
      async () =>
        (await client.list(ReplicaSetKind, { namespace: "default", labels: { app: "journey" } })).items.length === 0,
    );
  });

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
  const template = (app: string, restartPolicy: "Always" | "Never" = "Always") => ({
    metadata: { labels: { app } },
    spec: {
      restartPolicy,
      containers: [{ name: app, image: `${app}:1`, ports: [{ name: "main", containerPort: 80 }] }],
    },
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

  it("completes jobs, and fails them by annotation", async () => {
    await client.create(JobKind, {
      metadata: { name: "good", namespace: "default" },
      spec: { completions: 2, template: template("good", "Never") },
    });
    const failing = template("bad", "Never");
    Object.assign(failing.metadata, { annotations: { "tsop.dev/exit-code": "1" } });
    await client.create(JobKind, {
      metadata: { name: "bad", namespace: "default" },
      spec: { backoffLimit: 0, template: failing },
    });
    const good = await until(async () => {
      const job = await client.get(JobKind, { namespace: "default", name: "good" });
      return isOver(job) && job;
    });
    expect(good.status).toMatchObject({ succeeded: 2 });
    const bad = await until(async () => {
      const job = await client.get(JobKind, { namespace: "default", name: "bad" });
      return isOver(job) && job;
    });
    expect(bad.status?.conditions).toContainEqual(
      expect.objectContaining({ type: "Failed", reason: "BackoffLimitExceeded" }),
    );
  });

  it("has the endpoints of the API server", async () => {
    const key = { namespace: "default", name: "kubernetes" };
    const { subsets } = await until(() => client.getOrUndefined(EndpointsKind, key));
    const { endpoints, ports } = await until(() => client.getOrUndefined(EndpointSliceKind, key));
    const [{ addresses }] = subsets as [{ addresses: [{ ip: string }] }];
    expect(endpoints).toEqual([{ addresses: [addresses[0].ip], conditions: { ready: true } }]);
    expect(ports).toEqual([{ name: "https", port: 6443, protocol: "TCP" }]);
  });

  it("keeps the endpoints of services", async () => {
    await client.create(DeploymentKind, {
      ...web("behind"),
      spec: { ...web("behind").spec, template: template("behind") },
    });
    await client.create(ServiceKind, {
      metadata: { name: "front", namespace: "default" },
      spec: { type: "LoadBalancer", selector: { app: "behind" }, ports: [{ port: 8080, targetPort: "main" }] },
    });
    await available("behind", 2);
    const slice = await until(async () => {
      const labels = { "kubernetes.io/service-name": "front" };
      const [found] = (await client.list(EndpointSlice, { namespace: "default", labels })).items;
      const ready = (found?.["endpoints"] as { conditions: { ready: boolean } }[] | undefined)?.filter(
        ({ conditions }) => conditions.ready,
      );
      return ready?.length === 2 && found;
    });
    expect(slice["ports"]).toEqual([{ name: "", port: 80, protocol: "TCP" }]);
    const service = await client.get(ServiceKind, { namespace: "default", name: "front" });
    expect(service.status?.loadBalancer).toMatchObject({ ingress: [{ ip: expect.stringMatching(/^172\.18\.255\./) }] });
  });
});

describe("garbage collection", () => {
  const owned = (
    name: string,
    owner: UnstructuredObject | { metadata: { name?: string; uid?: string } },
    block = false,
  ) => ({
    metadata: {
      name,
      namespace: "default",
      ownerReferences: [
        {
          apiVersion: "v1",
          kind: "ConfigMap",
          name: owner.metadata.name!,
          uid: owner.metadata.uid!,
          blockOwnerDeletion: block,
        },
      ],
    },
  });
  const create = (name: string) => client.create(ConfigMapKind, { metadata: { name, namespace: "default" } });
  const find = (name: string) => client.getOrUndefined(ConfigMapKind, { namespace: "default", name });

  it("removes dependents in the background", async () => {
    const owner = await create("background");
    await client.create(ConfigMapKind, owned("background-child", owner));
    await client.delete(ConfigMapKind, { namespace: "default", name: "background" });
    await until(async () => !(await find("background-child")));
  });

  it("deletes an object whose owner no longer exists", async () => {
    await client.create(
      ConfigMapKind,
      owned("late", { metadata: { name: "never", uid: "11111111-1111-4111-8111-111111111111" } }),
    );
    await until(async () => !(await find("late")));
  });

  it("keeps an object with another owner, and removes the reference to the deleted one", async () => {
    const [first, second] = [await create("first"), await create("second")];
    const child = owned("shared", first);
    child.metadata.ownerReferences.push(...owned("shared", second).metadata.ownerReferences);
    await client.create(ConfigMapKind, child);
    await client.delete(ConfigMapKind, { namespace: "default", name: "first" });
    const owners = await until(async () => {
      const found = (await find("shared"))?.metadata.ownerReferences;
      return found?.length === 1 && found;
    });
    expect(owners[0]?.name).toBe("second");
  });

  it("finds dependents of custom resources", async () => {
    const Thing = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
    await installCrds(client, [thingCrd]);
    const thing = await client.create(Thing, { metadata: { name: "owner", namespace: "default" } });
    const child = owned("thing-child", thing);
    Object.assign(child.metadata.ownerReferences[0]!, { apiVersion: "example.com/v1", kind: "Thing" });
    await client.create(ConfigMapKind, child);
    await client.delete(Thing, { namespace: "default", name: "owner" });
    await until(async () => !(await find("thing-child")));
  });

  it("makes the owner wait for its dependents in the foreground", async () => {
    const owner = await create("foreground");
    const child = owned("foreground-child", owner, true);
    await client.create(ConfigMapKind, { ...child, metadata: { ...child.metadata, finalizers: ["example.com/hold"] } });
    await client.delete(
      ConfigMapKind,
      { namespace: "default", name: "foreground" },
      { propagationPolicy: "Foreground" },
    );
    const held = await until(async () => {
      const found = await find("foreground-child");
      return found?.metadata.deletionTimestamp && found;
    });
    expect(await find("foreground")).toMatchObject({ metadata: { finalizers: ["foregroundDeletion"] } });
    await client.update(ConfigMapKind, { ...held, metadata: { ...held.metadata, finalizers: [] } });
    await until(async () => !(await find("foreground")));
  });

  it("keeps orphans", async () => {
    const owner = await create("orphaning");
    await client.create(ConfigMapKind, owned("orphan", owner));
    await client.delete(ConfigMapKind, { namespace: "default", name: "orphaning" }, { propagationPolicy: "Orphan" });
    await until(async () => !(await find("orphaning")));
    expect((await find("orphan"))?.metadata.ownerReferences ?? []).toEqual([]);
  });
});

describe("namespaces", () => {
  it("get an account and the server's CA, and are deleted with their objects", async () => {
    await client.create(NamespaceKind, { metadata: { name: "team" } });
    await until(() => client.getOrUndefined(ServiceAccountKind, { namespace: "team", name: "default" }));
    const ca = await until(() => client.getOrUndefined(ConfigMapKind, { namespace: "team", name: "kube-root-ca.crt" }));
    expect(ca.data?.["ca.crt"]).toBe(sandbox.config.ca);
    const held = await client.create(ConfigMapKind, {
      metadata: { name: "held", namespace: "team", finalizers: ["example.com/hold"] },
    });
    await client.delete(NamespaceKind, { name: "team" });
    const { status } = await until(async () => {
      const namespace = await client.get(NamespaceKind, { name: "team" });
      return namespace.status?.conditions && namespace;
    });
    expect(status?.phase).toBe("Terminating");
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({
        type: "NamespaceFinalizersRemaining",
        status: "True",
        message: expect.stringContaining("example.com/hold in 1 resource instances"),
      }),
    );
    const live = await client.get(ConfigMapKind, { namespace: "team", name: held.metadata.name });
    await client.update(ConfigMapKind, { ...live, metadata: { ...live.metadata, finalizers: [] } });
    await until(async () => !(await client.getOrUndefined(NamespaceKind, { name: "team" })));
  });
});

const core = (kind: string, plural: string) => defineKind({ group: "", version: "v1", kind, plural });
const Claim = core("PersistentVolumeClaim", "persistentvolumeclaims");
const Volume = { ...core("PersistentVolume", "persistentvolumes"), scope: "Cluster" } as const;
const EndpointSlice = defineKind({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  plural: "endpointslices",
});

const claim = (name: string) => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
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
