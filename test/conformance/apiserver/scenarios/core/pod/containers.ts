import { jsonPatch, strategic, type Scenario } from "../../../scenario.ts";
import { pods } from "../../../steps.ts";

const container = { name: "c", image: "i", env: [{ name: "A", value: "1" }], ports: [{ containerPort: 80 }] };
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a", labels: { app: "a" }, finalizers: ["a.b/c", "a.b/d"] },
  spec: { containers: [container], volumes: [{ name: "v", emptyDir: {} }], nodeSelector: { disk: "ssd" } },
};

export const scenarios: readonly Scenario[] = [
  {
    name: "changed-containers",
    steps: [
      { request: `POST ${pods}`, body: pod },
      {
        request: `PATCH ${pods}/a`,
        headers: jsonPatch,
        body: [{ op: "remove", path: "/spec/containers/0/image" }],
      },
      {
        request: `PATCH ${pods}/a`,
        headers: jsonPatch,
        body: [{ op: "replace", path: "/spec/containers/0/image", value: " i" }],
      },
      {
        request: `PATCH ${pods}/a`,
        headers: strategic,
        body: { spec: { containers: [{ name: "d" }], initContainers: [{ name: "e" }] } },
      },
      ...["httpGet", "tcpSocket", "grpc"].map((handler) => ({
        request: `POST ${pods}`,
        body: { ...pod, spec: { containers: [{ ...container, livenessProbe: { [handler]: {} } }] } },
      })),
      ...["deployments", "statefulsets", "daemonsets"].map((plural) => ({
        request: `POST /apis/apps/v1/namespaces/{ns}/${plural}`,
        body: {
          apiVersion: "apps/v1",
          kind: { deployments: "Deployment", statefulsets: "StatefulSet", daemonsets: "DaemonSet" }[plural],
          metadata: { name: "a" },
          spec: { selector: {}, template: { metadata: { labels: { app: "a" } }, spec: { containers: [] } } },
        },
      })),
    ],
  },
];
