import { merge, strategic, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { core, deployments, pods } from "../../../steps.ts";
import { DELETE, GET, PATCH, POST } from "../../../requests.ts";

const metadata = { name: "a" };
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const workload = { selector: { matchLabels: { a: "b" } }, template };
const app = { name: "c", image: "i" };
const dry = (path: string, body: unknown): RequestStep => POST(`${path}?dryRun=All`, body);

export const scenarios: Scenarios = {
  pod: [
    POST(`${core}/pods`, {
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
        volumes: [{ name: "v" }, { name: "s", secret: { secretName: "x" } }, { name: "m", configMap: { name: "x" } }],
      },
    }),
    POST(`${core}/pods`, { metadata: { name: "b" }, spec: {} }),
    POST(`${core}/pods`, { metadata: { name: "b" }, spec: { containers: [{ name: "c" }] } }),
    POST(`${core}/pods`, {
      metadata: { name: "b" },
      spec: { containers: [{ name: "C_", image: "x" }], restartPolicy: "Sometimes" },
    }),
    PATCH(`${core}/pods/a`, merge, { spec: { containers: [{ name: "c", image: "nginx:1.28" }] } }),
    PATCH(`${core}/pods/a`, strategic, { spec: { containers: [{ name: "c", image: "nginx:1.28" }] } }),
    PATCH(`${core}/pods/a/status`, strategic, { status: { phase: "Running", podIP: "10.1.1.1" } }),
    DELETE(`${core}/pods/a`),
    GET(`${core}/pods/a`),
  ],
  "pod-refusals": [
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
};
