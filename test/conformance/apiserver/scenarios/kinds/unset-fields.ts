import { strategic, type RequestStep, type Scenarios } from "../../scenario.ts";
import { accounts, budgets, deployments, jobs, leases, maps, pods, roles, services } from "../../steps.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

const bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings";
const metadata = { name: "a" };
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const workload = { selector: { matchLabels: { a: "b" } }, template };
const rbac = "rbac.authorization.k8s.io";
const roleRef = { apiGroup: rbac, kind: "Role", name: "r" };
const withMemory = (memory: unknown): unknown => ({
  metadata,
  spec: { containers: [{ name: "c", image: "i", resources: { limits: { cpu: memory } } }] },
});
const quantities = ["x", "", "1 Gi", "1e3", "0.5", "1024Mi", "1000m", "1Zi", true, 5, 1.5, [], {}, null];
const times = ["x", "", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z", "2026-01-01", "2026-13-01T00:00:00Z", 5, {}];
const ports = ["x", 5, 1.5, true, {}, [], null, 4_294_967_296];
const jobTemplate = { spec: { ...template.spec, restartPolicy: "Never" } };
const event = { metadata, reason: "R", message: "m", type: "Normal" };
const conditions = ({ status: { conditions } }: any): unknown => conditions;
const status = (path: string, body: object): RequestStep => PATCH(`${path}/status`, strategic, { status: body });
const dry = (path: string, body: unknown): RequestStep => POST(`${path}?dryRun=All`, body);

export const scenarios: Scenarios = {
  // Pointers that Go writes even if they are not set.
  "unset-pointers": [
    POST("/api/v1/persistentvolumes?dryRun=All", {
      metadata: { name: "{ns}" },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        azureFile: { secretName: "a", shareName: "b" },
      },
    }),
    POST("/apis/networking.k8s.io/v1/ingressclasses?dryRun=All", {
      metadata: { name: "{ns}" },
      spec: { controller: "a.b/c", parameters: { kind: "X", name: "y" } },
    }),
  ],
  // Go writes null for a time that is not set, unless the field is a pointer or is marked as omitzero.
  "unset-times": {
    managedFields: true,
    steps: [
      POST(pods, { metadata, spec: template.spec }),
      status(`${pods}/a`, {
        conditions: [{ type: "example.com/Ready", status: "True" }],
        containerStatuses: [{ name: "c", state: { running: {} }, lastState: { terminated: { exitCode: 1 } } }],
      }),
      status(`${pods}/a`, { conditions: [{ type: "example.com/Ready", status: "False", lastProbeTime: null }] }),
      POST(deployments, { metadata, spec: workload }),
      status(`${deployments}/a`, { conditions: [{ type: "Available", status: "True" }] }),
      POST(jobs, { metadata, spec: { template: jobTemplate } }),
      status(`${jobs}/a`, { conditions: [{ type: "Suspended", status: "True" }] }),
      POST("/api/v1/nodes", { metadata: { name: "{ns}-a" } }, { unrecorded: true }),
      { ...status("/api/v1/nodes/{ns}-a", { conditions: [{ type: "Ready", status: "True" }] }), pick: conditions },
      DELETE("/api/v1/nodes/{ns}-a", { unrecorded: true }),
      POST("/api/v1/namespaces/{ns}/events", { ...event, involvedObject: { namespace: "{ns}" } }),
      GET("/apis/events.k8s.io/v1/namespaces/{ns}/events/a"),
      DELETE(`${pods}/a?gracePeriodSeconds=0`, { unrecorded: true }),
    ],
  },
  "typed-values": [
    ...quantities.map((quantity) => dry(pods, withMemory(quantity))),
    ...times.map((renewTime) => dry(leases, { metadata, spec: { renewTime } })),
    ...ports.map((targetPort) => dry(services, { metadata, spec: { ports: [{ port: 80, targetPort }] } })),
    ...[4_294_967_296, 2_147_483_648, 1e20].map((replicas) =>
      dry(deployments, { metadata, spec: { ...workload, replicas } }),
    ),
  ],
  "typed-empties": {
    managedFields: true,
    steps: [
      POST(maps, { metadata, data: {}, binaryData: null }),
      PUT(`${maps}/a`, { metadata, data: { x: null } }),
      POST(roles, { metadata, rules: [] }),
      PUT(`${roles}/a`, { metadata }),
      POST(bindings, { metadata, subjects: [], roleRef }),
      POST(accounts, { metadata, imagePullSecrets: [], secrets: null }),
      POST(leases, { metadata }),
      POST(budgets, { metadata, spec: null }),
      PUT(`${budgets}/a`, { metadata }),
      PUT(`${services}/a`, { metadata, spec: { ports: [{ port: 80 }] } }),
      PUT(`${services}/a/status`, { metadata }),
    ],
  },
};
