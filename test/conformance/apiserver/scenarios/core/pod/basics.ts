import { merge, strategic, type RequestStep, type Scenario } from "../../../scenario.ts";
import { core, pods } from "../../../steps.ts";

const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const metadata = { name: "a" };
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const workload = { selector: { matchLabels: { a: "b" } }, template };
const app = { name: "c", image: "i" };
const dry = (path: string, body: unknown): RequestStep => ({ request: `POST ${path}?dryRun=All`, body });

export const scenarios: readonly Scenario[] = [
  {
    name: "pod",
    steps: [
      {
        request: `POST ${core}/pods`,
        body: {
          metadata: { name: "a" },
          spec: {
            containers: [
              {
                name: "c",
                image: "nginx:1.27",
                ports: [{ containerPort: 80 }],
                livenessProbe: { httpGet: { port: 80 } },
                env: [{ name: "N", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
                resources: { limits: { cpu: "1", memory: "1Gi" } },
                volumeMounts: [{ name: "v", mountPath: "/v" }],
              },
            ],
            volumes: [
              { name: "v" },
              { name: "s", secret: { secretName: "x" } },
              { name: "m", configMap: { name: "x" } },
            ],
          },
        },
      },
      { request: `POST ${core}/pods`, body: { metadata: { name: "b" }, spec: {} } },
      { request: `POST ${core}/pods`, body: { metadata: { name: "b" }, spec: { containers: [{ name: "c" }] } } },
      {
        request: `POST ${core}/pods`,
        body: {
          metadata: { name: "b" },
          spec: { containers: [{ name: "C_", image: "x" }], restartPolicy: "Sometimes" },
        },
      },
      {
        request: `PATCH ${core}/pods/a`,
        headers: merge,
        body: { spec: { containers: [{ name: "c", image: "nginx:1.28" }] } },
      },
      {
        request: `PATCH ${core}/pods/a`,
        headers: strategic,
        body: { spec: { containers: [{ name: "c", image: "nginx:1.28" }] } },
      },
      {
        request: `PATCH ${core}/pods/a/status`,
        headers: strategic,
        body: { status: { phase: "Running", podIP: "10.1.1.1" } },
      },
      { request: `DELETE ${core}/pods/a` },
      { request: `GET ${core}/pods/a` },
    ],
  },
  {
    name: "pod-refusals",
    steps: [
      { volumes: [{ name: "v" }], containers: [{ ...app, volumeMounts: [{ name: "w", mountPath: "/w" }] }] },
      { volumes: ["v", "v"].map((name) => ({ name, emptyDir: {} })), containers: [app] },
      { containers: [app, app] },
      { initContainers: [{ ...app, name: "i" }, { name: "j" }], containers: [app] },
      { containers: [{ ...app, ports: [{ containerPort: 70_000 }, { name: "x" }] }] },
      { containers: [{ ...app, resources: { requests: { memory: "-1Gi" }, limits: { cpu: "-1" } } }] },
      { containers: [{ ...app, resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }] },
      { containers: [app], nodeSelector: { "a b": "!" } },
      { containers: [] },
    ].flatMap((spec) => [
      dry(pods, { metadata, spec }),
      dry(deployments, { metadata, spec: { ...workload, template: { ...template, spec } } }),
    ]),
  },
];
