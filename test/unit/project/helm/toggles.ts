import { expect } from "vitest";

type Json = any; // oxlint-disable-line typescript/no-explicit-any -- manifests of all kinds
type Objects = ReadonlyMap<string, Json>;

interface Outcome {
  readonly error: string | undefined;
  readonly before: Objects;
  readonly after: Objects;
}

/** Values for `--set`, with their effect on the objects of a scenario. */
export interface Toggle {
  readonly of: string;
  readonly values: string;
  readonly check: (outcome: Outcome) => void;
}

const removed = ({ before, after }: Outcome): string[] => [...before.keys()].filter((id) => !after.has(id)).sort();
const added = ({ before, after }: Outcome): string[] => [...after.keys()].filter((id) => !before.has(id)).sort();
const deployment = ({ after }: Outcome): Json => [...after.values()].find(({ kind }) => kind === "Deployment");
const pod = (outcome: Outcome): Json => deployment(outcome).spec.template.spec;
const container = (outcome: Outcome): Json => pod(outcome).containers[0];
const clientConfigs = ({ after }: Outcome): Json[] =>
  [...after.values()].flatMap(({ kind, webhooks, spec }) =>
    kind === "CustomResourceDefinition"
      ? [spec.conversion.webhook.clientConfig]
      : (webhooks ?? []).map(({ clientConfig }: Json) => clientConfig),
  );

const metricsAccess = [
  "ClusterRole hooks-metrics-auth-role",
  "ClusterRole hooks-metrics-reader",
  "ClusterRoleBinding hooks-metrics-auth-rolebinding",
];

const toggle = (of: string, values: string, check: Toggle["check"]): Toggle => ({ of, values, check });

/** A value of the pod or of the container that is copied to one field. */
const copied = (values: string, field: (outcome: Outcome) => unknown, wanted: unknown): Toggle =>
  toggle("api", values, (outcome) => {
    expect(outcome.error).toBeUndefined();
    expect([...added(outcome), ...removed(outcome)]).toEqual([]);
    expect(field(outcome)).toEqual(wanted);
  });

/** Values that remove these objects, . */
const removes = (of: string, values: string, ...ids: readonly string[]): Toggle =>
  toggle(of, values, (outcome) => expect(removed(outcome)).toEqual(ids));

const refused = (of: string, values: string, message: RegExp): Toggle =>
  toggle(of, values, ({ error }) => expect(error).toMatch(message));

