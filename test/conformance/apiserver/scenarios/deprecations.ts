import { crds, customKind } from "../custom-kind.ts";
import { merge, type RequestStep, type Scenario } from "../scenario.ts";

const core = "/api/v1/namespaces/{ns}";
const container = { name: "c", image: "i" };
const outcome = ({ code, message }: any): unknown => (code === undefined ? "accepted" : { code, message });
const tried = (path: string, body: object): RequestStep => ({
  request: `POST ${path}?dryRun=All`,
  body,
  pick: outcome,
});
const labels = { a: "b" };
const selector = { matchLabels: labels };
const expression = (key: string): object => ({ key, operator: "Exists" });
const term = (key: string, fields: object = { labelSelector: selector }): object => ({ topologyKey: key, ...fields });
const zone = "failure-domain.beta.kubernetes.io/zone";
const spread = (topologyKey: string, fields: object = { labelSelector: selector }): object => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: "DoNotSchedule",
  ...fields,
});
const projected = (...sources: object[]): object => ({ name: "v", projected: { sources } });
const file = (name: string, path: string): object => ({ configMap: { name, items: [{ key: "k", path }] } });

/** Specs of pods, each with something that a real server warns of. */
const specs: Readonly<Record<string, object>> = {
  selector: {
    nodeSelector: {
      "beta.kubernetes.io/arch": "amd64",
      "beta.kubernetes.io/os": "linux",
      "beta.kubernetes.io/instance-type": "x",
      "failure-domain.beta.kubernetes.io/region": "r",
      [zone]: "z",
      "kubernetes.io/os": "linux",
    },
  },
  affinity: {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchExpressions: [expression("kubernetes.io/os"), expression("beta.kubernetes.io/os")] },
            { matchExpressions: [expression(zone)] },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: { matchExpressions: [expression("beta.kubernetes.io/arch")] } },
        ],
      },
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [term("kubernetes.io/hostname"), term(zone), term("x", {})],
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: term(zone) },
          { weight: 1, podAffinityTerm: term("x", {}) },
        ],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [term(zone), term("x", {}), term("x", { labelSelector: {} })],
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: term("failure-domain.beta.kubernetes.io/region") },
          { weight: 1, podAffinityTerm: term("x", {}) },
        ],
      },
    },
  },
  spread: {
    topologySpreadConstraints: [
      spread(zone),
      spread("x", {}),
      spread("topology.kubernetes.io/zone"),
      spread("beta.kubernetes.io/os", {}),
    ],
  },
  secrets: { imagePullSecrets: [{ name: "a" }, { name: "a" }, { name: "" }, { name: "b" }] },
  aliases: {
    hostAliases: [
      { ip: "10.0.0.1", hostnames: ["a"] },
      { ip: "10.0.0.1", hostnames: ["b"] },
    ],
  },
  ports: {
    containers: [
      {
        ...container,
        ports: [{ containerPort: 80, name: "web" }, { containerPort: 80 }, { containerPort: 81, name: "x" }],
      },
      {
        ...container,
        name: "d",
        ports: [
          { containerPort: 82, name: "web" },
          { containerPort: 80, protocol: "UDP" },
        ],
      },
      {
        ...container,
        name: "e",
        ports: [
          { containerPort: 80, protocol: "TCP" },
          { containerPort: 80, hostPort: 90 },
          { containerPort: 80, hostPort: 90, hostIP: "1.2.3.4" },
        ],
      },
    ],
    initContainers: [
      { ...container, name: "s", restartPolicy: "Always", ports: [{ containerPort: 99, name: "web" }] },
      { ...container, name: "t", ports: [{ containerPort: 99, name: "web" }] },
    ],
  },
  "named-ports": {
    initContainers: [{ ...container, name: "t", ports: [{ containerPort: 99, name: "web" }] }],
    containers: [{ ...container, ports: [{ containerPort: 80, name: "web" }] }],
  },
  sources: {
    serviceAccountName: "default",
    volumes: [
      projected(
        file("a", "p"),
        { secret: { name: "s", items: [{ key: "k", path: "p/x" }] } },
        { downwardAPI: { items: [{ path: "p/y", fieldRef: { fieldPath: "metadata.name" } }] } },
        { serviceAccountToken: { path: "p/z" } },
        file("c", "pp"),
      ),
    ],
  },
  env: {
    initContainers: [{ ...container, name: "n", env: [{ name: "A" }, { name: "A", value: "1" }] }],
    containers: [
      {
        ...container,
        env: [
          { name: "A", value: "1" },
          { name: "B", value: "2" },
          { name: "A", value: "$(A)" },
          { name: "A", value: "3" },
          { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        ],
      },
    ],
  },
  volumes: {
    volumes: [
      { name: "a", emptyDir: {} },
      { name: "b", gitRepo: { repository: "r" } },
      {
        name: "e",
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { annotations: { "volume.beta.kubernetes.io/storage-class": "x" } },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "100m" } } },
          },
        },
      },
      { name: "l", emptyDir: { sizeLimit: "1500m" } },
    ],
  },
  "projected-inside": { volumes: [projected(file("a", "p"), file("b", "p/x"))] },
  "projected-whole": { volumes: [projected({ configMap: { name: "a" } }, file("b", "p"), { secret: { name: "s" } })] },
  overlapping: {
    volumes: [
      {
        name: "m",
        configMap: {
          name: "a",
          items: [
            { key: "k", path: "p" },
            { key: "l", path: "p/x" },
            { key: "m", path: "p" },
          ],
        },
      },
      {
        name: "s",
        secret: {
          secretName: "a",
          items: [
            { key: "k", path: "p" },
            { key: "l", path: "p" },
          ],
        },
      },
      {
        name: "d",
        downwardAPI: {
          items: [
            { path: "p", fieldRef: { fieldPath: "metadata.name" } },
            { path: "p", fieldRef: { fieldPath: "metadata.uid" } },
          ],
        },
      },
    ],
  },
  amounts: {
    initContainers: [{ ...container, name: "n", resources: { limits: { memory: "200m" } } }],
    containers: [
      {
        ...container,
        resources: {
          requests: { memory: "100m", "ephemeral-storage": "1500m", cpu: "100m" },
          limits: { memory: "1500m" },
        },
      },
    ],
  },
  "pod-amounts": { containers: [container], resources: { requests: { memory: "100m" } } },
  grace: { terminationGracePeriodSeconds: -1 },
  probe: {
    containers: [
      { ...container, livenessProbe: { httpGet: { port: 80, host: "010.0.0.1" }, terminationGracePeriodSeconds: 5 } },
    ],
  },
  account: { serviceAccount: "x" },
  subdomain: { hostname: "a", subdomain: "b", setHostnameAsFQDN: true },
  selinux: { securityContext: { seLinuxChangePolicy: "Recursive", seLinuxOptions: { level: "s0" } } },
  tolerations: {
    tolerations: [
      { key: "node-role.kubernetes.io/master", operator: "Exists" },
      { key: "node-role.kubernetes.io/master", operator: "Exists" },
    ],
  },
  "mount-twice": {
    volumes: [{ name: "v", emptyDir: {} }],
    containers: [
      {
        ...container,
        volumeMounts: [
          { name: "v", mountPath: "/a" },
          { name: "v", mountPath: "/a/" },
        ],
      },
    ],
  },
  "env-from": {
    containers: [{ ...container, envFrom: [{ configMapRef: { name: "a" } }, { configMapRef: { name: "a" } }] }],
  },
};
const complete = (spec: object): object => ({ containers: [container], ...spec });
/** Annotations of pods that fields have replaced. */
const annotations: readonly string[] = [
  "scheduler.alpha.kubernetes.io/tolerations",
  "scheduler.alpha.kubernetes.io/affinity",
  "scheduler.alpha.kubernetes.io/preferAvoidPods",
  "pod.beta.kubernetes.io/init-containers",
  "pod.beta.kubernetes.io/hostname",
  "kubernetes.io/config.mirror",
  "controller.kubernetes.io/pod-deletion-cost",
];
const pod = (name: string, spec: object, fields: object = {}): RequestStep =>
  tried(`${core}/pods`, { metadata: { name, labels }, spec: complete(spec), ...fields });

