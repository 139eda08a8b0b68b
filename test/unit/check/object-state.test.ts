import { expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { diffStates, maskOf, normalizeState } from "../../../src/check/world/object-state.ts";

const deployment = (metadata: object, rest: object = {}): UnstructuredObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "a", namespace: "n", ...metadata },
  ...rest,
});

const stateOf = (...objects: UnstructuredObject[]) =>
  normalizeState(new Map(objects.map((object) => [`apps/deployments n/${object.metadata.name}`, object])));

it("ignores what differs in each run", () => {
  const one = stateOf(
    deployment(
      { uid: "00000000-0000-4000-8000-000000000001", resourceVersion: "5", creationTimestamp: "2026-01-01T00:00:00Z" },
      { status: { conditions: [{ type: "A", lastTransitionTime: "2026-01-01T00:00:00Z" }, { type: "B" }] } },
    ),
  );
  const other = stateOf(
    deployment(
      { uid: "00000000-0000-4000-8000-000000000002", resourceVersion: "9", creationTimestamp: "2026-02-01T00:00:00Z" },
      { status: { conditions: [{ type: "B" }, { type: "A", lastTransitionTime: "2026-03-01T00:00:00.5Z" }] } },
    ),
  );
  expect(diffStates(one, other)).toEqual([]);
});

it("compares keys that contain the uid or the generated name of an object", () => {
  const withKeys = (uid: string, name: string) =>
    stateOf(
      deployment({ generateName: "b-", name }),
      deployment({}, { data: { [`rule-${uid}.yaml`]: "same", [name]: "same" } }),
    );
  const one = withKeys("00000000-0000-4000-8000-000000000001", "b-x7k2p");
  expect(diffStates(one, withKeys("00000000-0000-4000-8000-000000000002", "b-m4n5q"))).toEqual([]);
  expect(diffStates(one, stateOf(deployment({ generateName: "b-", name: "b-x7k2p" }), deployment({})))).toHaveLength(2);
});

it("distinguishes keys that differ only in a uid by their values", () => {
  const uid = (end: number) => `00000000-0000-4000-8000-00000000000${end}`;
  const withData = (data: object) => stateOf(deployment({}, { data }));
  const one = withData({ [uid(1)]: `a of ${uid(1)}`, [uid(2)]: "b" });
  expect(diffStates(one, withData({ [uid(3)]: "b", [uid(4)]: `a of ${uid(4)}` }))).toEqual([]);
  expect(diffStates(one, withData({ [uid(3)]: "b" }))).not.toEqual([]);
  expect(diffStates(one, withData({ [uid(3)]: "b", [uid(4)]: "c" }))).not.toEqual([]);
});

it("ignores which pod or load balancer has which address, also in a text", () => {
  const pod = (ip: string) =>
    deployment({}, { status: { podIP: ip, podIPs: [{ ip }], message: `listens at ${ip}:80` } });
  expect(diffStates(stateOf(pod("10.244.0.2")), stateOf(pod("10.244.1.13")))).toEqual([]);
  expect(diffStates(stateOf(pod("10.244.0.2")), stateOf(pod("192.168.0.1")))).not.toEqual([]);
  const service = (ip: string) => deployment({}, { status: { loadBalancer: { ingress: [{ ip }] } } });
  expect(diffStates(stateOf(service("172.18.255.1")), stateOf(service("172.18.255.2")))).toEqual([]);
});

it("ignores the order of taints, which several programs write", () => {
  const node = (...keys: string[]) => {
    const taints = keys.map((key) => ({ key, effect: "NoSchedule" }));
    return stateOf({ apiVersion: "v1", kind: "Node", metadata: { name: "n" }, spec: { taints } });
  };
  expect(diffStates(node("a", "b"), node("b", "a"))).toEqual([]);
  expect(diffStates(node("a", "b"), node("a"))).not.toEqual([]);
});

it.each([
  ["kopf", { annotations: { "kopf.zalando.org/last-handled-configuration": '{"spec":{"size":1}}\n' } }, {}],
  ["kopf in the status", {}, { status: { kopf: { progress: { create: { retries: 1 } } } } }],
  ["an operator about versions", {}, { status: { child: { syncedResourceVersion: "3-f47fe3c0" } } }],
  ["the Java Operator SDK", { annotations: { "javaoperatorsdk.io/previous": "uid,76" } }, {}],
])("ignores the bookkeeping of %s", (_, metadata, rest) => {
  expect(
    diffStates(stateOf(deployment({}, { spec: {} })), stateOf(deployment(metadata, { spec: {}, ...rest }))),
  ).toEqual([]);
});

it.each([
  ["a text", ""],
  ["a flag", false],
  ["an object", {}],
  ["a list", []],
])("treats %s that is empty as absent, because Go programs omit it", (_, value) => {
  const expected = stateOf(deployment({}, { spec: { field: value } }));
  expect(diffStates(expected, stateOf(deployment({}, { spec: {} })))).toEqual([]);
});

