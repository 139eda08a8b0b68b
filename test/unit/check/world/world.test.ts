import { expect, it, onTestFinished, vi } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import { WatchGate } from "../../../../src/check/plans/meddlers.ts";
import { refOf } from "../../../../src/check/scenario/scenario.ts";
import { act } from "../../../../src/check/world/act.ts";
import { World } from "../../../../src/check/world/world.ts";
import { openCrd } from "../../../../src/testing/open-crd.ts";
import { patience } from "../../../patience.ts";

const Cache = defineKind({ group: "check.example.com", version: "v1", kind: "Cache", plural: "caches" });
const script = 'console.log(require("fs").readFileSync(process.env.KUBECONFIG, "utf8").match(/namespace: (.*)/)[1]);';

it.each([
  [
    "the namespace of its account, which has the role for its Lease",
    { namespace: "demo-system", name: "robot" },
    "demo-system",
  ],
  ["the default namespace without roles", undefined, "default"],
])("gives the operator %s", async (_, account, expected) => {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "demo-system" } };
  const world = new World({
    command: { file: process.execPath, args: ["-e", script], cwd: ".", env: process.env },
    crds: [],
    before: [{ file: "namespace.yaml", object: namespace }],
    account,
  });
  onTestFinished(() => world.close());
  await world.open();
  world.startOperator();
  await vi.waitFor(() => expect(world.lastLines).toEqual([expected]), patience);
});

const watching = `
const kubeconfig = require("fs").readFileSync(process.env.KUBECONFIG, "utf8");
const [server, token] = [/server: (.*)/, /token: (.*)/].map((field) => kubeconfig.match(field)[1]);
fetch(server + "/api/v1/configmaps?watch=true&resourceVersion=1", { headers: { authorization: "Bearer " + token } })
  .then(async (answer) => console.log(answer.status, JSON.stringify(JSON.parse(await answer.text()), ["type", "object", "code"])));
`;

it("rejects a watch with an old version in its first event, as a server does", async () => {
  const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const command = { file: process.execPath, args: ["--no-warnings", "-e", watching], cwd: ".", env };
  const world = new World({ command, crds: [], before: [], account: undefined });
  onTestFinished(() => world.close());
  await world.open();
  const interference = world.traffic.interfere();
  const gate = new WatchGate({ world, interference });
  interference.meddler = gate.meddler;
  gate.open(true);
  world.startOperator();
  const expired = '200 {"type":"ERROR","object":{"code":410}}';
  await vi.waitFor(() => expect(world.lastLines).toEqual([expired]), patience);
});

const caching = `
const kubeconfig = require("fs").readFileSync(process.env.KUBECONFIG, "utf8");
const [server, token] = [/server: (.*)/, /token: (.*)/].map((field) => kubeconfig.match(field)[1]);
const read = async (query) => {
  const url = server + "/api/v1/configmaps?labelSelector=demo&" + query;
  return (await fetch(url, { headers: { authorization: "Bearer " + token } })).text();
};
const list = async () => console.log("list", ...JSON.parse(await read("resourceVersion=0")).items.map(({ metadata }) => metadata.name));
const watch = async () => {
  const events = (await read("watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=0&allowWatchBookmarks=true")).trim();
  console.log("watch", ...events.split("\\n").map((line) => JSON.parse(line).object.metadata.name ?? "bookmark"));
};
list().then(watch).then(list);
`;

it("shows the earlier state to a cache that starts while watches are held back", async () => {
  const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const command = { file: process.execPath, args: ["--no-warnings", "-e", caching], cwd: ".", env };
  const world = new World({ command, crds: [], before: [], account: undefined });
  onTestFinished(() => world.close());
  await world.open();
  const create = (name: string): Promise<void> => {
    const metadata = { namespace: "default", name, labels: { demo: "" } };
    return world.act({ type: "apply", objects: [{ apiVersion: "v1", kind: "ConfigMap", metadata }] });
  };
  const interference = world.traffic.interfere();
  const gate = new WatchGate({ world, interference });
  interference.meddler = gate.meddler;
  await create("old");
  gate.close();
  await create("new");
  world.startOperator();
  await vi.waitFor(() => expect(world.traffic.watched).toContain("v1/configmaps"), patience);
  await create("newer");
  gate.open(true);
  const lines = ["list old", "watch old bookmark", "list new newer old"];
  await vi.waitFor(() => expect(world.lastLines).toEqual(lines), patience);
});