export const toggles: readonly Toggle[] = [
  copied("manager.replicas=3", (outcome) => deployment(outcome).spec.replicas, 3),
  copied("manager.replicas=0", (outcome) => deployment(outcome).spec.replicas, 0),
  copied(
    "manager.image.repository=localhost:5000/team/operator,manager.image.tag=v2",
    (outcome) => container(outcome).image,
    "localhost:5000/team/operator:v2",
  ),
  copied("manager.image.tag=", (outcome) => container(outcome).image, "controller:0.1.0"),
  copied("manager.image.digest=sha256:0123abcd", (outcome) => container(outcome).image, "controller@sha256:0123abcd"),
  copied("manager.image.pullPolicy=Always", (outcome) => container(outcome).imagePullPolicy, "Always"),
  copied("manager.imagePullSecrets[0].name=mine", (outcome) => pod(outcome).imagePullSecrets, [{ name: "mine" }]),
  copied("manager.args={--zap-devel}", (outcome) => container(outcome).args, [
    "--metrics-bind-address=:8443",
    "--zap-devel",
    "--health-probe-bind-address=:8081",
  ]),
  copied("manager.args[0]=--id={{ .Release.Name }}<x", (outcome) => container(outcome).args, [
    "--metrics-bind-address=:8443",
    "--id=minimal<x",
    "--health-probe-bind-address=:8081",
  ]),
  copied(
    "manager.healthProbe.port=8082",
    (outcome) => [
      container(outcome).args.filter((arg: string) => arg.startsWith("--health")),
      container(outcome).ports,
      container(outcome).livenessProbe.httpGet.port,
      container(outcome).readinessProbe.httpGet.port,
    ],
    [["--health-probe-bind-address=:8082"], [{ containerPort: 8082, name: "health", protocol: "TCP" }], 8082, 8082],
  ),
  copied("manager.env[0].name=ZONE,manager.env[0].value=a", (outcome) => container(outcome).env, [
    { name: "ZONE", value: "a" },
  ]),
  copied(
    "manager.env[0].name=ZONE,manager.env[0].value=a,manager.envOverrides.ZONE=b,manager.envOverrides.LEVEL=2",
    (outcome) => container(outcome).env,
    [
      { name: "LEVEL", value: "2" },
      { name: "ZONE", value: "b" },
    ],
  ),
  toggle("everything", "manager.enabled=false", (outcome) => {
    expect(outcome.error).toBeUndefined();
    const kinds = new Set(removed(outcome).map((id) => id.split(" ")[0]));
    expect([...kinds]).toEqual(["Deployment", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]);
  }),
  refused("api", "manager.envOverrides.ZONE={a}", /envOverrides/),
  copied("manager.env=null", (outcome) => "env" in container(outcome), false),
  copied("manager.resources.limits.memory=1Gi", (outcome) => container(outcome).resources.limits, {
    cpu: "500m",
    memory: "1Gi",
  }),
  copied("manager.podSecurityContext.fsGroup=7", (outcome) => pod(outcome).securityContext.fsGroup, 7),
  copied("manager.securityContext.runAsUser=1001", (outcome) => container(outcome).securityContext.runAsUser, 1001),
  copied("manager.nodeSelector.disk=ssd", (outcome) => pod(outcome).nodeSelector, { disk: "ssd" }),
  copied("manager.tolerations[0].operator=Exists", (outcome) => pod(outcome).tolerations, [{ operator: "Exists" }]),
  copied("manager.affinity.podAntiAffinity.weight=1", (outcome) => pod(outcome).affinity, {
    podAntiAffinity: { weight: 1 },
  }),
  copied("manager.topologySpreadConstraints[0].maxSkew=1", (outcome) => pod(outcome).topologySpreadConstraints, [
    { maxSkew: 1 },
  ]),
  copied("manager.priorityClassName=high", (outcome) => pod(outcome).priorityClassName, "high"),
  copied("manager.strategy.type=Recreate", (outcome) => deployment(outcome).spec.strategy, { type: "Recreate" }),
  copied("manager.terminationGracePeriodSeconds=60", (outcome) => pod(outcome).terminationGracePeriodSeconds, 60),
  copied("manager.pod.labels.team=a", (outcome) => deployment(outcome).spec.template.metadata.labels, {
    "app.kubernetes.io/name": "minimal",
    "control-plane": "controller-manager",
    team: "a",
  }),
  copied("manager.pod.annotations.note=b", (outcome) => deployment(outcome).spec.template.metadata.annotations, {
    "kubectl.kubernetes.io/default-container": "manager",
    note: "b",
  }),
  copied(
    "manager.extraVolumes[0].name=data,manager.extraVolumeMounts[0].name=data",
    (outcome) => [pod(outcome).volumes, container(outcome).volumeMounts],
    [[{ name: "data" }], [{ name: "data" }]],
  ),
  toggle("webhooks", "manager.extraVolumes[0].name=data,manager.extraVolumeMounts[0].name=data", (outcome) => {
    const names = (list: Json[]): string[] => list.map(({ name }) => name);
    expect(names(pod(outcome).volumes)).toEqual(["webhook-certs", "data"]);
    expect(names(container(outcome).volumeMounts)).toEqual(["webhook-certs", "data"]);
  }),
  toggle("api", "commonLabels.team=a", ({ after }) => {
    for (const [id, { metadata }] of after) expect(metadata.labels.team, id).toBe("a");
  }),
  refused("api", "commonLabels.control-plane=mine", /control-plane/),
  refused("api", "manager.pod.labels.control-plane=mine", /control-plane/),
  refused("api", "manager.replica=2", /'replica' not allowed/),
  refused("api", "manager.replicas=many", /replicas/),
  toggle("api", "nameOverride=shop", ({ after }) =>
    expect(after.has("Deployment minimal-shop-controller-manager")).toBe(true),
  ),
  toggle("api", "fullnameOverride=a-name-that-is-much-longer-than-any-label-may-be-in-kubernetes", ({ after }) => {
    for (const { metadata } of after.values())
      if (!metadata.name.includes(".")) expect(metadata.name.length).toBeLessThan(64);
    const names = [...after.values()].map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBeGreaterThan(12);
  }),
  toggle("api", "serviceAccount.enabled=false,serviceAccount.name=mine", (outcome) => {
    expect(removed(outcome)).toEqual(["ServiceAccount minimal-controller-manager"]);
    expect(pod(outcome).serviceAccountName).toBe("mine");
    const bindings = [...outcome.after.values()].filter(({ subjects }) => subjects);
    expect(bindings.map(({ subjects }) => subjects[0].name)).toEqual(["mine", "mine", "mine"]);
  }),
  refused("api", "serviceAccount.enabled=false", /set serviceAccount\.name/),
  toggle("api", "serviceAccount.annotations.note=a", ({ after }) =>
    expect(after.get("ServiceAccount minimal-controller-manager").metadata.annotations).toEqual({ note: "a" }),
  ),
  toggle("api", "rbac.namespaced=true", (outcome) => {
    expect(removed(outcome)).toEqual([
      "ClusterRole minimal-manager-role",
      "ClusterRole minimal-memcached-admin-role",
      "ClusterRole minimal-memcached-editor-role",
      "ClusterRole minimal-memcached-viewer-role",
      "ClusterRoleBinding minimal-manager-rolebinding",
    ]);
    for (const id of added(outcome)) expect(outcome.after.get(id).metadata.namespace, id).toBe("minimal-system");
    expect(outcome.after.get("RoleBinding minimal-manager-rolebinding").roleRef.kind).toBe("Role");
    expect(container(outcome).env.map(({ name }: Json) => name)).toEqual(["WATCH_NAMESPACE"]);
  }),
  toggle("namespaced", "rbac.namespaced=false", (outcome) => {
    expect(added(outcome)).toContain("ClusterRole tenant-manager-role");
    expect(outcome.after.get("ClusterRole tenant-manager-role").metadata.namespace).toBeUndefined();
    expect(outcome.after.get("ClusterRoleBinding tenant-manager-rolebinding").roleRef.kind).toBe("ClusterRole");
    expect(container(outcome).env).toBeUndefined();
  }),
  toggle("api", "rbac.helpers.enabled=false", (outcome) =>
    expect(removed(outcome)).toEqual(
      ["admin", "editor", "viewer"].map((role) => `ClusterRole minimal-memcached-${role}-role`),
    ),
  ),
  removes("api", "crd.enabled=false", "CustomResourceDefinition memcacheds.cache.example.com"),
  toggle("api", "crd.keep=false", ({ after }) =>
    expect(after.get("CustomResourceDefinition memcacheds.cache.example.com").metadata.annotations).toEqual({
      "tsop.dev/version": "0.1.0",
    }),
  ),
  toggle("everything", "metrics.enabled=false", (outcome) => {
    expect(removed(outcome)).toEqual([
      "Certificate hooks-metrics-certs",
      ...metricsAccess,
      "NetworkPolicy hooks-allow-metrics-traffic",
      "Service hooks-controller-manager-metrics-service",
      "ServiceMonitor hooks-controller-manager-metrics-monitor",
    ]);
    expect(container(outcome).args[0]).toBe("--metrics-bind-address=0");
    expect(pod(outcome).volumes.map(({ name }: Json) => name)).toEqual(["webhook-certs"]);
  }),
  toggle("everything", "metrics.secure=false,metrics.port=8080", (outcome) => {
    const { after } = outcome;
    expect(removed(outcome)).toEqual(["Certificate hooks-metrics-certs", ...metricsAccess]);
    expect(container(outcome).args.slice(0, 2)).toEqual(["--metrics-bind-address=:8080", "--metrics-secure=false"]);
    expect(container(outcome).args.join()).not.toContain("metrics-cert");
    const service = after.get("Service hooks-controller-manager-metrics-service");
    expect(service.spec.ports).toEqual([{ name: "http", port: 8080, protocol: "TCP", targetPort: 8080 }]);
    const monitor = after.get("ServiceMonitor hooks-controller-manager-metrics-monitor");
    expect(monitor.spec.endpoints).toEqual([{ path: "/metrics", port: "http", scheme: "http" }]);
    const policy = after.get("NetworkPolicy hooks-allow-metrics-traffic");
    expect(policy.spec.ingress[0].ports).toEqual([{ port: 8080, protocol: "TCP" }]);
  }),
  toggle("everything", "certManager.enabled=false,webhook.caBundle=QUJD", (outcome) => {
    expect(removed(outcome).map((id) => id.split(" ")[0])).toEqual(["Certificate", "Certificate", "Issuer"]);
    expect(clientConfigs(outcome)).toHaveLength(5);
    for (const { caBundle } of clientConfigs(outcome)) expect(caBundle).toBe("QUJD");
    expect(JSON.stringify([...outcome.after.values()])).not.toContain("cert-manager");
    expect(pod(outcome).volumes.map(({ name }: Json) => name)).toEqual(["webhook-certs"]);
    const monitor = outcome.after.get("ServiceMonitor hooks-controller-manager-metrics-monitor");
    expect(monitor.spec.endpoints[0].tlsConfig).toEqual({ insecureSkipVerify: true });
  }),
  refused("webhooks", "certManager.enabled=false", /set webhook\.caBundle/),
  removes("everything", "prometheus.enabled=false", "ServiceMonitor hooks-controller-manager-metrics-monitor"),
  toggle("webhooks", "prometheus.enabled=true,networkPolicy.enabled=true", (outcome) => {
    expect(added(outcome)).toEqual([
      "NetworkPolicy hooks-allow-metrics-traffic",
      "NetworkPolicy hooks-allow-webhook-traffic",
      "ServiceMonitor hooks-controller-manager-metrics-monitor",
    ]);
    for (const id of added(outcome)) expect(outcome.after.get(id).metadata.namespace).toBe("hooks-system");
  }),
  removes(
    "everything",
    "networkPolicy.enabled=false",
    "NetworkPolicy hooks-allow-metrics-traffic",
    "NetworkPolicy hooks-allow-webhook-traffic",
  ),
  toggle("everything", "webhook.port=9444", (outcome) => {
    expect(container(outcome).args).toContain("--webhook-port=9444");
    expect(container(outcome).ports.map(({ containerPort }: Json) => containerPort)).toEqual([8081, 9444]);
    const opened = outcome.after.get("NetworkPolicy hooks-allow-webhook-traffic").spec.ingress;
    expect(opened).toEqual([{ ports: [{ port: 9444, protocol: "TCP" }] }]);
    const [served] = outcome.after.get("Service hooks-webhook-service").spec.ports;
    expect(served).toMatchObject({ port: 443, targetPort: 9444 });
  }),
  toggle("self-signed", "nameOverride=other", (outcome) => {
    expect(container(outcome).args.at(-1)).toBe("--webhook-service=$(WEBHOOK_SERVICE)");
    expect(container(outcome).env.at(-1)).toEqual({ name: "WEBHOOK_SERVICE", value: "signed-other-webhook-service" });
  }),
];