it.each([2, "2"])("compares the observed generation %j with that of the object", (observedGeneration) => {
  const at = (generation: number) => stateOf(deployment({ generation }, { status: { observedGeneration } }));
  expect(diffStates(at(1), at(2))).toEqual([]);
  expect(diffStates(at(2), at(3))).toMatchObject([{ expected: "current", actual: "outdated" }]);
});

it("ignores the generation of an object, which a change and its reversal raise", () => {
  const at = (generation: number, lastRunGeneration = generation) =>
    stateOf(
      deployment(
        { generation, annotations: { "example.com/owner-generation": `${generation}` } },
        { status: { lastRunGeneration } },
      ),
    );
  expect(diffStates(at(1), at(3))).toEqual([]);
  expect(diffStates(at(1), at(3, 2))).toMatchObject([{ path: "status.lastRunGeneration", actual: "2" }]);
});

it("distinguishes values, missing objects and additional objects", () => {
  const expected = stateOf(deployment({}, { spec: { replicas: 2 } }), deployment({ name: "b" }));
  const actual = stateOf(deployment({}, { spec: { replicas: 3 } }), deployment({ name: "c" }));
  expect(diffStates(expected, actual)).toEqual([
    { id: "apps/deployments n/a", path: "spec.replicas", expected: "2", actual: "3" },
    { id: "apps/deployments n/b", path: "", expected: "exists", actual: undefined },
    { id: "apps/deployments n/c", path: "", expected: undefined, actual: "exists" },
  ]);
});

it("compares objects with generated names by their content, and references to them", () => {
  const run = (first: string, second: string) =>
    stateOf(
      deployment({ name: first, generateName: "job-" }, { spec: { size: 1 } }),
      deployment({ name: second, generateName: "job-" }, { spec: { size: 2 } }),
      deployment({ name: "owner" }, { status: { jobs: [first, second] } }),
    );
  expect(diffStates(run("job-aaaaa", "job-bbbbb"), run("job-zzzzz", "job-ccccc"))).toEqual([]);
  expect(diffStates(run("job-aaaaa", "job-bbbbb"), stateOf())).toHaveLength(3);
});

