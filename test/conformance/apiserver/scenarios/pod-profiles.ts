import { merge, type RequestStep, type Scenario } from "../scenario.ts";

const pods = "/api/v1/namespaces/{ns}/pods";
const appArmor = "container.apparmor.security.beta.kubernetes.io";
const seccomp = "seccomp.security.alpha.kubernetes.io/pod";
const seccompOf = "container.seccomp.security.alpha.kubernetes.io";
const container = { name: "c", image: "i" };

interface Profiles {
  readonly annotations?: object;
  readonly pod?: object;
  readonly containers?: object;
  readonly spec?: object;
}

const specOf = ({ pod, containers, spec }: Profiles): object => ({
  initContainers: [{ name: "b", image: "i" }],
  containers: [{ ...container, ...(containers && { securityContext: containers }) }],
  ...(pod && { securityContext: pod }),
  ...spec,
});
const outcome = ({ code, details, message, spec = {} }: any): unknown => {
  if (code !== undefined) return { code, causes: details?.causes ?? message };
  const { initContainers = [], containers = [], securityContext } = spec;
  return {
    pod: securityContext,
    containers: [...initContainers, ...containers].map((each: any) => each.securityContext ?? "none"),
  };
};
const create = (profiles: Profiles): RequestStep => ({
  request: `POST ${pods}?dryRun=All`,
  body: { metadata: { name: "a", annotations: profiles.annotations ?? {} }, spec: specOf(profiles) },
  pick: outcome,
});
const deploy = (profiles: Profiles): RequestStep => ({
  request: "POST /apis/apps/v1/namespaces/{ns}/deployments?dryRun=All",
  body: {
    metadata: { name: "a" },
    spec: {
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" }, annotations: profiles.annotations ?? {} }, spec: specOf(profiles) },
    },
  },
  pick: ({ spec, ...rest }) => outcome({ ...rest, ...(spec && { spec: spec.template.spec }) }),
});

const local = { type: "Localhost", localhostProfile: "p" };
const runtime = { type: "RuntimeDefault" };
const unconfined = { type: "Unconfined" };

const cases: readonly Profiles[] = [
  ...["unconfined", "runtime/default", "localhost/p", "localhost/", "localhost/ p", "", "nope"].map((profile) => ({
    annotations: { [`${appArmor}/c`]: profile },
  })),
  { annotations: { [`${appArmor}/b`]: "unconfined", [`${appArmor}/x`]: "unconfined" } },
  {
    annotations: { [`${appArmor}/c`]: "runtime/default", [`${appArmor}/b`]: "runtime/default" },
    pod: { appArmorProfile: runtime },
  },
  { annotations: { [`${appArmor}/c`]: "unconfined" }, pod: { appArmorProfile: runtime } },
  ...[runtime, unconfined, local].flatMap((profile) =>
    ["unconfined", "runtime/default", "localhost/p", "localhost/q"].map((text) => ({
      annotations: { [`${appArmor}/c`]: text },
      containers: { appArmorProfile: profile },
    })),
  ),
  { annotations: { [`${appArmor}/c`]: "unconfined" }, spec: { os: { name: "windows" } } },
  ...[
    "unconfined",
    "docker/default",
    "runtime/default",
    "localhost/p",
    "localhost/../p",
    "localhost//p",
    "nope",
    "",
  ].map((profile) => ({ annotations: { [seccomp]: profile, [`${seccompOf}/c`]: profile } })),
  { annotations: { [`${seccompOf}/x`]: "unconfined" } },
  ...[runtime, unconfined, local].flatMap((profile) =>
    ["unconfined", "docker/default", "localhost/p", "localhost/q"].flatMap((text) => [
      { annotations: { [seccomp]: text }, pod: { seccompProfile: profile } },
      { annotations: { [`${seccompOf}/c`]: text }, containers: { seccompProfile: profile } },
    ]),
  ),
  {
    annotations: {
      "scheduler.alpha.kubernetes.io/critical-pod": "",
      "security.alpha.kubernetes.io/sysctls": "a=b",
      "security.alpha.kubernetes.io/unsafe-sysctls": "a=b",
    },
  },
];

const volumes: readonly object[] = [
  { photonPersistentDisk: { pdID: "a" } },
  { gitRepo: { repository: "a" } },
  { scaleIO: { gateway: "a", system: "b", volumeName: "c", secretRef: { name: "d" } } },
  { flocker: { datasetName: "a" } },
  { storageos: { volumeName: "a" } },
  { quobyte: { registry: "a:1", volume: "b" } },
  { glusterfs: { endpoints: "a", path: "b" } },
  { cephfs: { monitors: ["a"] } },
  { rbd: { monitors: ["a"], image: "b" } },
];
const withVolumes = { spec: { volumes: volumes.map((source, index) => ({ name: `v${index}`, ...source })) } };

/** Profiles of AppArmor and seccomp in annotations, and other parts of pods that have gone. */
export const podProfileScenarios: readonly Scenario[] = [
  {
    name: "pod-profiles",
    steps: [
      ...cases.flatMap((each) => [create(each), deploy(each)]),
      create(withVolumes),
      deploy(withVolumes),
      {
        request: `POST ${pods}`,
        body: {
          metadata: { name: "a", annotations: { [`${appArmor}/c`]: "unconfined", [seccomp]: "unconfined" } },
          spec: specOf({}),
        },
        pick: outcome,
      },
      { request: `PATCH ${pods}/a`, headers: merge, body: { metadata: { labels: { a: "b" } } }, pick: outcome },
      {
        request: `PATCH ${pods}/a`,
        headers: merge,
        body: { metadata: { annotations: { [seccomp]: "x" } } },
        pick: outcome,
      },
    ],
  },
];