type Templated = (template: object, name: string, spec?: object) => RequestStep;
const template = (spec: object, metadata: object = { labels }): object => ({ metadata, spec: complete(spec) });
const jobTemplate = (body: any): object => ({ ...body, spec: { restartPolicy: "Never", ...body.spec } });
const controllers: Readonly<Record<string, Templated>> = {
  deployments: (body, name, spec) =>
    tried("/apis/apps/v1/namespaces/{ns}/deployments", {
      metadata: { name },
      spec: { selector, template: body, ...spec },
    }),
  replicasets: (body, name, spec) =>
    tried("/apis/apps/v1/namespaces/{ns}/replicasets", {
      metadata: { name },
      spec: { selector, template: body, ...spec },
    }),
  statefulsets: (body, name, spec) =>
    tried("/apis/apps/v1/namespaces/{ns}/statefulsets", {
      metadata: { name },
      spec: { selector, serviceName: "s", template: body, ...spec },
    }),
  daemonsets: (body, name, spec) =>
    tried("/apis/apps/v1/namespaces/{ns}/daemonsets", {
      metadata: { name },
      spec: { selector, template: body, ...spec },
    }),
  replicationcontrollers: (body, name, spec) =>
    tried(`${core}/replicationcontrollers`, {
      metadata: { name },
      spec: { selector: labels, template: body, ...spec },
    }),
  podtemplates: (body, name) => tried(`${core}/podtemplates`, { metadata: { name }, template: body }),
  jobs: (body, name, spec) =>
    tried("/apis/batch/v1/namespaces/{ns}/jobs", {
      metadata: { name },
      spec: { template: jobTemplate(body), ...spec },
    }),
  cronjobs: (body, name, spec) =>
    tried("/apis/batch/v1/namespaces/{ns}/cronjobs", {
      metadata: { name },
      spec: { schedule: "* * * * *", jobTemplate: { spec: { template: jobTemplate(body), ...spec } } },
    }),
};
const marked = { labels, annotations: { "scheduler.alpha.kubernetes.io/critical-pod": "" } };

