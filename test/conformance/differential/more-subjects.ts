import type { Subject } from "./subject.ts";

const metadata = { name: "a", labels: { app: "a" } };
/** Names of cluster-scoped objects hold the namespace, so that sequences do not collide. */
const clusterWide = { name: "{ns}", labels: { app: "a" } };
const container = { name: "c", image: "example.com/app:1", resources: { limits: { memory: "1Gi" } } };
const selector = { matchLabels: { app: "a" }, matchExpressions: [{ key: "app", operator: "In", values: ["a", "b"] }] };
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [container] } };
const webhook = {
  name: "hook.example.com",
  clientConfig: { url: "https://127.0.0.1:1/x" },
  rules: [{ operations: ["CREATE"], apiGroups: ["none.example.com"], apiVersions: ["v1"], resources: ["nothings"] }],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  namespaceSelector: selector,
  failurePolicy: "Ignore",
  timeoutSeconds: 1,
};

/** Kinds with rules of their own, in addition to the most common ones. */
export const moreSubjects: Readonly<Record<string, Subject>> = {
  cronjob: {
    path: "/apis/batch/v1/namespaces/{ns}/cronjobs",
    object: {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata,
      spec: {
        schedule: "*/5 * * * *",
        timeZone: "Europe/Berlin",
        concurrencyPolicy: "Forbid",
        jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } } },
      },
    },
    parts: ["status"],
  },
  daemonset: {
    path: "/apis/apps/v1/namespaces/{ns}/daemonsets",
    object: {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata,
      spec: { selector, template, updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } } },
    },
    parts: ["status"],
  },
  replicaset: {
    path: "/apis/apps/v1/namespaces/{ns}/replicasets",
    object: { apiVersion: "apps/v1", kind: "ReplicaSet", metadata, spec: { replicas: 1, selector, template } },
    parts: ["status"],
  },
  tlssecret: {
    path: "/api/v1/namespaces/{ns}/secrets",
    object: {
      apiVersion: "v1",
      kind: "Secret",
      metadata,
      type: "kubernetes.io/basic-auth",
      data: { username: "YQ==", password: "Yg==" },
      immutable: true,
    },
  },
  nodeport: {
    path: "/api/v1/namespaces/{ns}/services",
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: {
        selector: { app: "a" },
        type: "ClusterIP",
        sessionAffinity: "ClientIP",
        ports: [
          { name: "a", port: 80, targetPort: "http", protocol: "TCP" },
          { name: "b", port: 81, targetPort: 8081, appProtocol: "example.com/x" },
        ],
      },
    },
    parts: ["status"],
  },
  priorityclass: {
    path: "/apis/scheduling.k8s.io/v1/priorityclasses",
    object: {
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: clusterWide,
      value: 10,
      description: "d",
      preemptionPolicy: "Never",
    },
  },
  storageclass: {
    path: "/apis/storage.k8s.io/v1/storageclasses",
    object: {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: clusterWide,
      provisioner: "example.com/disk",
      reclaimPolicy: "Retain",
      parameters: { a: "b" },
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
    },
  },
  ingressclass: {
    path: "/apis/networking.k8s.io/v1/ingressclasses",
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "IngressClass",
      metadata: clusterWide,
      spec: { controller: "example.com/ingress" },
    },
  },
  clusterrole: {
    path: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: clusterWide,
      rules: [
        { apiGroups: [""], resources: ["pods"], verbs: ["get"], resourceNames: ["a"] },
        { nonResourceURLs: ["/healthz"], verbs: ["get"] },
      ],
      aggregationRule: { clusterRoleSelectors: [selector] },
    },
  },
  validating: {
    path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    object: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: clusterWide,
      webhooks: [webhook],
    },
  },
  mutating: {
    path: "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    object: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: clusterWide,
      webhooks: [
        { ...webhook, reinvocationPolicy: "IfNeeded" },
        {
          ...webhook,
          name: "service.example.com",
          clientConfig: { service: { name: "s", namespace: "n", path: "/x", port: 443 } },
        },
      ],
    },
  },
};
