import { merge, type Scenario } from "../scenario.ts";

const ns = "/api/v1/namespaces/{ns}";
const batch = "/apis/batch/v1/namespaces/{ns}";
const priorities = "/apis/scheduling.k8s.io/v1/priorityclasses";
const base64 = (text: string) => Buffer.from(text).toString("base64");

const secret = (type: string, data: Readonly<Record<string, string>>, annotations?: object) => ({
  request: `POST ${ns}/secrets?dryRun=All`,
  body: { metadata: { name: "s", annotations }, type, stringData: data },
});

const cronJob = (spec: object) => ({
  request: `POST ${batch}/cronjobs?dryRun=All`,
  body: { metadata: { name: "c" }, spec: { schedule: "* * * * *", jobTemplate: { spec: jobSpec }, ...spec } },
  pick: ({ code, message, details, spec }: any) => (code ? { message, causes: details.causes } : spec.schedule),
});
const jobSpec = {
  template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "busybox" }] } },
};

/** Separated by bars. */
const schedules = [
  "|bad|* * * *|* * * * * *|60 * * * *|a * * * *|5-1 * * * *|*/0 * * * *|1/2/3 * * * *|1-2-3 * * * *|-1 * * * *",
  "1, * * * *|* * 0 * *|* * * 13 *|* * * * 7|1-x * * * *|*/x * * * *|*/100 * * * *|* 24 * * *|* * * foo *",
  "* * * * mon-fri|? ? ? ? ?|@nope|@every x|@every 5m|@every 1d|@hourly|@Hourly| @daily|  1 2 3 4 5  ",
  "TZ=UTC * * * * *|CRON_TZ=UTC 1 1 1 1 1|0 0 31 2 *|1-5/2,7 0 1-10/3 jan-mar 0-6",
].flatMap((line) => line.split("|"));

const otherwiseWrong = [
  { timeZone: "Europe/Berlin" },
  { timeZone: "" },
  { timeZone: "Nowhere/City" },
  { timeZone: "Local" },
  { timeZone: " UTC" },
  { concurrencyPolicy: "Nope" },
  { startingDeadlineSeconds: -1 },
  { successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
];

// The servers' ranges of addresses differ.
const service = (name: string, spec: object) => ({
  request: `POST ${ns}/services`,
  body: { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } },
  pick: ({ code, message, spec }: any) =>
    code
      ? message.replaceAll(/10\.[\d.]+\d/g, "IP")
      : {
          ...spec,
          clusterIP: spec.clusterIP === "None",
          clusterIPs: spec.clusterIPs?.length,
          ports: spec.ports.length,
        },
});

const token = (spec: object) => ({
  request: `POST ${ns}/serviceaccounts/bot/token`,
  body: { spec },
  pick: ({ code, message, spec, metadata }: any) => (code ? { message } : { spec, name: metadata.name }),
});