const service = (name: string, spec: object, metadata: object = {}): RequestStep =>
  tried(`${core}/services`, { metadata: { name, ...metadata }, spec: { ports: [{ port: 80 }], ...spec } });
const claim = (name: string, spec: object, metadata: object = {}): RequestStep =>
  tried(`${core}/persistentvolumeclaims`, {
    metadata: { name, ...metadata },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
  });
const volume = (name: string, spec: object, metadata: object = {}): RequestStep =>
  tried("/api/v1/persistentvolumes", {
    metadata: { name, ...metadata },
    spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/x" }, ...spec },
  });
const ingress = (name: string, spec: object, note?: string): RequestStep =>
  tried("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses", {
    metadata: { name, ...(note && { annotations: { "kubernetes.io/ingress.class": note } }) },
    spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } }, ...spec },
  });
const budget = (name: string, spec: object): RequestStep =>
  tried("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets", { metadata: { name }, spec });
const changed = (path: string, body: object): RequestStep => ({
  request: `PATCH ${path}`,
  headers: merge,
  body,
  pick: outcome,
});
const create = (path: string, body: object): RequestStep => ({ request: `POST ${path}`, body, unrecorded: true });
const crd = (name: string, spec: object): RequestStep => {
  const { crd: whole } = customKind(name);
  return tried(crds, { ...whole, spec: { ...whole.spec, ...spec } });
};