it.each(["", "pvc-"])("compares objects that are named after the uid of another object, after %j", (prefix) => {
  const uidOf = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-${digit.repeat(12)}`;
  const run = (digit: string, size: number) => stateOf(deployment({ name: prefix + uidOf(digit) }, { spec: { size } }));
  expect(diffStates(run("a", 1), run("b", 1))).toEqual([]);
  expect(diffStates(run("a", 1), run("b", 2))).toMatchObject([{ path: "spec.size" }]);
  expect(diffStates(run("a", 1), stateOf())).toHaveLength(1);
});

it("compares objects with random suffixes after their owner's name, and their parts", () => {
  const set = { kind: "MachineSet", name: "set" };
  const run = (name: string, size: number) =>
    normalizeState(
      new Map([
        [`/machines n/${name}`, deployment({ name, ownerReferences: [set] }, { spec: { size, ref: name } })],
        [`/disks n/${name}`, deployment({ name, ownerReferences: [{ kind: "Machine", name }] })],
      ]),
    );
  expect(diffStates(run("set-x7k2p", 1), run("set-bcd4f", 1))).toEqual([]);
  expect(diffStates(run("set-x7k2p", 1), run("set-bcd4f", 2))).toMatchObject([{ path: "spec.size" }]);
});

it.each(["set-proxy", "set-a1b2c", "other-x7k2p", "setx7k2p"])("keeps the name %s of an owned object", (name) => {
  const [[id] = []] = stateOf(deployment({ name, ownerReferences: [{ kind: "MachineSet", name: "set" }] }));
  expect(id).toBe(`apps/deployments n/${name}`);
});

it("records whether a status describes the last change, not its generation", () => {
  const at = (generation: number, observedGeneration: number) =>
    stateOf(deployment({ generation }, { status: { observedGeneration } }));
  expect(diffStates(at(1, 1), at(7, 7))).toEqual([]);
  expect(diffStates(at(1, 1), at(7, 6))).toMatchObject([{ expected: "current", actual: "outdated" }]);
});

it("omits what differs between runs without a fault", () => {
  const [one, two] = [1, 2].map((port) => stateOf(deployment({}, { spec: { port, size: port } })));
  const three = stateOf(deployment({}, { spec: { port: 3, size: 1 } }));
  const mask = maskOf(diffStates(one!, two!).filter(({ path }) => path === "spec.port"));
  expect(diffStates(one!, three, mask)).toEqual([]);
  expect(diffStates(two!, three, mask)).toMatchObject([{ path: "spec.size" }]);
});

it("omits objects with random names", () => {
  const named = (...names: string[]) => stateOf(...names.map((name) => deployment({ name })));
  const first = named("worker-4dc12f0392", "worker-e43a116b3d", "api");
  const mask = maskOf(diffStates(first, named("worker-9c91ed50fe", "worker-9e3e113c66", "api")));
  expect(diffStates(first, named("worker-bac855a724", "api"), mask)).toEqual([]);
  expect(diffStates(first, named("worker-bac855a724", "api", "extra"), mask)).toMatchObject([{ actual: "exists" }]);
  expect(diffStates(first, named("worker-bac855a724"), mask)).toMatchObject([{ expected: "exists" }]);
});

it("omits times, and versions that an operator records", () => {
  const one = stateOf(deployment({ labels: { "owner-rv": "34" } }));
  const other = stateOf(
    deployment({ labels: { "owner-rv": "36" }, annotations: { restarted: "2026-01-01T00:00:00Z" } }),
  );
  expect(diffStates(one, other)).toEqual([]);
});

it("omits conditions about what the server does not do", () => {
  const message = "pods/exec is not served: no containers run here";
  const failed = { type: "Ready", status: "False", message };
  const one = stateOf(deployment({}, { status: { replicas: 1, conditions: [failed] } }));
  const other = stateOf(deployment({}, { status: { replicas: 2, conditions: [{ type: "Ready", status: "True" }] } }));
  expect(diffStates(one, other).map(({ path }) => path)).toEqual(["status.replicas"]);
});

it("omits a message about an unreachable program, and nothing else", () => {
  const lastMessage = "failed to fetch the version: dial tcp: lookup sample.default: no such host";
  const one = stateOf(deployment({}, { status: { replicas: 1, lastMessage } }));
  const other = stateOf(deployment({}, { status: { replicas: 2, lastMessage: "not found" } }));
  expect(diffStates(one, other).map(({ path }) => path)).toEqual(["status.replicas"]);
});

it("compares amounts of resources, not their form", () => {
  const [one, other, third] = [2, "2000m", "3"].map((cpu) =>
    stateOf(deployment({}, { spec: { limits: { cpu, "example.com/x": "none" } } })),
  );
  expect(diffStates(one!, other!)).toEqual([]);
  expect(diffStates(one!, third!)).toMatchObject([{ expected: "2", actual: "3" }]);
});

it("keeps a name that accompanies `generateName`", () => {
  const [[id, object] = []] = stateOf(deployment({ generateName: "head-" }, { spec: { text: "a b" } }));
  expect([id, object?.get("spec.text"), object?.get("metadata.namespace")]).toEqual([
    "apps/deployments n/a",
    "a b",
    "n",
  ]);
});

it("accepts an observed generation that is the latest", () => {
  const observing = (observedGeneration?: number) =>
    stateOf(deployment({ generation: 2 }, { status: { observedGeneration } }));
  expect(diffStates(observing(), observing(2))).toEqual([]);
  expect(diffStates(observing(), observing(1))).toHaveLength(1);
});

it("compares the name of a ReplicaSet in a text without its hash", () => {
  const progressed = (name: string) =>
    stateOf(deployment({}, { status: { message: `ReplicaSet "${name}" has successfully progressed.` } }));
  expect(diffStates(progressed("a-4nn4ndw6qn"), progressed("a-sbbwmzvhzj"))).toEqual([]);
  expect(diffStates(progressed("a-4nn4ndw6qn"), progressed("b-4nn4ndw6qn"))).toHaveLength(1);
});

it("omits the status of a HorizontalPodAutoscaler, which depends on when it read its target", () => {
  const autoscaler = (maxReplicas: number, currentReplicas: number): UnstructuredObject => ({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { namespace: "n", name: "a" },
    spec: { maxReplicas },
    status: { currentReplicas, currentMetrics: null },
  });
  expect(diffStates(stateOf(autoscaler(3, 0)), stateOf(autoscaler(3, 2)))).toEqual([]);
  expect(diffStates(stateOf(autoscaler(3, 0)), stateOf(autoscaler(4, 0)))).toHaveLength(1);
});

it("treats null as an absent field", () => {
  const [one, other] = [{ items: null }, {}].map((status) => stateOf(deployment({}, { status })));
  expect(diffStates(one!, other!)).toEqual([]);
});

it("treats a resolved abnormal condition as absent", () => {
  const stateWith = (type: string, status: string) =>
    stateOf(deployment({}, { status: { conditions: [{ type, status, reason: "Resumed" }] } }));
  const without = stateOf(deployment({}, { status: { conditions: [] } }));
  expect(diffStates(without, stateWith("Suspended", "False"))).toEqual([]);
  expect(diffStates(without, stateWith("Suspended", "True"))).not.toEqual([]);
  expect(diffStates(without, stateWith("Ready", "False"))).not.toEqual([]);
});
