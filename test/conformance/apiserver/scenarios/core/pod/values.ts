import type { RequestStep, Scenarios } from "../../../scenario.ts";
import { refusal } from "../../../steps.ts";
import { POST } from "../../../requests.ts";

const container = { name: "c", image: "i" };
const pod = (spec: object): RequestStep =>
  POST(
    "/api/v1/namespaces/{ns}/pods?dryRun=All",
    { metadata: { name: "a" }, spec: { containers: [container], ...spec } },
    { pick: refusal },
  );

const one = (fields: object): RequestStep => pod({ containers: [{ ...container, ...fields }] });
const volume = (source: object): RequestStep => pod({ volumes: [{ name: "v", ...source }] });
const mounts = (volumeMounts: readonly object[], source: object = { emptyDir: {} }): RequestStep =>
  pod({
    volumes: [{ name: "v", ...source }],
    containers: [{ ...container, volumeMounts: volumeMounts.map((mount) => ({ name: "v", ...mount })) }],
  });
const exec = { exec: { command: ["a"] } };
const spread = { maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "ScheduleAnyway" };
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const nodes = (nodeAffinity: object): RequestStep => pod({ affinity: { nodeAffinity } });
const template = (spec: object): RequestStep =>
  POST(
    "/apis/apps/v1/namespaces/{ns}/deployments?dryRun=All",
    {
      metadata: { name: "a" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container], ...spec } },
      },
    },
    { pick: refusal },
  );
