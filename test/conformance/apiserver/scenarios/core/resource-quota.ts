import { customKind } from "../../custom-kind.ts";
import { merge, strategic, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { claims, core, pods, quotas } from "../../steps.ts";
import { configure, remove, webhook } from "../../webhook-configurations.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";

const things = customKind("quota");
const container = (name: string, resources: object = {}, more: object = {}): object => ({
  name,
  image: "i:1",
  resources,
  ...more,
});

/** A generated name ends by chance, and several causes come in an order of chance. */
const refusal = ({ code, message, details }: any): unknown =>
  code === undefined
    ? "accepted"
    : JSON.parse(
        JSON.stringify({ code, message: details?.causes ? undefined : message, details }).replaceAll(
          /\bg-[a-z0-9]{5}\b/g,
          "g-<suffix>",
        ),
      );

const post = (path: string, name: string, fields: object = {}): RequestStep =>
  POST(path, { metadata: { name }, ...fields }, { pick: refusal });
const pod = (name: string, spec: object): RequestStep => post(pods, name, { spec });

/** A pod with one container. */
const one = (name: string, resources: object, spec: object = {}): RequestStep =>
  pod(name, { containers: [container("c", resources)], ...spec });

const tried = (step: RequestStep): RequestStep => ({ ...step, request: `${step.request}?dryRun=All` });
const create = (name: string, spec: object): RequestStep => ({ ...post(quotas, name, { spec }), unrecorded: true });
const zeros = (hard: object): object => Object.fromEntries(Object.keys(hard).map((name) => [name, "0"]));

/** Writes the status of a quota, as its controller would. */
const tell = (name: string, hard: object, used: object = zeros(hard)): RequestStep =>
  PATCH(`${quotas}/${name}/status`, merge, { status: { hard, used } }, { pick: refusal });

/** A server that refuses the step knows of the quota: it learns of it a moment later. */
const known = (step: RequestStep, text = "quota"): Step => ({
  ...tried(step),
  until: (body) => JSON.stringify(body).includes(text),
  unrecorded: true,
});

const quota = (name: string, hard: object, spec: object = {}): Step[] => [
  create(name, { hard, ...spec }),
  { ...tell(name, hard), unrecorded: true },
];
const usage = (name: string): RequestStep => GET(`${quotas}/${name}`, { pick: ({ status }) => status });
const change = (path: string, body: object): RequestStep => PATCH(path, strategic, body, { pick: refusal });
const ofPods = [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }];

function claim(name: string, storage: string): RequestStep {
  return post(claims, name, { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } } });
}