export const deprecationScenarios: readonly Scenario[] = [
  {
    name: "warnings-of-pods",
    steps: [
      ...Object.entries(specs).map(([name, spec]) => pod(name, spec)),
      ...annotations.map((annotation) =>
        tried(`${core}/pods`, { metadata: { name: "p", annotations: { [annotation]: "[]" } }, spec: complete({}) }),
      ),
      pod("a.b", {}),
      create(`${core}/pods`, {
        metadata: { name: "old", labels },
        spec: complete({ ...specs["env"], ...specs["spread"] }),
      }),
      changed(`${core}/pods/old`, { metadata: { labels: { x: "y" } } }),
      changed(`${core}/pods/old/status`, { status: { phase: "Running" } }),
    ],
  },
  {
    name: "warnings-of-templates",
    steps: [
      ...Object.entries(specs).map(([name, spec]) => controllers["deployments"]!(template(spec), name)),
      ...Object.entries(controllers).flatMap(([kind, of]) => [
        of(template({ nodeSelector: { "beta.kubernetes.io/os": "linux" } }, marked), `a-${kind}`),
        of(template({ ...specs["env"] }), `b.${kind}`),
        of(template({ terminationGracePeriodSeconds: -1 }), `c-${kind}`),
      ]),
      controllers["statefulsets"]!(template({}), "negative", { revisionHistoryLimit: -1 }),
      controllers["statefulsets"]!(template({}), "claims", {
        volumeClaimTemplates: [
          {
            metadata: { name: "v", annotations: { "volume.beta.kubernetes.io/storage-class": "x" } },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "100m" } } },
          },
        ],
      }),
      controllers["jobs"]!(template({}), "many", {
        completionMode: "Indexed",
        completions: 200_000,
        parallelism: 20_000,
      }),
      controllers["jobs"]!(template({}), "fewer", {
        completionMode: "Indexed",
        completions: 200_000,
        parallelism: 10_000,
      }),
      controllers["cronjobs"]!(template({}), "many", {
        completionMode: "Indexed",
        completions: 200_000,
        parallelism: 20_000,
      }),
      controllers["deployments"]!(template({ overhead: { memory: "100m", cpu: "1" } }), "overhead"),
      create("/apis/apps/v1/namespaces/{ns}/statefulsets", {
        metadata: { name: "old" },
        spec: {
          selector,
          serviceName: "s",
          revisionHistoryLimit: -1,
          template: template(specs["env"]!),
          volumeClaimTemplates: [
            {
              metadata: { name: "v" },
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "100m" } } },
            },
          ],
        },
      }),
      changed("/apis/apps/v1/namespaces/{ns}/statefulsets/old", { metadata: { labels: { x: "y" } } }),
      changed("/apis/apps/v1/namespaces/{ns}/statefulsets/old", {}),
      changed("/apis/apps/v1/namespaces/{ns}/statefulsets/old", { spec: { replicas: 3 } }),
      controllers["jobs"]!(template({}), "plain", { completions: 200_000, parallelism: 20_000 }),
      create("/apis/apps/v1/namespaces/{ns}/deployments", {
        metadata: { name: "old" },
        spec: { selector, template: template({ ...specs["env"], ...specs["selector"] }) },
      }),
      changed("/apis/apps/v1/namespaces/{ns}/deployments/old", { metadata: { labels: { x: "y" } } }),
      changed("/apis/apps/v1/namespaces/{ns}/deployments/old", { spec: { replicas: 3 } }),
      changed("/apis/apps/v1/namespaces/{ns}/deployments/old", {
        spec: { template: { spec: { nodeSelector: null } } },
      }),
      create("/apis/batch/v1/namespaces/{ns}/cronjobs", {
        metadata: { name: "old" },
        spec: { schedule: "* * * * *", jobTemplate: { spec: { template: jobTemplate(template(specs["selector"]!)) } } },
      }),
      changed("/apis/batch/v1/namespaces/{ns}/cronjobs/old", { spec: { suspend: true } }),
      changed("/apis/batch/v1/namespaces/{ns}/cronjobs/old", { metadata: { labels: { x: "y" } } }),
    ],
  },
  {
    name: "warnings-of-services",
    steps: [
      service("headless", { clusterIP: "None", sessionAffinity: "ClientIP", externalIPs: ["1.2.3.4"] }),
      service("headless-lb", { clusterIP: "None", loadBalancerIP: "1.2.3.4" }),
      service("named", {
        type: "ExternalName",
        externalName: "x.y",
        externalIPs: ["1.2.3.4"],
        sessionAffinity: "ClientIP",
      }),
      service("unnamed", { externalName: "x.y" }),
      service("close", { trafficDistribution: "PreferClose" }),
      service("same-zone", { trafficDistribution: "PreferSameZone" }),
      service("local", { type: "NodePort", externalTrafficPolicy: "Local" }),
      ...[
        "service.kubernetes.io/topology-aware-hints",
        "service.kubernetes.io/topology-mode",
        "service.alpha.kubernetes.io/tolerate-unready-endpoints",
        "service.beta.kubernetes.io/external-traffic",
      ].map((note) => service("noted", {}, { annotations: { [note]: "auto" } })),
      service("topology", { topologyKeys: ["x"] }),
      service("v6", { clusterIP: "None", ipFamilies: ["IPv4"] }),
      service("same", {
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 80, protocol: "UDP" },
        ],
      }),
      create(`${core}/services`, {
        metadata: { name: "old" },
        spec: { ports: [{ port: 80 }], externalIPs: ["1.2.3.4"] },
      }),
      changed(`${core}/services/old`, { metadata: { labels: { x: "y" } } }),
      changed(`${core}/services/old`, { spec: { externalIPs: ["1.2.3.5"] } }),
      changed(`${core}/services/old`, {}),
      ingress("old", {}, "nginx"),
      ingress("both", { ingressClassName: "x" }, "nginx"),
      ingress("host", {
        rules: [
          {
            host: "a.b",
            http: {
              paths: [
                {
                  path: "/",
                  pathType: "ImplementationSpecific",
                  backend: { service: { name: "s", port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      }),
      create("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses", {
        metadata: { name: "noted", annotations: { "kubernetes.io/ingress.class": "x" } },
        spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
      }),
      changed("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses/noted", { metadata: { labels: { x: "y" } } }),
      changed("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses/noted", { spec: { ingressClassName: "y" } }),
    ],
  },
  {
    name: "warnings-of-storage",
    steps: [
      claim("noted", {}, { annotations: { "volume.beta.kubernetes.io/storage-class": "x" } }),
      claim("provisioner", {}, { annotations: { "volume.beta.kubernetes.io/storage-provisioner": "x" } }),
      claim("amount", { resources: { requests: { storage: "1500m" }, limits: { storage: "2500m" } } }),
      claim("source", { dataSource: { kind: "PersistentVolumeClaim", name: "x" } }),
      create(`${core}/persistentvolumeclaims`, {
        metadata: { name: "old", annotations: { "volume.beta.kubernetes.io/storage-class": "x" } },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      }),
      changed(`${core}/persistentvolumeclaims/old`, { metadata: { labels: { x: "y" } } }),
      changed(`${core}/persistentvolumeclaims/old`, {}),
      volume("noted", {}, { annotations: { "volume.beta.kubernetes.io/storage-class": "x" } }),
      volume("recycled", { persistentVolumeReclaimPolicy: "Recycle" }),
      volume("amount", { capacity: { storage: "1500m" } }),
      volume("affinity", {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [expression(zone), expression("beta.kubernetes.io/os")] }],
          },
        },
      }),
      ...[
        { glusterfs: { endpoints: "e", path: "p" } },
        { cephfs: { monitors: ["m"] } },
        { rbd: { monitors: ["m"], image: "i" } },
        { flocker: { datasetName: "x" } },
        { quobyte: { registry: "r:1", volume: "v" } },
        { photonPersistentDisk: { pdID: "x" } },
        { storageos: { volumeName: "x", volumeNamespace: "y" } },
        { scaleIO: { gateway: "g", system: "s", secretRef: { name: "x" }, volumeName: "v" } },
        { awsElasticBlockStore: { volumeID: "x" } },
        { gcePersistentDisk: { pdName: "x" } },
        { cinder: { volumeID: "x" } },
        { vsphereVolume: { volumePath: "x" } },
        { portworxVolume: { volumeID: "x" } },
        { flexVolume: { driver: "x/y" } },
        { iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2001-04.com.example:x", lun: 0 } },
        { fc: { targetWWNs: ["x"], lun: 0 } },
        { nfs: { server: "s", path: "/x" } },
      ].flatMap((source) => {
        const [kind = ""] = Object.keys(source).map((key) => key.toLowerCase());
        return [volume(kind, { hostPath: undefined, ...source }), pod(kind, { volumes: [{ name: "v", ...source }] })];
      }),
      tried("/apis/storage.k8s.io/v1/storageclasses", {
        metadata: { name: "s" },
        provisioner: "p",
        allowedTopologies: [{ matchLabelExpressions: [{ key: zone, values: ["z"] }] }],
      }),
      tried("/apis/node.k8s.io/v1/runtimeclasses", {
        metadata: { name: "r" },
        handler: "h",
        scheduling: { nodeSelector: { "beta.kubernetes.io/os": "linux" } },
        overhead: { podFixed: { memory: "100m" } },
      }),
      create("/api/v1/persistentvolumes", {
        metadata: { name: "{ns}" },
        spec: {
          accessModes: ["ReadWriteOnce"],
          capacity: { storage: "1Gi" },
          persistentVolumeReclaimPolicy: "Recycle",
          hostPath: { path: "/x" },
        },
      }),
      changed("/api/v1/persistentvolumes/{ns}", { metadata: { labels: { x: "y" } } }),
      changed("/api/v1/persistentvolumes/{ns}", {}),
      tried("/api/v1/nodes", {
        metadata: {
          name: "n",
          labels: { "beta.kubernetes.io/os": "linux" },
          annotations: { "scheduler.alpha.kubernetes.io/preferAvoidPods": "{}" },
        },
        spec: { externalID: "x" },
      }),
    ],
  },
  {
    name: "warnings-of-others",
    steps: [
      budget("empty", { minAvailable: 1, selector: {} }),
      budget("none", { minAvailable: 1 }),
      budget("all", { maxUnavailable: 0, selector }),
      tried(`${core}/serviceaccounts`, {
        metadata: { name: "sa", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
        secrets: [{ name: "x" }],
      }),
      tried(`${core}/serviceaccounts`, { metadata: { name: "sb" }, secrets: [{ name: "x" }] }),
      create(`${core}/serviceaccounts`, {
        metadata: { name: "old", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
      }),
      changed(`${core}/serviceaccounts/old`, { metadata: { labels: { x: "y" } } }),
      changed(`${core}/serviceaccounts/old`, {}),
      changed(`${core}/serviceaccounts/old`, {
        metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "false" } },
      }),
      tried(`${core}/secrets`, {
        metadata: { name: "s", annotations: { "kubernetes.io/service-account.name": "x" } },
        type: "kubernetes.io/service-account-token",
      }),
      tried(`${core}/configmaps`, {
        metadata: { name: "c", annotations: { "control-plane.alpha.kubernetes.io/leader": "{}" } },
      }),
      tried("/api/v1/namespaces", { metadata: { name: "kube-x" } }),
      tried("/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers", {
        metadata: { name: "h" },
        spec: { maxReplicas: 1, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "extensions/v1beta1" } },
      }),
      tried("/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: { name: "p" }, value: 1, globalDefault: true }),
      tried(`${core}/events`, { metadata: { name: "e", namespace: "{ns}" }, involvedObject: { namespace: "{ns}" } }),
      crd("warned-kept", { preserveUnknownFields: false }),
      crd("warned-strategy", { conversion: { strategy: "None" } }),
      crd("warned-deprecated", {
        versions: [{ ...customKind("x").crd.spec.versions[0], deprecated: true, deprecationWarning: "use another" }],
      }),
      crd("warned-columns", {
        versions: [
          {
            ...customKind("x").crd.spec.versions[0],
            additionalPrinterColumns: [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
          },
        ],
      }),
      crd("warned-required", {
        versions: [
          {
            ...customKind("x").crd.spec.versions[0],
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: { a: { type: "string", format: "nope", maxLength: -1 } },
                required: ["b"],
              },
            },
          },
        ],
      }),
      tried("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
        metadata: { name: "v" },
        webhooks: [
          {
            name: "a.b.c",
            admissionReviewVersions: ["v1", "v1beta1"],
            sideEffects: "None",
            clientConfig: { url: "https://x/y" },
            rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"] }],
          },
        ],
      }),
      tried("/apis/apiregistration.k8s.io/v1/apiservices", {
        metadata: { name: "v1.x.y" },
        spec: {
          group: "x.y",
          version: "v1",
          groupPriorityMinimum: 1,
          versionPriority: 1,
          insecureSkipTLSVerify: true,
          service: { name: "s", namespace: "n" },
        },
      }),
    ],
  },
];
