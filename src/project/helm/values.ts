import type { ObjectMeta } from "../../apimachinery/meta.ts";
import { containerValues, freeArguments, freeVariables, podValues } from "./manager.ts";
import { isHelperRole, webhookSecrets } from "./features.ts";
import { isNamespaced, switchableRoles } from "./roles.ts";
import type { Subject } from "./subject.ts";
import { escapeBraces } from "./template.ts";

/** A value of the chart, or the comment of a group of values. */
export interface ChartValue {
  /** `manager.image.tag` */
  readonly path: string;
  readonly comment: string;
  /** Absent for a group. */
  readonly value?: unknown;
  readonly schema?: Schema;
}

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const flag: Schema = { type: "boolean" };
const list: Schema = { type: "array" };
const mapping: Schema = { type: "object" };
const texts: Schema = { type: "array", items: text };
const textMapping: Schema = { type: "object", additionalProperties: text };
const port: Schema = { type: "integer", minimum: 1, maximum: 65_535 };
const natural: Schema = { type: "integer", minimum: 0 };

/** Lists the values that this operator's chart has, with the defaults that give kustomize's objects. */
export function listValues(subject: Subject): ChartValue[] {
  return [
    value("nameOverride", "Replaces the name of the chart in the names of the objects.", ["", text]),
    value("fullnameOverride", "Replaces the first part of the names of the objects.", ["", text]),
    value("commonLabels", "Labels of all objects, in addition to the chart's own.", [{}, labelsSchema(subject)]),
    { path: "manager", comment: "The Deployment of the operator." },
    ...managerValues(subject),
    ...accessValues(subject),
    ...featureValues(subject),
  ];
}

/** Lists the values of the chart of CustomResourceDefinitions. */
export function listCrdValues(subject: Subject): ChartValue[] {
  const hasAuthority = webhookSecrets(subject).length > 0;
  const shared = hasAuthority
    ? /^(commonLabels|crd(\.keep)?|certManager(\.enabled)?|webhook(\.caBundle)?)$/
    : /^(commonLabels|crd(\.keep)?|certManager(\.enabled)?)$/;
  return [
    { path: "operator", comment: "The release of the operator, in the same namespace." },
    value("operator.fullname", "The first part of the names of its objects.", [subject.prefix.replace(/-$/, ""), text]),
    ...listValues(subject).filter(({ path }) => shared.test(path)),
  ];
}

function value(path: string, comment: string, [content, schema]: readonly [unknown, Schema]): ChartValue {
  return { path, comment, value: content, schema };
}

/** Labels that the manifests or the chart set cannot be given twice. */
function labelsSchema({ objects, extra }: Subject): Schema {
  const own = [...objects, ...extra].flatMap(({ metadata }) => Object.keys(metadata.labels ?? {}));
  return without([...own, "app.kubernetes.io/instance", "app.kubernetes.io/managed-by", "helm.sh/chart"]);
}

function without(keys: readonly string[]): Schema {
  return { ...textMapping, propertyNames: { not: { enum: [...new Set(keys)].sort() } } };
}

function managerValues(subject: Subject): ChartValue[] {
  const { container, pod, manager } = subject;
  const spec = manager["spec"] as Readonly<Record<string, unknown>>;
  const { labels, annotations } = (spec["template"] as { metadata?: ObjectMeta }).metadata ?? {};
  const image = parseImage(container.image ?? "");
  const grace = pod["terminationGracePeriodSeconds"];
  const filled = (
    field: string,
    own: Readonly<Record<string, unknown>>,
    comment: string,
    paths: object,
  ): ChartValue => {
    const empty = listFields.has(field) ? [] : {};
    const path = (paths as Readonly<Record<string, string>>)[field]!;
    return value(path, comment, [own[field] ?? empty, listFields.has(field) ? list : mapping]);
  };
  return [
    value("manager.enabled", "Without it, only CRDs, roles and Services are installed: the operator runs elsewhere.", [
      true,
      flag,
    ]),
    value("manager.replicas", "More than one replica needs --leader-elect.", [spec["replicas"] ?? 1, natural]),
    { path: "manager.image", comment: "A digest replaces the tag; without both, the tag is the chart's appVersion." },
    value("manager.image.repository", "", [image.repository, { ...text, minLength: 1 }]),
    value("manager.image.tag", "", [image.tag, text]),
    value("manager.image.digest", "", [image.digest, { ...text, pattern: "^($|[a-z0-9]+:)" }]),
    value("manager.image.pullPolicy", "", [
      container.imagePullPolicy ?? "",
      { enum: ["", "Always", "IfNotPresent", "Never"] },
    ]),
    ...(subject.ports.health === undefined
      ? []
      : [
          { path: "manager.healthProbe", comment: "The server of /healthz and /readyz." },
          value("manager.healthProbe.port", "", [subject.ports.health, port]),
        ]),
    filled("imagePullSecrets", pod, "Secrets for the image's registry: [{name: my-registry}]", podValues),
    value(
      "manager.args",
      "Arguments in addition to those that other values set, such as ports. They may be templates.",
      [freeArguments(subject).map(escapeBraces), texts],
    ),
    value("manager.env", "Environment variables.", [freeVariables(subject), list]),
    value(
      "manager.envOverrides",
      "Values of single variables, which replace those of env: --set manager.envOverrides.ZONE=a",
      [{}, { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } }],
    ),
    filled("resources", container, "Requests and limits of the container.", containerValues),
    filled("securityContext", pod, "Security context of the pod.", podValues),
    filled("securityContext", container, "Security context of the container.", containerValues),
    filled("nodeSelector", pod, "Labels of the nodes that the pod may run on.", podValues),
    filled("tolerations", pod, "Taints that the pod tolerates.", podValues),
    filled("affinity", pod, "Affinity of the pod.", podValues),
    filled("topologySpreadConstraints", pod, "How pods are spread over zones and nodes.", podValues),
    value("manager.priorityClassName", "Priority class of the pod.", [pod["priorityClassName"] ?? "", text]),
    value("manager.strategy", "Strategy of the Deployment.", [spec["strategy"] ?? {}, mapping]),
    ...(grace === undefined
      ? []
      : [value("manager.terminationGracePeriodSeconds", "Time to stop in, in seconds.", [grace, natural])]),
    { path: "manager.pod", comment: "Labels and annotations of the pod, in addition to the chart's own." },
    value("manager.pod.labels", "", [{}, without(Object.keys(labels ?? {}))]),
    value("manager.pod.annotations", "", [{}, without(Object.keys(annotations ?? {}))]),
    value("manager.extraVolumes", "Volumes and mounts in addition to those of the manifests.", [[], list]),
    value("manager.extraVolumeMounts", "", [[], list]),
  ];
}