const longDomain = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}`;
const gpu = "nvidia.com/gpu";
const pages = "hugepages-2Mi";

/** Resources of which a node cannot give more than it has. */
const resources: readonly object[] = [
  { limits: { nope: "1" } },
  { requests: { É: "1" } },
  { requests: { pods: "1" } },
  { requests: { [gpu]: "1" } },
  { limits: { [gpu]: "1" } },
  { limits: { [gpu]: "1" }, requests: { [gpu]: "1" } },
  { limits: { [gpu]: "2" }, requests: { [gpu]: "1" } },
  { limits: { [gpu]: "1k" }, requests: { [gpu]: "2000" } },
  { limits: { [gpu]: "500m" } },
  { limits: { [gpu]: "1500m" }, requests: { [gpu]: "0.5" } },
  { limits: { [gpu]: -1 } },
  { limits: { [gpu]: 0 }, requests: { [gpu]: 0 } },
  { requests: { "example.kubernetes.io/a": "500m" } },
  { limits: { "example.kubernetes.io/a": "2" }, requests: { "example.kubernetes.io/a": "1" } },
  { limits: { "example.kubernetes.io/a": "1" }, requests: { "example.kubernetes.io/a": "2" } },
  { requests: { "kubernetes.io/a": "1", nope: "1" } },
  { limits: { "requests.nvidia.com/gpu": "500m" }, requests: { "requests.nvidia.com/gpu": "1" } },
  { limits: { "a b/c": "500m" } },
  { limits: { "a/b/c": "500m" } },
  { limits: { [`${longDomain}/gpu`]: "500m", [`${longDomain}.four/gpu`]: "1" } },
  { limits: { [pages]: "4Mi", memory: "1Gi" } },
  { limits: { [pages]: "4Mi" }, requests: { cpu: "1" } },
  { limits: { [pages]: "4Mi", cpu: "1" }, requests: { [pages]: "2Mi" } },
  { limits: { [pages]: 0, cpu: "1" } },
  { requests: { "ephemeral-storage": "500m", cpu: "0.1" }, limits: { cpu: "1" } },
];

/** Parts of pods that rules in code check. */
export const scenarios: Scenarios = {
  "pod-containers": [
    ...["livenessProbe", "readinessProbe", "startupProbe"].flatMap((probe) =>
      [
        { terminationGracePeriodSeconds: 0 },
        { terminationGracePeriodSeconds: -1, periodSeconds: -1 },
        { exec: undefined, httpGet: { port: 80, httpHeaders: [{ name: "a b", value: "x" }] } },
      ].map((fields) => one({ [probe]: { ...exec, ...fields } })),
    ),
    ...[
      { postStart: {} },
      { preStop: { exec: {} } },
      { preStop: { sleep: { seconds: -1 } } },
      { preStop: { sleep: { seconds: 30 } } },
      { preStop: { sleep: { seconds: 31 } } },
      { preStop: { httpGet: { port: 0 } } },
      { postStart: { tcpSocket: { port: "A_B" } } },
      { postStart: { ...exec, httpGet: { port: 80 } } },
    ].map((lifecycle) => one({ lifecycle })),
    ...[
      { configMapKeyRef: { name: "", key: "k" } },
      { secretKeyRef: { name: "a", key: "a b" } },
      { secretKeyRef: { name: "A_B", key: ".." } },
      { resourceFieldRef: { resource: "limits.cpu", divisor: "1m" } },
      { resourceFieldRef: { resource: "limits.memory", divisor: "1Mi" } },
      { fieldRef: { fieldPath: "metadata.annotations['A B']" } },
      { fieldRef: { fieldPath: "metadata.labels['A']" } },
      { fieldRef: { fieldPath: "metadata.nope" } },
      { fieldRef: { fieldPath: "" } },
      { fieldRef: { fieldPath: "spec.nodeName", apiVersion: "v2" } },
      { resourceFieldRef: { resource: "nope" } },
    ].map((valueFrom) => one({ env: [{ name: "A", valueFrom }] })),
    ...[
      {},
      { configMapRef: { name: "" } },
      { configMapRef: { name: "A_B" } },
      { prefix: "1=", configMapRef: { name: "a" } },
      { configMapRef: { name: "a" }, secretRef: { name: "b" } },
    ].map((source) => one({ envFrom: [source] })),
    one({ livenessProbe: {}, env: [{ name: "a=b" }] }),
    one({ restartPolicy: "Nope" }),
    one({ restartPolicy: "Always" }),
    one({
      ports: [
        { containerPort: 80, hostPort: 1 },
        { containerPort: 81, hostPort: 1 },
      ],
    }),
    { ...one({ resources: { limits: { memory: "100m" } } }), pick: () => "its warnings" },
    ...[
      { livenessProbe: exec },
      { readinessProbe: exec, restartPolicy: "Never" },
      { lifecycle: { preStop: exec } },
      { lifecycle: { preStop: exec }, restartPolicy: "Always" },
      { name: "c" },
    ].map((fields) => pod({ initContainers: [{ ...container, name: "i", ...fields }] })),
  ],
  "pod-resources": resources.flatMap((each) => [
    one({ resources: each }),
    template({ containers: [{ ...container, resources: each }] }),
  ]),
  "pod-volumes": [
    ...[
      { hostPath: { path: "a/../b" } },
      { emptyDir: { sizeLimit: "-1" } },
      { secret: { secretName: "a", defaultMode: 512 } },
      {
        configMap: { name: "a", items: ["/x", "../x", "a/../b", "..x", "..x/y"].map((path) => ({ key: "k", path })) },
      },
      { configMap: { name: "a", items: [{ key: "a", path: "x", mode: -1 }] } },
      { projected: { defaultMode: 512, sources: [{ configMap: { name: "a", items: [{ key: "k", path: "/x" }] } }] } },
      { projected: { sources: [{ secret: { name: "a" }, configMap: { name: "b" } }] } },
      {
        projected: {
          sources: [{ downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "spec.nodeName" } }] } }],
        },
      },
      { downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "spec.nodeName" } }] } },
      { downwardAPI: { items: [{ path: "a" }] } },
      { downwardAPI: { items: [{ path: "../a", fieldRef: { fieldPath: "metadata.labels['a']" } }] } },
      { downwardAPI: { items: [{ path: "a", resourceFieldRef: { resource: "limits.cpu" } }] } },
      { csi: { driver: "a", nodePublishSecretRef: { name: "" } } },
      { ephemeral: {} },
      { ephemeral: { volumeClaimTemplate: { spec: {} } } },
    ].map(volume),
    mounts([{ mountPath: "/a", subPath: "/x" }]),
    mounts([{ mountPath: "/a", subPath: "../x" }]),
    mounts([{ mountPath: "/a", subPath: "a", subPathExpr: "b" }]),
  ],
  "pod-nodes": [
    nodes({ [required]: { nodeSelectorTerms: [] } }),
    ...[
      [{ key: "a b", operator: "In", values: ["x"] }],
      [{ key: "a", operator: "In" }],
      [{ key: "a", operator: "DoesNotExist", values: ["x"] }],
      [{ key: "a", operator: "Lt", values: ["1", "2"] }],
    ].map((matchExpressions) => nodes({ [required]: { nodeSelectorTerms: [{ matchExpressions }] } })),
    nodes({ [preferred]: [{ weight: 0, preference: {} }] }),
    pod({ affinity: { podAffinity: { [required]: [{ topologyKey: "a b", namespaces: ["A_B"] }] } } }),
    pod({
      affinity: {
        podAntiAffinity: {
          [preferred]: [
            {
              weight: 101,
              podAffinityTerm: {
                topologyKey: "a",
                labelSelector: { matchExpressions: [{ key: "a", operator: "In" }] },
                namespaceSelector: { matchLabels: { "a b": "x" } },
              },
            },
          ],
        },
      },
    }),
    ...[
      [{ ...spread, maxSkew: 0 }],
      [{ ...spread, minDomains: 2 }],
      [{ ...spread, whenUnsatisfiable: "DoNotSchedule", minDomains: 0 }],
      [{ ...spread, matchLabelKeys: ["a"] }],
    ].map((topologySpreadConstraints) => pod({ topologySpreadConstraints })),
    ...[
      [{ operator: "Exists", tolerationSeconds: 3 }],
      [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 3 }],
      [{ key: "a", value: "É" }],
      [{ key: "É", operator: "Exists", effect: "NoSchedule" }],
    ].map((tolerations) => pod({ tolerations })),
    pod({ schedulingGates: [{ name: "a b" }] }),
    pod({ schedulingGates: [{ name: "a" }, { name: "a" }], nodeName: "n" }),
    pod({ runtimeClassName: "nope" }),
    pod({ priority: 0, preemptionPolicy: "PreemptLowerPriority" }),
  ],
  "pod-security": [
    ...[
      { runAsUser: -1, fsGroup: -1, supplementalGroups: [-1] },
      { sysctls: ["a.b", "a.b"].map((name) => ({ name, value: "x" })) },
      { seccompProfile: { type: "Localhost", localhostProfile: "../x" } },
    ].map((securityContext) => pod({ securityContext })),
    ...[
      { runAsUser: 4_294_967_296, runAsGroup: -1 },
      { privileged: true, allowPrivilegeEscalation: false },
      { capabilities: { add: ["CAP_SYS_ADMIN"] }, allowPrivilegeEscalation: false },
      { seccompProfile: { type: "Localhost" } },
      { seccompProfile: { type: "RuntimeDefault", localhostProfile: "x" } },
      { appArmorProfile: { type: "Localhost" } },
      { appArmorProfile: { type: "Unconfined", localhostProfile: "x" } },
    ].map((securityContext) => one({ securityContext })),
    pod({ os: { name: "nope" } }),
    pod({ dnsPolicy: "None" }),
    pod({ dnsPolicy: "None", dnsConfig: { searches: [".", "a.b.", "_x.y", "a b"], options: [{ name: "" }] } }),
    pod({ dnsConfig: { nameservers: ["x", "1.1.1.1", "1.1.1.2", "1.1.1.3"] } }),
    pod({ hostAliases: [{ ip: "x", hostnames: ["A_B"] }] }),
    pod({ readinessGates: [{ conditionType: "a b" }] }),
    pod({ hostnameOverride: "A_B" }),
    pod({ hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 81 }] }] }),
    {
      ...pod({ imagePullSecrets: [{}], terminationGracePeriodSeconds: -1 }),
      pick: ({ spec }: any) => spec.terminationGracePeriodSeconds,
    },
    template({ runtimeClassName: "nope", preemptionPolicy: "Never", terminationGracePeriodSeconds: -1 }),
    template({ hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] }),
    template({ schedulingGates: [{ name: "a" }], containers: [{ ...container, envFrom: [{}] }] }),
  ],
  "pod-node-affinity": [
    ...[
      { nodeSelectorTerms: null },
      ...[
        { key: "a", operator: "x" },
        { key: "a" },
        { key: "", operator: "Exists" },
        { key: "a b", operator: "In", values: ["b c"] },
      ].map((requirement) => ({ nodeSelectorTerms: [{ matchExpressions: [requirement] }] })),
    ].map((needed) => pod({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: needed } } })),
    pod({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } }),
    pod({ affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{}] } } }),
    ...["Lt", "Gt", "x", ""].map((operator) => pod({ tolerations: [{ key: "a", operator, effect: "x" }] })),
  ],
};
