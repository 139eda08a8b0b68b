import { isObject } from "../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isManagerAccount, metricsSecret, webhookSecrets } from "./features.ts";
import { fillManager } from "./manager.ts";
import { fillNames, fillPorts } from "./names.ts";
import { switchScope } from "./roles.ts";
import type { Subject } from "./subject.ts";
import { Inline, lines, members, optional, when, type Manifest } from "./template.ts";

/** Returns the manifest of an object in which the values and the release fill in all that differs between installations. */
export function fillObject(object: UnstructuredObject, subject: Subject): Manifest {
  const named = fillNames(object, subject) as Manifest;
  const labelled: Manifest = { ...named, metadata: fillMetadata(named["metadata"] as Manifest, object, subject) };
  if (object === subject.manager) return fillManager(labelled, subject);
  switch (object.kind ?? "") {
    case "Service":
    case "NetworkPolicy":
      return { ...labelled, spec: fillPorts(labelled["spec"], subject) };
    case "ServiceMonitor":
      return fillMonitor(labelled, subject);
    case "Role":
    case "ClusterRole":
    case "RoleBinding":
    case "ClusterRoleBinding":
      return fillSubjects(switchScope(labelled, object, subject), object, subject);
    case "CustomResourceDefinition":
    case "MutatingWebhookConfiguration":
    case "ValidatingWebhookConfiguration":
      return fillAuthority(labelled, subject);
    default:
      return labelled;
  }
}

const injected = "cert-manager.io/inject-ca-from";

function fillMetadata(metadata: Manifest, object: UnstructuredObject, subject: Subject): Manifest {
  const { "app.kubernetes.io/managed-by": _kustomize, ...labels } = (metadata["labels"] ?? {}) as Manifest;
  const isAccount = isManagerAccount(object, subject);
  return {
    ...metadata,
    ...(isAccount ? { name: new Inline(`{{ include "${subject.name}.serviceAccountName" . }}`) } : {}),
    labels: { ...labels, "~labels": lines(`{{- include "${subject.name}.labels" . | nindent <here> }}`) },
    ...fillAnnotations(metadata, object, isAccount),
  };
}

/** Annotations that depend on values; a mapping of which nothing is left is absent. */
function fillAnnotations(metadata: Manifest, { kind }: UnstructuredObject, isAccount: boolean): Manifest {
  const { [injected]: authority, ...constant } = (metadata["annotations"] ?? {}) as Manifest;
  const isCrd = kind === "CustomResourceDefinition";
  if (Object.keys(constant).length === 0 && !isCrd) {
    if (authority !== undefined) return { annotations: when(".Values.certManager.enabled", { [injected]: authority }) };
    return isAccount ? { annotations: optional("serviceAccount.annotations") } : {};
  }
  return {
    annotations: {
      ...constant,
      ...(authority === undefined ? {} : { [injected]: when(".Values.certManager.enabled", authority) }),
      ...(isCrd ? { "helm.sh/resource-policy": when(".Values.crd.keep", "keep") } : {}),
      ...(isAccount ? { "~annotations": members(".Values.serviceAccount.annotations") } : {}),
    },
  };
}

/** Names the operator's service account, which can be an existing one, in the bindings of its roles. */
function fillSubjects(manifest: Manifest, object: UnstructuredObject, subject: Subject): Manifest {
  const { subjects } = object as { subjects?: readonly { kind?: string; name?: string; namespace?: string }[] };
  const isManager = (at: number): boolean => {
    const { kind, name, namespace } = subjects?.[at] ?? {};
    return kind === "ServiceAccount" && name === subject.pod.serviceAccountName && namespace === subject.namespace;
  };
  const account = new Inline(`{{ include "${subject.name}.serviceAccountName" . }}`);
  const named = (manifest["subjects"] ?? []) as readonly Manifest[];
  return subjects
    ? { ...manifest, subjects: named.map((one, at) => (isManager(at) ? { ...one, name: account } : one)) }
    : manifest;
}

/** Lets a ServiceMonitor follow the security of the metrics, and verify them only with cert-manager's certificate. */
function fillMonitor(manifest: Manifest, subject: Subject): Manifest {
  const spec = manifest["spec"] as { endpoints?: readonly Manifest[] };
  const endpoints = (spec.endpoints ?? []).map((endpoint) => {
    if (endpoint["scheme"] !== "https" || !subject.metrics) return endpoint;
    const { tlsConfig, bearerTokenFile: _token, ...plain } = endpoint;
    const isVerified = JSON.stringify(tlsConfig ?? {}).includes(metricsSecret(subject) || "no certificate");
    const unverified = { insecureSkipVerify: true };
    const checked = isVerified ? when(".Values.certManager.enabled", tlsConfig, unverified) : tlsConfig;
    return when(
      ".Values.metrics.secure",
      { ...endpoint, ...(tlsConfig === undefined ? {} : { tlsConfig: checked }) },
      { ...plain, port: "http", scheme: "http" },
    );
  });
  return { ...manifest, spec: { ...spec, endpoints } };
}

/** Adds the authority of a certificate that is not cert-manager's to each address of the webhooks. */
function fillAuthority(manifest: Manifest, subject: Subject): Manifest {
  if (webhookSecrets(subject).length === 0) return manifest;
  const authority = lines(
    "{{- if not .Values.certManager.enabled }}",
    '{{- $missing := "set webhook.caBundle: without cert-manager, the API server needs it to trust the webhooks" }}',
    "caBundle: {{ required $missing .Values.webhook.caBundle }}",
    "{{- end }}",
  );
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (!isObject(value)) return value;
    const filled = Object.entries(value).map(([key, member]) => {
      if (key === "openAPIV3Schema") return [key, member] as const;
      const isAddress = key === "clientConfig" && isObject(member) && member["service"] !== undefined;
      return [key, isAddress ? { ...member, caBundle: authority } : fill(member)] as const;
    });
    return Object.fromEntries(filled);
  };
  const { metadata, ...rest } = manifest;
  return { metadata, ...(fill(rest) as Manifest) };
}
