import { isObject } from "../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Subject } from "./subject.ts";

/** Where an object belongs in the chart, and when it exists. */
export interface Feature {
  /** The folder below `templates/`. */
  readonly folder: string;
  /** A condition of the template language. */
  readonly condition?: string;
}

const securedMetrics = "and .Values.metrics.enabled .Values.metrics.secure";
/** The certificate of the metrics that cert-manager issues exists. */
export const metricsCertificate = "and .Values.certManager.enabled .Values.metrics.enabled .Values.metrics.secure";

/** Assigns an object to a folder of the chart, and to the values that switch it on and off. */
export function featureOf(object: UnstructuredObject, subject: Subject): Feature {
  const { apiVersion = "", kind, metadata } = object;
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  const servesMetrics = subject.metrics !== undefined && opensMetrics(object, subject.metrics.port);
  if (kind === "CustomResourceDefinition") return { folder: "crd", condition: ".Values.crd.enabled" };
  if (group === "cert-manager.io") {
    const isForMetrics = kind === "Certificate" && usesMetricsCertificate(object, subject);
    return { folder: "cert-manager", condition: isForMetrics ? metricsCertificate : ".Values.certManager.enabled" };
  }
  // Without the operator, nobody answers its webhooks.
  if (group === "admissionregistration.k8s.io") return { folder: "webhook", condition: ".Values.manager.enabled" };
  if (group === "monitoring.coreos.com") {
    const condition = subject.metrics ? "and .Values.prometheus.enabled .Values.metrics.enabled" : undefined;
    return { folder: "prometheus", condition: condition ?? ".Values.prometheus.enabled" };
  }
  if (kind === "NetworkPolicy") {
    const condition = servesMetrics ? "and .Values.networkPolicy.enabled .Values.metrics.enabled" : undefined;
    return { folder: "network-policy", condition: condition ?? ".Values.networkPolicy.enabled" };
  }
  if (object === subject.manager) return { folder: "manager", condition: ".Values.manager.enabled" };
  if (kind === "Service") {
    return servesMetrics ? { folder: "metrics", condition: ".Values.metrics.enabled" } : { folder: "webhook" };
  }
  if (isManagerAccount(object, subject)) return { folder: "rbac", condition: ".Values.serviceAccount.enabled" };
  if (group === "rbac.authorization.k8s.io") {
    if (isHelperRole(metadata.name ?? "")) return { folder: "rbac", condition: ".Values.rbac.helpers.enabled" };
    if (subject.metrics && isForMetricsClients(object, subject)) return { folder: "rbac", condition: securedMetrics };
    return { folder: "rbac" };
  }
  return { folder: kind === "ServiceAccount" ? "rbac" : "extra" };
}

/** Reports whether an object is the service account of the operator. */
export function isManagerAccount({ kind, metadata }: UnstructuredObject, { pod, namespace }: Subject): boolean {
  return kind === "ServiceAccount" && metadata.name === pod.serviceAccountName && metadata.namespace === namespace;
}

/** Reports whether a role is one of those that users of the kinds can be given. */
export function isHelperRole(name: string): boolean {
  return /-(admin|editor|viewer)-role$/.test(name);
}

/** Returns the name of the Secret that cert-manager fills for the metrics, which the pod mounts as `metrics-certs`. */
export function metricsSecret({ pod, certificates }: Subject): string {
  const volume = pod.volumes?.find(({ name }) => name === "metrics-certs");
  const mounted = volume?.secret?.secretName ?? "metrics-server-cert";
  return certificates.has(mounted) ? mounted : "";
}

/** Returns the names of the Secrets that cert-manager fills for the webhooks. */
export function webhookSecrets(subject: Subject): string[] {
  return [...subject.certificates].filter((name) => name !== metricsSecret(subject));
}

function usesMetricsCertificate(object: UnstructuredObject, subject: Subject): boolean {
  const { secretName } = object["spec"] as { secretName?: string };
  return subject.metrics !== undefined && secretName !== undefined && secretName === metricsSecret(subject);
}

/** Reports whether a Service or a NetworkPolicy opens the port of the metrics. */
function opensMetrics(object: UnstructuredObject, metricsPort: number): boolean {
  const { ports = [], ingress = [] } = (object["spec"] ?? {}) as {
    ports?: { port?: unknown; targetPort?: unknown }[];
    ingress?: { ports?: { port?: unknown }[] }[];
  };
  const all = [...ports, ...ingress.flatMap((rule) => rule.ports ?? [])];
  return all.some((one) => isObject(one) && Object.values(one).includes(metricsPort));
}

/** Roles that only check the clients of the metrics, or only let them read, and the bindings of such roles. */
function isForMetricsClients(object: UnstructuredObject, { objects }: Subject): boolean {
  const { roleRef } = object as { roleRef?: { kind: string; name: string } };
  const role = roleRef
    ? objects.find(({ kind, metadata }) => kind === roleRef.kind && metadata.name === roleRef.name)
    : object;
  const rules = (role?.["rules"] ?? []) as { resources?: string[]; nonResourceURLs?: string[] }[];
  const clients = ["tokenreviews", "subjectaccessreviews", "/metrics"];
  return (
    rules.length > 0 &&
    rules.every(({ resources = [], nonResourceURLs = [] }) =>
      [...resources, ...nonResourceURLs].every((one) => clients.includes(one)),
    )
  );
}