export const builtInRefusalScenarios: readonly Scenario[] = [
  {
    name: "typed-secrets",
    steps: [
      secret("kubernetes.io/tls", { a: "b" }),
      secret("kubernetes.io/tls", { "tls.crt": "", "tls.key": "" }),
      secret("kubernetes.io/basic-auth", { a: "b" }),
      secret("kubernetes.io/basic-auth", { username: "b" }),
      secret("kubernetes.io/ssh-auth", { a: "b" }),
      secret("kubernetes.io/ssh-auth", { "ssh-privatekey": "" }),
      secret("kubernetes.io/dockerconfigjson", { a: "b" }),
      secret("kubernetes.io/dockerconfigjson", { ".dockerconfigjson": "{}" }),
      secret("kubernetes.io/dockercfg", { a: "b" }),
      secret("kubernetes.io/service-account-token", { a: "b" }),
      secret("kubernetes.io/service-account-token", {}, { "kubernetes.io/service-account.name": "x" }),
      secret("bootstrap.kubernetes.io/token", {}),
      {
        request: `POST ${ns}/secrets`,
        body: { metadata: { name: "t" }, type: "kubernetes.io/tls", data: { "tls.crt": base64("a"), "tls.key": "" } },
      },
      { request: `PATCH ${ns}/secrets/t`, headers: merge, body: { data: { "tls.crt": null } } },
      { request: `PATCH ${ns}/secrets/t`, headers: merge, body: { type: "Opaque" } },
    ],
  },
  {
    name: "cron-schedules",
    steps: [...schedules.map((schedule) => ({ schedule })), ...otherwiseWrong].map(cronJob),
  },
  {
    name: "service-addresses",
    steps: [
      { ...service("a", {}), save: { address: "spec.clusterIP" } },
      service("b", { clusterIP: "{address}" }),
      service("b", { clusterIP: "1.1.1.1" }),
      service("b", { clusterIP: "nonsense" }),
      service("b", { clusterIP: "fd00::1" }),
      service("c", { clusterIP: "None" }),
      service("d", { type: "NodePort", ports: [{ port: 80, nodePort: 30034 }] }),
      service("e", { type: "NodePort", ports: [{ port: 80, nodePort: 30034 }] }),
      service("e", { type: "NodePort", ports: [{ port: 80, nodePort: 1 }] }),
      service("e", { type: "NodePort", ports: [{ port: 80, nodePort: 70000 }] }),
      service("e", { ports: [{ port: 80, nodePort: 30035 }] }),
      {
        ...service("f", {
          type: "NodePort",
          ports: [
            { name: "t", port: 53, nodePort: 30053 },
            { name: "u", port: 53, nodePort: 30053, protocol: "UDP" },
          ],
        }),
        pick: ({ spec, message }: any) => spec?.ports ?? message,
      },
      service("g", {
        type: "NodePort",
        ports: [
          { name: "t", port: 53, nodePort: 30054 },
          { name: "u", port: 54, nodePort: 30054 },
        ],
      }),
      service("g", { externalIPs: ["1.2.3.4"] }),
      service("h", { clusterIP: "None", externalIPs: ["1.2.3.4"] }),
      service("i", { externalIPs: ["127.0.0.1"] }),
      service("i", { externalIPs: ["x"] }),
      {
        ...service("i", { type: "LoadBalancer", externalTrafficPolicy: "Local" }),
        pick: ({ spec: { healthCheckNodePort, ports } }: any) =>
          healthCheckNodePort > 29_999 && ports[0].nodePort !== healthCheckNodePort,
      },
      { request: `PATCH ${ns}/services/d`, headers: merge, body: { spec: { ports: [{ port: 80, nodePort: 30036 }] } } },
      { request: `PATCH ${ns}/services/d`, headers: merge, body: { spec: { ports: [{ port: 80, nodePort: 29000 }] } } },
      { request: `DELETE ${ns}/services/a` },
      service("j", { clusterIP: "{address}" }),
    ],
  },
  {
    name: "default-priority",
    steps: [
      { request: `POST ${priorities}`, body: { metadata: { name: "{ns}-a" }, value: 5, globalDefault: true } },
      {
        // A moment passes until the server's admission knows of the first.
        request: `POST ${priorities}?dryRun=All`,
        body: { metadata: { name: "{ns}-b" }, value: 5, globalDefault: true },
        until: (_, status) => status === 403,
        unrecorded: true,
      },
      { request: `POST ${priorities}`, body: { metadata: { name: "{ns}-b" }, value: 5, globalDefault: true } },
      { request: `POST ${priorities}`, body: { metadata: { name: "{ns}-b" }, value: 5 } },
      { request: `PATCH ${priorities}/{ns}-b`, headers: merge, body: { globalDefault: true } },
      { request: `PATCH ${priorities}/{ns}-a`, headers: merge, body: { globalDefault: true, description: "d" } },
      { request: `DELETE ${priorities}/{ns}-a` },
      { request: `DELETE ${priorities}/{ns}-b` },
    ],
  },
  {
    name: "bound-tokens",
    steps: [
      { request: `POST ${ns}/serviceaccounts`, body: { metadata: { name: "bot" } } },
      { request: `POST ${ns}/secrets`, body: { metadata: { name: "s" } } },
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "nothing" } }),
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "nothing" } }),
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "ConfigMap", name: "nothing" } }),
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "s", uid: "other" } }),
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Node", name: "nothing" } }),
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "s" } }),
      token({ audiences: ["a"], expirationSeconds: 1 }),
      token({ audiences: ["a"], expirationSeconds: 8_589_934_592 }),
      {
        request: `POST /apis/authentication.k8s.io/v1/selfsubjectreviews`,
        headers: { "impersonate-user": "u", "impersonate-extra-A%2fb": "c", "impersonate-uid": "5" },
        body: {},
      },
    ],
  },
];
