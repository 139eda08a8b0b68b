import { equalJson } from "../../apimachinery/equal.ts";
import { metricsCertificate, metricsSecret } from "./features.ts";
import { fillNames, fillPorts, healthPort, webhookPort } from "./names.ts";
import { switchableRoles } from "./roles.ts";
import type { Container, PodSpec, Subject } from "./subject.ts";
import { Inline, collection, embed, lines, members, optional, optionalText, when, type Manifest } from "./template.ts";

/** Values of the pod and of the container, by the fields that they fill. An absent field stays absent by default. */
export const podValues = {
  imagePullSecrets: "manager.imagePullSecrets",
  securityContext: "manager.podSecurityContext",
  nodeSelector: "manager.nodeSelector",
  tolerations: "manager.tolerations",
  affinity: "manager.affinity",
  topologySpreadConstraints: "manager.topologySpreadConstraints",
} as const;
export const containerValues = { resources: "manager.resources", securityContext: "manager.securityContext" } as const;

/** Arguments and variables that the chart itself sets; all others are values. */
const metricsArguments = ["--metrics-bind-address=", "--metrics-secure=", "--metrics-cert-"];
const portArguments = /^(--webhook-port=|--health-probe-bind-address=.*:)\d+$/;
const watchNamespace = "WATCH_NAMESPACE";

/** Returns the arguments that users of the chart can replace. */
export function freeArguments(subject: Subject): string[] {
  return (subject.container.args ?? []).filter((arg) => !isChartArgument(arg, subject) && isConstant(arg, subject));
}

/** Returns the variables that users of the chart can replace. */
export function freeVariables(subject: Subject): { readonly name: string }[] {
  const { env = [] } = subject.container;
  return env.filter((variable) => variable.name !== watchNamespace && isConstant(variable, subject));
}

function isChartArgument(arg: string, { metrics }: Subject): boolean {
  const own = ["--webhook-cert-", "--webhook-service=", ...(metrics ? metricsArguments : [])];
  return portArguments.test(arg) || own.some((start) => arg.startsWith(start));
}

/** A value with the name of an object depends on the release. */
function isConstant(value: unknown, subject: Subject): boolean {
  return equalJson(value, fillNames(value, subject));
}

/** Lets the values fill in the Deployment of the operator. `manifest` is it with the names of the release. */
export function fillManager(manifest: Manifest, subject: Subject): Manifest {
  const spec = manifest["spec"] as Manifest;
  const template = spec["template"] as Manifest;
  const pod = template["spec"] as PodSpec;
  const metadata = (template["metadata"] ?? {}) as Manifest;
  const add = (name: string, own: unknown): Manifest => ({
    ...(own as Manifest | undefined),
    [`~${name}`]: members(`.Values.manager.pod.${name}`),
  });
  return {
    ...manifest,
    spec: {
      ...spec,
      replicas: new Inline("{{ .Values.manager.replicas }}"),
      strategy: spec["strategy"] === undefined ? optional("manager.strategy") : collection("manager.strategy"),
      template: {
        ...template,
        metadata: {
          ...metadata,
          annotations: metadata["annotations"]
            ? add("annotations", metadata["annotations"])
            : optional("manager.pod.annotations"),
          labels: add("labels", metadata["labels"]),
        },
        spec: fillPod(pod, subject),
      },
    },
  };
}

function fillPod(pod: PodSpec, subject: Subject): Manifest {
  const at = subject.pod.containers.indexOf(subject.container);
  return {
    ...pod,
    ...slotsOf(podValues, subject.pod),
    priorityClassName: optionalText("manager.priorityClassName"),
    ...(pod["terminationGracePeriodSeconds"] === undefined
      ? {}
      : { terminationGracePeriodSeconds: new Inline("{{ .Values.manager.terminationGracePeriodSeconds }}") }),
    serviceAccountName: new Inline(`{{ include "${subject.name}.serviceAccountName" . }}`),
    containers: pod.containers.map((one, index) => (index === at ? fillContainer(one, subject) : one)),
    volumes: withExtra(pod.volumes, "manager.extraVolumes", subject),
  };
}

/** The fields of a container that name its ports. */
const portFields = ["ports", "livenessProbe", "readinessProbe", "startupProbe"] as const;