const listFields = new Set(["imagePullSecrets", "tolerations", "topologySpreadConstraints"]);

/** Returns the values of a group under its comment; none if it has none. */
function group(path: string, comment: string, values: readonly ChartValue[]): ChartValue[] {
  return values.length > 0 ? [{ path, comment }, ...values] : [];
}

function onlyIf<T>(isPresent: boolean, list: () => readonly T[]): readonly T[] {
  return isPresent ? list() : [];
}

function accessValues(subject: Subject): ChartValue[] {
  const hasHelpers = subject.objects.some(
    ({ kind, metadata }) => kind?.endsWith("Role") && isHelperRole(metadata.name ?? ""),
  );
  const watched =
    "Watch only the release's namespace, with a Role instead of a ClusterRole. Kinds of cluster scope need a ClusterRole.";
  const isOn: [unknown, Schema] = [true, flag];
  return [
    ...group("serviceAccount", "The service account of the operator.", [
      value("serviceAccount.enabled", "Create it; otherwise name an existing one.", isOn),
      value("serviceAccount.name", "", ["", text]),
      value("serviceAccount.annotations", "", [{}, textMapping]),
    ]),
    ...group("rbac", "The roles.", [
      ...onlyIf(switchableRoles(subject).size > 0, () => [
        value("rbac.namespaced", watched, [isNamespaced(subject), flag]),
      ]),
      ...onlyIf(hasHelpers, () =>
        group("rbac.helpers", "Roles for users of the kinds: admin, editor, viewer.", [
          value("rbac.helpers.enabled", "", isOn),
        ]),
      ),
    ]),
  ];
}

function featureValues(subject: Subject): ChartValue[] {
  const { objects, extra, metrics, certificates, ports } = subject;
  const has = (kind: string): boolean => [...objects, ...extra].some((one) => one.kind === kind);
  const builds = (kind: string): boolean => objects.some((one) => one.kind === kind);
  const enabled = (path: string, comment: string, isOn: boolean): ChartValue =>
    value(`${path}.enabled`, comment, [isOn, flag]);
  const secrets = webhookSecrets(subject).join(", ");
  const authority = `Without cert-manager: create the Secret ${secrets} with tls.crt and tls.key; their authority, PEM in base64.`;
  const of = (isPresent: boolean, path: string, comment: string, values: () => ChartValue[]): ChartValue[] =>
    isPresent ? group(path, comment, values()) : [];
  return [
    ...of(has("CustomResourceDefinition"), "crd", "The CustomResourceDefinitions.", () => [
      enabled("crd", "Install them.", true),
      value("crd.keep", "Keep them, and all their objects, when the release is uninstalled.", [true, flag]),
    ]),
    ...of(metrics !== undefined, "metrics", "The metrics of the operator.", () => [
      enabled("metrics", "", true),
      value("metrics.port", "", [metrics?.port, port]),
      value("metrics.secure", "HTTPS for authorized clients, or plain HTTP for all.", [metrics?.secure, flag]),
    ]),
    ...of(certificates.size > 0, "certManager", "Certificates by cert-manager, which must be installed.", () => [
      enabled("certManager", "", true),
    ]),
    ...group("webhook", "The webhook server.", [
      ...onlyIf(ports.webhook !== undefined, () => [value("webhook.port", "", [ports.webhook, port])]),
      ...onlyIf(secrets !== "", () => [value("webhook.caBundle", authority, ["", text])]),
    ]),
    ...of(has("ServiceMonitor"), "prometheus", "A ServiceMonitor for the Prometheus Operator.", () => [
      enabled("prometheus", "", builds("ServiceMonitor")),
    ]),
    ...of(has("NetworkPolicy"), "networkPolicy", "Network policies: only some sources reach the operator.", () => [
      enabled("networkPolicy", "", builds("NetworkPolicy")),
    ]),
  ];
}

/** The parts of `registry:5000/team/operator:v1@sha256:…`. Absent ones are empty. */
interface Image {
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
}

/** Parses the name of an image. A colon before a slash belongs to the registry. */
export function parseImage(image: string): Image {
  const [, repository = "", tag = "", digest = ""] = /^([^@]*?)(?::([^:/@]+))?(?:@(.+))?$/.exec(image) ?? [];
  return { repository, tag, digest };
}
