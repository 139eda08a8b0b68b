import { merge, strategic, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { pods } from "../../../steps.ts";
import { GET, PATCH, POST, PUT } from "../../../requests.ts";

const containers = [{ name: "c", image: "i" }];
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const create = (name: string, spec: object): RequestStep =>
  POST(pods, { metadata: { name }, spec: { containers, ...spec } }, { pick: placement });
const patch = (name: string, body: object, headers = merge): RequestStep =>
  PATCH(`${pods}/${name}`, headers, body, { pick: placement });
const change = (name: string, spec: object): RequestStep => patch(name, { spec });

/** An answer's part that a change of a pod is about. The rest of some messages is a diff of Go structs. */
const placement = ({ code, details, metadata, spec, status }: any): unknown =>
  code === undefined
    ? { generation: metadata.generation, spec: { ...spec, containers: undefined }, conditions: status.conditions }
    : { causes: details.causes.map((cause: any) => ({ ...cause, message: cause.message.split("\n")[0] })) };

const bind = (name: string): RequestStep =>
  POST(`${pods}/${name}/binding`, { metadata: { name }, target: { kind: "Node", name: "n" } });
const zone = (...values: readonly string[]): object => ({ key: "zone", operator: "In", values });
const nodes = (...nodeSelectorTerms: readonly object[]): object => ({
  affinity: { nodeAffinity: { [required]: { nodeSelectorTerms } } },
});
const term = (...matchExpressions: readonly object[]): object => ({ matchExpressions });
const gates = (...names: readonly string[]): object => ({ schedulingGates: names.map((name) => ({ name })) });

/** Changes of a pod that its rules allow or refuse. */
export const scenarios: Scenarios = {
  "pod-gates": [
    create("a", { ...gates("x.io/one", "x.io/two"), nodeSelector: { disk: "ssd" } }),
    patch("a", { metadata: { labels: { still: "gated" } } }),
    bind("a"),
    change("a", { nodeName: "n" }),
    change("a", gates("x.io/one", "x.io/two", "x.io/three")),
    change("a", gates("x.io/three", "x.io/four")),
    change("a", { nodeSelector: { zone: "a" } }),
    change("a", { affinity: { podAffinity: { [required]: [{ topologyKey: "zone" }] } } }),
    change("a", {
      affinity: {
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: {} }] },
      },
    }),
    change("a", { hostNetwork: true, nodeSelector: { more: "x" } }),
    patch("a", { spec: { schedulingGates: [{ $patch: "delete", name: "x.io/one" }] } }, strategic),
    change("a", gates("x.io/one", "x.io/two")),
    change("a", { schedulingGates: [] }),
    change("a", { nodeSelector: { more: "x" } }),
    change("a", nodes(term(zone("a"), zone("a")))),
    change("a", gates("x.io/one")),
    bind("a"),
    bind("a"),
    GET(`${pods}/a`, { pick: placement }),
    // A pod without affinity gets it, and a removal releases the pod, too.
    create("b", gates("x.io/one")),
    change("b", { affinity: {} }),
    change("b", nodes(term(zone("a")))),
    change("b", { affinity: { podAffinity: { [required]: [{ topologyKey: "zone" }] } } }),
    change("b", { schedulingGates: null }),
  ],
  "pod-updates": [
    create("a", { tolerations: [{ key: "x", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }] }),
    change("a", { nodeName: "n" }),
    GET(`${pods}/a`, { pick: placement }),
    PUT(`${pods}/a`, { metadata: { name: "a" }, spec: { containers, nodeName: "n" } }, { pick: placement }),
    bind("a"),
    change("a", { nodeName: "m" }),
    change("a", { nodeName: null }),
    change("a", { nodeName: "" }),
    patch("a", { metadata: { labels: { a: "b" } }, spec: { nodeName: "n" } }),
    // A deadline only comes nearer.
    change("a", { activeDeadlineSeconds: 100 }),
    change("a", { activeDeadlineSeconds: 101 }),
    change("a", { activeDeadlineSeconds: 101, nodeName: "m", tolerations: [] }),
    change("a", { activeDeadlineSeconds: null }),
    change("a", { activeDeadlineSeconds: 100 }),
    change("a", { activeDeadlineSeconds: 60 }),
    change("a", { activeDeadlineSeconds: 0 }),
    change("a", { activeDeadlineSeconds: -1 }),
    change("a", { activeDeadlineSeconds: null, nodeName: "m" }),
    // Tolerations stay; only how long they last may change.
    change("a", { tolerations: [{ key: "x", operator: "Exists", effect: "NoExecute", tolerationSeconds: 6 }] }),
    change("a", { tolerations: [{ key: "x", operator: "Exists", effect: "NoExecute" }, { key: "y" }] }),
    change("a", { tolerations: [{ key: "y", operator: "Exists" }] }),
    change("a", { tolerations: null }),
    change("a", { tolerations: [{ key: "x", operator: "Exists" }] }),
    // Errors of the pod itself and of its changes come together.
    patch("a", { metadata: { labels: { a: "É" } }, spec: { nodeName: "m" } }),
    patch("a", { metadata: { labels: { a: "É" } }, spec: { activeDeadlineSeconds: -1, nodeName: "m" } }),
    change("a", { hostname: "A_B" }),
    change("a", {
      containers: [
        { name: "c", image: " i" },
        { name: "d", image: "i" },
      ],
    }),
    create("negative", { terminationGracePeriodSeconds: -1 }),
    change("negative", { terminationGracePeriodSeconds: 2 }),
  ],
};
