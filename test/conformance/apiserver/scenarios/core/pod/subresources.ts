import { apply, jsonPatch, merge, strategic, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { pods } from "../../../steps.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../../requests.ts";

const container = { name: "c", image: "i:1" };
const debug = { name: "debug", image: "busybox:1" };
const create = (name: string, spec: object): RequestStep => POST(pods, { metadata: { name }, spec });
const debugWith = (...ephemeralContainers: readonly object[]): RequestStep =>
  PATCH(`${pods}/a/ephemeralcontainers`, strategic, { spec: { ephemeralContainers } });
const resize = (resources: object, name = "a"): RequestStep =>
  PATCH(`${pods}/${name}/resize`, strategic, { spec: { containers: [{ name: "c", resources }] } });

/** The rest of the message is a diff of Go structs. */
const firstLine = ({ code, message }: any): unknown => ({ code, message: message.split("\n")[0] });

const withoutOwners = ({ metadata: { labels, generation }, spec }: any): unknown => ({ labels, generation, spec });
const sized = (resources: object): object => ({ containers: [{ ...container, resources }] });

/** Subresources that change a part of a pod's spec. */
export const scenarios: Scenarios = {
  "ephemeral-containers": {
    managedFields: true,
    steps: [
      create("b", { containers: [container], ephemeralContainers: [debug] }),
      create("a", { containers: [container] }),
      GET(`${pods}/a/ephemeralcontainers`, { pick: ({ kind, spec }) => ({ kind, spec }) }),
      debugWith(debug),
      debugWith({ ...debug, name: "two", targetContainerName: "c" }),
      { ...debugWith({ name: "debug", image: "other" }), pick: firstLine },
      PATCH(`${pods}/a/ephemeralcontainers`, merge, { spec: { ephemeralContainers: [] } }),
      debugWith({ name: "c", image: "i" }),
      debugWith({ name: "three", image: "i", targetContainerName: "none" }),
      debugWith({ name: "three", image: "" }, { name: "É", image: "i" }),
      debugWith({
        name: "three",
        image: "i",
        ports: [{ containerPort: 80 }],
        livenessProbe: { exec: { command: ["a"] } },
        lifecycle: { preStop: { exec: { command: ["a"] } } },
        resources: { limits: { cpu: "1" } },
      }),
      debugWith({ name: "three", image: "i", volumeMounts: [{ name: "none", mountPath: "/x" }] }),
      // An update of the whole pod does not change them.
      PATCH(`${pods}/a`, merge, { spec: { ephemeralContainers: [] } }, { pick: firstLine }),
      PATCH(`${pods}/a/ephemeralcontainers`, jsonPatch, [
        { op: "add", path: "/spec/ephemeralContainers/-", value: { name: "four", image: "i" } },
      ]),
      PATCH(`${pods}/a/ephemeralcontainers?fieldManager=m`, apply, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a" },
        spec: { ephemeralContainers: [{ name: "five", image: "i" }] },
      }),
      PUT(`${pods}/a/ephemeralcontainers`, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a" },
        spec: { containers: [container] },
      }),
      PATCH(`${pods}/none/ephemeralcontainers`, merge, {}),
      POST(`${pods}/a/ephemeralcontainers`, {}),
      DELETE(`${pods}/a/ephemeralcontainers`),
      PATCH(
        `${pods}/a/ephemeralcontainers`,
        strategic,
        {
          metadata: { labels: { x: "y" } },
          spec: { activeDeadlineSeconds: 9, ephemeralContainers: [{ name: "six", image: "i" }] },
        },
        { pick: withoutOwners },
      ),
      POST("/apis/apps/v1/namespaces/{ns}/deployments", {
        metadata: { name: "a" },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: {
            metadata: { labels: { a: "b" } },
            spec: { containers: [container], ephemeralContainers: [debug] },
          },
        },
      }),
    ],
  },
  "pod-resize": {
    managedFields: true,
    steps: [
      create("a", sized({ requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "2" } })),
      create("free", { containers: [container] }),
      GET(`${pods}/a/resize`, { pick: ({ kind, spec }) => ({ kind, spec }) }),
      resize({ requests: { cpu: "1500m" } }),
      resize({ requests: { memory: "2Gi" }, limits: { memory: "2Gi" } }),
      resize({ requests: { cpu: "3" } }),
      resize({ requests: { cpu: "-1" } }),
      resize({ requests: { "ephemeral-storage": "1Gi" } }),
      resize({ requests: { cpu: "2" }, limits: { memory: "2Gi" } }),
      resize({ limits: { memory: null } }),
      resize({ requests: { cpu: "1" } }, "free"),
      PATCH(`${pods}/a/resize`, strategic, {
        spec: {
          containers: [{ name: "c", resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] }],
        },
      }),
      PATCH(`${pods}/a/resize`, strategic, { spec: { containers: [{ name: "d", image: "i" }] } }),
      PATCH(`${pods}/a`, strategic, { spec: sized({ requests: { cpu: "1" } }) }, { pick: firstLine }),
      PATCH(
        `${pods}/a/resize`,
        strategic,
        {
          metadata: { labels: { x: "y" } },
          spec: {
            activeDeadlineSeconds: 9,
            containers: [{ name: "c", image: "other", resources: { requests: { cpu: "1700m" } } }],
          },
        },
        { pick: withoutOwners },
      ),
      resize({ requests: { cpu: "1" } }, "none"),
    ],
  },
};
