import type { RequestStep, Scenarios, Step } from "../../../scenario.ts";
import { POST } from "../../../requests.ts";

const prefix = "pod-security.kubernetes.io/";
const labels = (modes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(modes).map(([mode, value]) => [`${prefix}${mode}`, value]));
const message = ({ code, message: text }: any): unknown => (code === undefined ? "accepted" : text);

/** Creates a namespace and waits until the plugin knows it: a real server learns of namespaces a moment later. */
function namespace(name: string, modes: Readonly<Record<string, string>>): Step[] {
  return [
    POST("/api/v1/namespaces", { metadata: { name: `{ns}-${name}`, labels: labels(modes) } }, { pick: message }),
    { ...pod(name, { hostPID: true }), until: (_, status) => status === 403, unrecorded: true },
  ];
}

const container = { name: "c", image: "i" };

function pod(name: string, spec: object): RequestStep {
  return POST(
    `/api/v1/namespaces/{ns}-${name}/pods?dryRun=All`,
    { metadata: { name: "a" }, spec: { containers: [container], ...spec } },
    { pick: message },
  );
}

const secure = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

/** A pod that the level restricted accepts, but for the fields. */
const one = (securityContext: object, fields: object = {}): object => ({
  containers: [{ ...container, ...fields, securityContext: { ...secure, ...securityContext } }],
});

const several = (securityContext: object): object => {
  const named = (name: string): object => ({ ...container, name, securityContext: { ...secure, ...securityContext } });
  return { initContainers: [named("i-b"), named("i-a")], containers: [named("c-b"), named("c-a")] };
};
const whole = (securityContext: object, spec: object = {}): object => ({ ...one({}), securityContext, ...spec });
const volumes = (...sources: readonly object[]): object => ({
  ...one({}),
  volumes: sources.map((source, index) => ({ name: `v${index}`, ...source })),
});
const http = (host: string): object => ({ httpGet: { port: 80, host } });
const tcp = (host: string): object => ({ tcpSocket: { port: 80, host } });

/** Pods that break one rule each, or none. */
const samples: readonly { readonly spec: object }[] = [
  { spec: {} },
  { spec: one({}) },
  { spec: several({ privileged: true, allowPrivilegeEscalation: undefined }) },
  { spec: several({ allowPrivilegeEscalation: true }) },
  { spec: { ...one({}), os: { name: "windows" }, containers: [container] } },
  { spec: { ...one({}), os: { name: "linux" }, containers: [container] } },
  { spec: one({ capabilities: { add: ["NET_ADMIN", "CHOWN"], drop: ["all"] } }) },
  { spec: several({ capabilities: { add: ["SYS_TIME", "BPF", "NET_BIND_SERVICE"], drop: ["ALL"] } }) },
  { spec: one({ capabilities: { drop: ["NET_RAW", "ALL"] } }) },
  { spec: { ...one({}), hostNetwork: true, hostPID: true, hostIPC: true } },
  { spec: { ...one({}, { ports: [{ containerPort: 80 }] }), hostNetwork: true } },
  {
    spec: one(
      {},
      {
        ports: [
          { containerPort: 80, hostPort: 9 },
          { containerPort: 81, hostPort: 10 },
        ],
      },
    ),
  },
  {
    spec: {
      containers: ["b", "a"].map((name, index) => ({
        ...container,
        name,
        securityContext: secure,
        ports: [{ containerPort: 80, hostPort: 8080 + index }],
      })),
    },
  },
  { spec: volumes({ hostPath: { path: "/a" } }) },
  { spec: volumes({ hostPath: { path: "/a" } }, { hostPath: { path: "/b" } }, { emptyDir: {} }) },
  {
    spec: volumes(
      { nfs: { server: "a", path: "/" } },
      { iscsi: { targetPortal: "a", iqn: "iqn.2020-01.com.example:a", lun: 0 } },
    ),
  },
  { spec: volumes({ fc: { targetWWNs: ["a"], lun: 1 } }, { azureFile: { secretName: "a", shareName: "b" } }, {}) },
  {
    spec: volumes(
      { image: { reference: "a" } },
      { csi: { driver: "a" } },
      { downwardAPI: {} },
      { projected: { sources: [] } },
    ),
  },
  {
    spec: one(
      {},
      {
        livenessProbe: http("b.example.com"),
        readinessProbe: tcp("a.example.com"),
        startupProbe: { httpGet: { port: 80 } },
        lifecycle: { postStart: http("c.example.com"), preStop: tcp("a.example.com") },
      },
    ),
  },
  { spec: { ...several({ procMount: "Unmasked" }), hostUsers: false } },
  { spec: { ...one({ procMount: "Unmasked" }), hostUsers: false } },
  { spec: whole({ seLinuxOptions: { type: "spc_t" } }) },
  { spec: whole({ seLinuxOptions: { type: "container_engine_t" } }) },
  { spec: several({ seLinuxOptions: { type: "a_t", user: "u", role: "r", level: "l" } }) },
  {
    spec: {
      ...several({ seLinuxOptions: { role: "r" } }),
      securityContext: { seLinuxOptions: { user: "u", type: "b" } },
    },
  },
  { spec: whole({ seccompProfile: { type: "Unconfined" } }) },
  {
    spec: {
      ...several({ seccompProfile: { type: "Unconfined" } }),
      securityContext: { seccompProfile: { type: "Unconfined" } },
    },
  },
  { spec: one({ seccompProfile: undefined }) },
  { spec: { ...one({ seccompProfile: undefined }), securityContext: { seccompProfile: { type: "RuntimeDefault" } } } },
  { spec: whole({ appArmorProfile: { type: "Unconfined" } }) },
  {
    spec: {
      ...several({ appArmorProfile: { type: "Unconfined" } }),
      securityContext: { appArmorProfile: { type: "RuntimeDefault" } },
    },
  },
  { spec: one({ runAsNonRoot: undefined }) },
  { spec: whole({ runAsNonRoot: false }) },
  { spec: { ...several({ runAsNonRoot: false }), securityContext: { runAsNonRoot: true } } },
  { spec: { ...several({ runAsNonRoot: undefined }), securityContext: { runAsNonRoot: true } } },
  { spec: whole({ runAsUser: 0 }) },
  { spec: { ...several({ runAsUser: 0 }), securityContext: { runAsUser: 0 } } },
  { spec: { ...one({ runAsUser: 0, runAsNonRoot: false }), hostUsers: false } },
  {
    spec: whole({
      sysctls: ["kernel.msgmax", "net.ipv4.tcp_rmem", "net.core.a"].map((name) => ({ name, value: "1" })),
    }),
  },
  {
    spec: {
      os: { name: "windows" },
      hostNetwork: true,
      containers: [{ ...container, securityContext: { windowsOptions: { hostProcess: true } } }],
      securityContext: { windowsOptions: { hostProcess: true }, runAsNonRoot: true },
    },
  },
];

export const scenarios: Scenarios = {
  "pod-security-levels": ["baseline", "restricted"].flatMap((level) => [
    ...namespace(level, { enforce: level }),
    ...samples.map(({ spec }) => pod(level, spec)),
  ]),
};