/** ResourceQuotas of a server without controllers: their status is what somebody writes. */
export const scenarios: Scenarios = {
  "quota-alone": {
    managedFields: true,
    steps: [
      create("a", { hard: { pods: "1", "count/configmaps": "1" } }),
      // Without a status, it has no effect.
      one("a", {}),
      one("b", {}),
      tell("a", { pods: "3", configmaps: "9" }, { configmaps: "0" }),
      known(one("c", {})),
      one("c", {}),
      post(`${core}/configmaps`, "a"),
      tell("a", { pods: "3" }, { pods: "2" }),
      known(one("d", {}), '"kind":"Pod"'),
      tried(one("c", {})),
      GET(`${quotas}/a`),
      one("c", {}),
      GET(`${quotas}/a`),
      one("d", {}),
      { ...post(pods, "", { metadata: { generateName: "g-" }, spec: { containers: [container("c")] } }) },
      // What exists already is counted first.
      PATCH(`${quotas}/a/status`, merge, { status: { hard: { pods: "9" } } }, { unrecorded: true }),
      { ...tried(one("d", {})), until: ({ kind }) => kind === "Pod", unrecorded: true },
      one("c", {}),
      usage("a"),
      // Only a controller takes a deleted object off.
      DELETE(`${pods}/c`, { unrecorded: true }),
      usage("a"),
      DELETE(`${quotas}/a`, { unrecorded: true }),
    ],
  },
  "quota-compute": [
    ...quota("a", { cpu: "1", "limits.memory": "1Gi", "requests.memory": "900Mi", pods: "10" }),
    known(one("a", {})),
    one("a", {}),
    one("a", { requests: { cpu: "1" }, limits: { memory: "1" } }),
    pod("a", {
      containers: [container("c", { requests: { cpu: "1" } }), container("b", { limits: { cpu: "1" } })],
      initContainers: [container("a"), container("s", { limits: { memory: "1" } }, { restartPolicy: "Always" })],
    }),
    one("a", { limits: { cpu: "2", memory: "2Gi" } }),
    one("a", { limits: { cpu: "1.125", memory: "1.0Mi" } }),
    tried(one("a", { limits: { cpu: "1", memory: "900Mi" } })),
    usage("a"),
    one("a", { requests: { cpu: "250m", memory: "100Mi" }, limits: { memory: "200Mi" } }),
    usage("a"),
    one("b", { requests: { cpu: "0.7501", memory: "100M" }, limits: { memory: "1000M" } }),
    pod("b", {
      containers: [container("c", { limits: { cpu: "100m", memory: "100Mi" } })],
      initContainers: [
        container("s", { limits: { cpu: "100m", memory: "100Mi" } }, { restartPolicy: "Always" }),
        container("i", { limits: { cpu: "300m", memory: "10Mi" } }),
      ],
    }),
    usage("a"),
    pod("c", {
      containers: [container("c")],
      resources: { requests: { cpu: "300m", memory: "1Mi" }, limits: { memory: "2Mi" } },
    }),
    pod("c", { containers: [container("c")], resources: { requests: { cpu: "100m", memory: "1Mi" } } }),
    usage("a"),
    change(`${pods}/a/resize`, { spec: { containers: [{ name: "c", resources: { requests: { cpu: "900m" } } }] } }),
    change(`${pods}/a/resize`, { spec: { containers: [{ name: "c", resources: { requests: { cpu: "300m" } } }] } }),
    usage("a"),
    change(`${pods}/a/resize`, { spec: { containers: [{ name: "c", resources: { requests: { cpu: "10m" } } }] } }),
    usage("a"),
  ],
  "quota-more-compute": [
    ...quota("a", {
      "requests.cpu": "1",
      "limits.cpu": "2",
      "requests.ephemeral-storage": "1Gi",
      "limits.ephemeral-storage": "1Gi",
      "ephemeral-storage": "1Gi",
      "requests.example.com/gpu": "2",
      "requests.hugepages-2Mi": "4Mi",
      "hugepages-2Mi": "4Mi",
      "count/pods": "4",
    }),
    known(one("a", {})),
    one("a", {}),
    one("a", { limits: { cpu: "500m" } }),
    usage("a"),
    one("b", { limits: { cpu: "100m", "example.com/gpu": "2", "hugepages-2Mi": "4Mi", "ephemeral-storage": "1Gi" } }),
    usage("a"),
    one("c", { limits: { cpu: "100m", "example.com/gpu": "1", "hugepages-2Mi": "2Mi", "ephemeral-storage": "1" } }),
    one("c", { requests: { cpu: "100m" }, limits: { cpu: "2" } }),
    usage("a"),
  ],
  "quota-counts": [
    ...things.install,
    ...quota("a", {
      configmaps: "1",
      secrets: "1",
      replicationcontrollers: "1",
      resourcequotas: "1",
      "count/resourcequotas": "5",
      "count/secrets": "5",
      "count/serviceaccounts": "0",
      "count/deployments.apps": "1",
      "count/things.quota.example.com": "1",
    }),
    known(post(`${core}/serviceaccounts`, "a")),
    ...["configmaps", "secrets"].flatMap((plural) => ["a", "b"].map((name) => post(`${core}/${plural}`, name))),
    post(quotas, "b", { spec: {} }),
    post(quotas, "c", { spec: {} }),
    ...["a", "b"].map((name) => ({ ...post(things.path, name), body: things.object(name) })),
    ...["a", "b"].map((name) =>
      post("/apis/apps/v1/namespaces/{ns}/deployments", name, {
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: { containers: [container("c")] } },
        },
      }),
    ),
    // Others than new objects do not count, and neither do kinds that no quota names.
    change(`${core}/configmaps/a`, { data: { a: "b" } }),
    post(`${core}/podtemplates`, "a", { template: { spec: { containers: [container("c")] } } }),
    post(`${core}/events`, "a", { involvedObject: { namespace: "{ns}" } }),
    usage("a"),
  ],
  "quota-claims": [
    ...quota("a", { persistentvolumeclaims: "2", "requests.storage": "10Gi", "count/persistentvolumeclaims": "9" }),
    known(claim("a", "20Gi")),
    claim("a", "20Gi"),
    claim("a", "4Gi"),
    claim("b", "1500m"),
    usage("a"),
  ],
  "quota-order": [
    ...configure("Validating", "quota-order", [webhook("deny", { rules: ofPods })]),
    POST(
      `${core}/limitranges`,
      {
        metadata: { name: "a" },
        spec: { limits: [{ type: "Container", max: { cpu: "1" }, default: { cpu: "200m" } }] },
      },
      { unrecorded: true },
    ),
    ...quota("a", { cpu: "500m", pods: "9" }),
    known(one("a", { limits: { cpu: "600m" } })),
    {
      ...tried(one("a", { limits: { cpu: "2" } })),
      until: ({ message = "" }) => message.includes("maximum"),
      unrecorded: true,
    },
    // The defaults of a LimitRange count, its limits are told before, and so is what a webhook says.
    one("a", {}),
    one("b", { limits: { cpu: "2" } }),
    one("b", { limits: { cpu: "600m" } }),
    {
      ...post(pods, "b", {
        metadata: { name: "b", labels: { case: "deny" } },
        spec: { containers: [container("c", { limits: { cpu: "600m" } })] },
      }),
    },
    { ...post(pods, "a", { spec: { containers: [container("c", { limits: { cpu: "-1" } })] } }) },
    usage("a"),
    POST(
      pods,
      { metadata: { name: "p" }, spec: { containers: [container("c", { limits: { cpu: "10m" } })] } },
      { parallel: 4 },
    ),
    usage("a"),
    ...remove("validating", "quota-order"),
  ],
};
