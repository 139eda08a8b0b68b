import { jsonPatch, strategic, type Scenarios } from "../../../scenario.ts";
import { pods } from "../../../steps.ts";
import { PATCH, POST } from "../../../requests.ts";

const container = { name: "c", image: "i", env: [{ name: "A", value: "1" }], ports: [{ containerPort: 80 }] };
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a", labels: { app: "a" }, finalizers: ["a.b/c", "a.b/d"] },
  spec: { containers: [container], volumes: [{ name: "v", emptyDir: {} }], nodeSelector: { disk: "ssd" } },
};

export const scenarios: Scenarios = {
  "changed-containers": [
    POST(pods, pod),
    PATCH(`${pods}/a`, jsonPatch, [{ op: "remove", path: "/spec/containers/0/image" }]),
    PATCH(`${pods}/a`, jsonPatch, [{ op: "replace", path: "/spec/containers/0/image", value: " i" }]),
    PATCH(`${pods}/a`, strategic, { spec: { containers: [{ name: "d" }], initContainers: [{ name: "e" }] } }),
    ...["httpGet", "tcpSocket", "grpc"].map((handler) =>
      POST(pods, { ...pod, spec: { containers: [{ ...container, livenessProbe: { [handler]: {} } }] } }),
    ),
    ...["deployments", "statefulsets", "daemonsets"].map((plural) =>
      POST(`/apis/apps/v1/namespaces/{ns}/${plural}`, {
        apiVersion: "apps/v1",
        kind: { deployments: "Deployment", statefulsets: "StatefulSet", daemonsets: "DaemonSet" }[plural],
        metadata: { name: "a" },
        spec: { selector: {}, template: { metadata: { labels: { app: "a" } }, spec: { containers: [] } } },
      }),
    ),
  ],
};