it("deletes only the custom resources that the scenario deletes, during their creation", async () => {
  const crd = openCrd(Cache);
  const command = { file: process.execPath, args: ["-e", ""], cwd: ".", env: process.env };
  const world = new World({ command, crds: [crd], before: [] });
  onTestFinished(() => world.close());
  await world.open();
  const objects = ["a", "b", "c"].map((name) => ({
    apiVersion: "check.example.com/v1",
    kind: "Cache",
    metadata: { namespace: "default", name },
  }));
  const action = { type: "apply", objects } as const;
  const targets = objects.slice(1).map(refOf);
  await Promise.all([world.act(action), world.deleteCustomResources([{ name: "create", action }], targets)]);
  expect((await world.client.list(Cache)).items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
});

it("reports once for all pods of a workload what they wait for", async () => {
  const command = { file: process.execPath, args: ["-e", ""], cwd: ".", env: process.env };
  const world = new World({ command, crds: [], before: [] });
  onTestFinished(() => world.close());
  await world.open();
  const metadata = (name: string) => ({ namespace: "default", name });
  const pod = (name: string, spec: object, container = {}) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata(name),
    spec: { ...spec, containers: [{ name: "main", image: "i", ...container }] },
  });
  const volume = (source: object) => ({ volumes: [{ name: "files", ...source }] });
  const labels = { app: "web" };
  const variables = { envFrom: [{ secretRef: { name: "login" } }] };
  const template = { metadata: { labels }, spec: pod("", {}, variables).spec };
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadata("web"),
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  };
  const mounts = { volumeMounts: [{ name: "files", mountPath: "/files" }] };
  const objects = [
    deployment,
    pod("ready", {}),
    pod("stored", volume({ persistentVolumeClaim: { claimName: "data" } })),
    pod("mounted", volume({ configMap: { name: "settings" } }), mounts),
  ];
  await world.act({ type: "apply", objects });
  await world.settle({ quietMs: 300, limitMs: patience.timeout });
  await world.noteWaitingPods();
  await world.noteWaitingPods();
  expect([...world.record.waiting].sort()).toEqual([
    'pod default/mounted: volume "files": configmap "settings" not found',
    'pod default/stored: persistentvolumeclaim "data" not found',
    expect.stringMatching(/^pod default\/web-[a-z0-9]+-\*: container "main": secret "login" not found$/),
  ]);
});

it("sees the server's own actions: it accepts the names of a CRD, and deletes the CRD with its instances", async () => {
  const command = { file: process.execPath, args: ["-e", ""], cwd: ".", env: process.env };
  const world = new World({ command, crds: [], before: [], account: undefined });
  onTestFinished(() => world.close());
  await world.open();
  const crd = openCrd(Cache);
  const sample = {
    apiVersion: "check.example.com/v1",
    kind: "Cache",
    metadata: { name: "sample", namespace: "default" },
  };
  const found = () => Object.fromEntries(world.state());
  const id = "apiextensions.k8s.io/customresourcedefinitions caches.check.example.com";

  await act(world, { type: "apply", objects: [crd] });
  await vi.waitFor(() => expect(found()[id]?.get("status.conditions.Established.status")).toBe("True"), patience);
  await act(world, { type: "apply", objects: [sample] });
  expect(Object.keys(found())).toHaveLength(2);
  await act(world, { type: "delete", targets: [refOf(crd)] });
  await vi.waitFor(() => expect(found()).toEqual({}), patience);
});