function fillContainer(container: Container, subject: Subject): Manifest {
  return {
    ...container,
    ...Object.fromEntries(
      portFields.filter((field) => container[field]).map((field) => [field, fillPorts(container[field], subject)]),
    ),
    ...slotsOf(containerValues, subject.container),
    args: fillArguments(container, subject),
    env: fillVariables(container, subject),
    image: new Inline(`{{ include "${subject.name}.image" . }}`),
    imagePullPolicy: optionalText("manager.image.pullPolicy"),
    volumeMounts: withExtra(container.volumeMounts, "manager.extraVolumeMounts", subject),
  };
}

function slotsOf(values: Readonly<Record<string, string>>, own: Manifest): Manifest {
  const slots = Object.entries(values).map(([field, path]) => [
    field,
    own[field] === undefined ? optional(path) : collection(path),
  ]);
  return Object.fromEntries(slots) as Manifest;
}

/** The free ones of a list are one value, in the place of the first. */
function fillArguments({ args = [] }: Container, subject: Subject): unknown {
  const free = freeArguments(subject);
  const own = subject.container.args ?? [];
  const rest = members(`include "${subject.name}.args" . | fromJsonArray`);
  const slots = args.flatMap((arg, index): unknown[] => {
    const before = own[index] ?? "";
    if (free.includes(before)) return before === free[0] ? [rest] : [];
    return isChartArgument(before, subject) ? fillArgument(before, subject) : [arg];
  });
  if (slots.every((slot) => slot === rest)) return new Inline(`{{ include "${subject.name}.args" . }}`);
  return free.length > 0 ? slots : [...slots, rest];
}

function fillArgument(arg: string, subject: Subject): unknown[] {
  if (arg.startsWith("--metrics-secure=")) return [];
  if (arg.startsWith("--metrics-bind-address=")) return [metricsAddress];
  const [, flag] = portArguments.exec(arg) ?? [];
  if (flag) return [flag + embed(flag.startsWith("--webhook") ? webhookPort : healthPort)];
  const isFilled = arg.startsWith("--metrics-cert-") && metricsSecret(subject) !== "";
  return [isFilled ? when(metricsCertificate, arg) : arg];
}

const metricsAddress = lines(
  "{{- if .Values.metrics.enabled }}",
  "- --metrics-bind-address=:{{ .Values.metrics.port }}",
  "{{- if not .Values.metrics.secure }}",
  "- --metrics-secure=false",
  "{{- end }}",
  "{{- else }}",
  "- --metrics-bind-address=0",
  "{{- end }}",
);

function fillVariables({ env = [] }: Container, subject: Subject): unknown {
  const free = freeVariables(subject).map(({ name }) => name);
  const rest = lines(
    "{{- if or .Values.manager.env .Values.manager.envOverrides }}",
    `{{- include "${subject.name}.env" . | nindent <here> }}`,
    "{{- end }}",
  );
  const watched = when(".Values.rbac.namespaced", {
    name: watchNamespace,
    valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } },
  });
  const canSwitch = switchableRoles(subject).size > 0;
  const slots = env.flatMap((variable): unknown[] => {
    if (variable.name === watchNamespace) return canSwitch ? [watched] : [variable];
    if (!free.includes(variable.name)) return [variable];
    return variable.name === free[0] ? [rest] : [];
  });
  const isWatched = env.some(({ name }) => name === watchNamespace);
  const all = [...(free.length > 0 ? slots : [rest, ...slots]), ...(canSwitch && !isWatched ? [watched] : [])];
  // A list of which nothing is left would be null.
  const isConditional = all.every((slot) => slot === rest || slot === watched);
  const condition = `or .Values.manager.env .Values.manager.envOverrides${canSwitch ? " .Values.rbac.namespaced" : ""}`;
  return isConditional ? when(condition, all) : all;
}

/** Adds the values to a list. The parts of a certificate that cert-manager issues for the metrics exist only with it. */
function withExtra(own: readonly { readonly name: string }[] = [], path: string, subject: Subject): unknown {
  if (own.length === 0) return collection(path);
  const isForMetrics = (name: string): boolean =>
    name === "metrics-certs" && subject.metrics !== undefined && metricsSecret(subject) !== "";
  const all = [
    ...own.map((one) => (isForMetrics(one.name) ? when(metricsCertificate, one) : one)),
    members(`.Values.${path}`),
  ];
  return own.every(({ name }) => isForMetrics(name)) ? when(`or (${metricsCertificate}) .Values.${path}`, all) : all;
}
