import { merge, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { pods } from "../../steps.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

const create = (name: string, spec: object = {}, metadata: object = {}): RequestStep =>
  POST(
    pods,
    {
      metadata: { name, labels: { a: "b" }, ...metadata },
      spec: { containers: [{ name: "c", image: "i" }], ...spec },
    },
    { save: { [name]: "metadata.uid" }, unrecorded: true },
  );
const bound = ({ metadata: { labels, annotations, generation }, spec: { nodeName }, status }: any): object => ({
  labels,
  annotations,
  generation,
  nodeName,
  status,
});
const read = (name: string): RequestStep => GET(`${pods}/${name}`, { pick: bound });
const nominate = (name: string): RequestStep =>
  PATCH(`${pods}/${name}/status`, merge, { status: { nominatedNodeName: "m" } }, { pick: bound });

/** The text has the version of the pod. */
const withoutVersion = ({ message, ...status }: any): object => ({ ...status, message: message.replace(/\d+$/, "") });

const ending = "{ns}-ending";

function stepsOf(pathOf: (name: string) => string): readonly Step[] {
  const bind = (name: string, fields: object = {}, query = ""): RequestStep =>
    POST(`${pathOf(name)}${query}`, { metadata: { name }, target: { kind: "Node", name: "n" }, ...fields });
  const uid = "00000000-0000-0000-0000-000000000000";
  return [
    create("a"),
    bind("none"),
    bind("none", { target: {} }),
    { ...bind("a"), request: `POST ${pathOf("a").replace("{ns}", "nowhere")}` },
    bind("a", { target: undefined }),
    bind("a", { target: {} }),
    bind("a", { target: { kind: "Node", name: "" } }),
    bind("a", { target: { kind: "Pod", name: "n" } }),
    bind("a", { target: { kind: "Pod" } }),
    bind("a", { target: "n" }),
    bind("a", { metadata: {} }),
    bind("a", { metadata: undefined }),
    bind("a", { metadata: {}, target: {} }),
    bind("a", { metadata: { name: "b" } }),
    bind("a", { metadata: { name: "a", namespace: "other" } }),
    { ...bind("a", { metadata: { name: "a", resourceVersion: "1" } }), pick: withoutVersion },
    bind("a", { kind: "Pod", apiVersion: "v1" }),
    bind("a", { kind: "Binding", apiVersion: "apps/v1" }),
    bind("a", { more: true }, "?fieldValidation=Strict"),
    { ...bind("a"), body: "{" },
    bind("a", {}, "?dryRun=All"),
    bind("a", {}, "?dryRun=Some"),
    read("a"),
    bind("a", {
      kind: "Binding",
      apiVersion: "v1",
      metadata: { name: "a", uid: "{a}", annotations: { x: "y" }, labels: { a: "c", d: "e" } },
      target: { name: "missing" },
    }),
    read("a"),
    bind("a"),
    bind("a", { target: { name: "other" } }),
    create("g", { schedulingGates: [{ name: "x.y/z" }] }),
    bind("g"),
    // The finalizer holds the pod, whatever a server knows of its node when it deletes it.
    create("t", {}, { finalizers: ["x.y/z"] }),
    bind("t", { target: { kind: "Node", name: "n", namespace: "x", fieldPath: "y" } }),
    DELETE(`${pods}/t`, { unrecorded: true }),
    bind("t"),
    create("u", { nodeName: "n" }),
    bind("u"),
    bind("none", {}, "?dryRun=All"),
    create("v"),
    nominate("v"),
    bind("v", { metadata: { name: "v", uid } }),
    bind("v", { metadata: { name: "v", annotations: {}, labels: {} } }),
    read("v"),
    POST("/api/v1/namespaces", { metadata: { name: ending } }, { unrecorded: true }),
    { ...create("w"), request: `POST ${pods.replace("{ns}", ending)}` },
    DELETE(`/api/v1/namespaces/${ending}`, { unrecorded: true }),
    {
      ...bind("w"),
      request: `POST ${pathOf("w").replace("{ns}", ending)}`,
      until: (_, status) => status !== 201,
    },
    GET(pathOf("a")),
    DELETE(pathOf("a")),
    PUT(pathOf("a"), { metadata: { name: "a" } }),
  ];
}

/** A binding is created for itself, or for a pod. */
export const scenarios: Scenarios = {
  bindings: stepsOf(() => "/api/v1/namespaces/{ns}/bindings"),
  "pod-bindings": stepsOf((name) => `${pods}/${name}/binding`),
};
