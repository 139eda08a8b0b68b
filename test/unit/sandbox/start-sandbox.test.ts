import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { mergePatch } from "../../../src/client/patches.ts";
import {
  DeploymentKind,
  EventKind,
  PodKind,
  type Pod,
  EndpointsKind,
  EndpointSliceKind,
  ServiceKind,
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

describe("services", () => {
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
