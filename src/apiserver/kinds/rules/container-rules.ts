import { configKeyProblems } from "../../../apimachinery/label-syntax.ts";
import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { invalid, notFound, type FieldError, notSupported } from "../../../apimachinery/field-error.ts";
import {
  enumOf,
  type FieldRule,
  format,
  ifParent,
  maximum,
  minimum,
  must,
  refused,
  required,
  type Rows,
  text,
  union,
  uniqueNames,
  fieldRules,
  uniqueBy,
} from "./field-rules.ts";
import { localPathErrors, portErrors, portNameErrors, portNumberErrors, labelKeyErrors } from "./name-errors.ts";
import { resourceRules } from "./resource-rules.ts";

const volumeOf = (spec: Fields, name: unknown): Fields | undefined =>
  items(spec, "volumes").findLast((each) => each["name"] === name);

const isVolume: FieldRule = (name, at, _mount, spec) => (!name || volumeOf(spec, name) ? [] : [notFound(at, name)]);

/** Rules whose errors do not name the mount; they see its container. */
const unnamed = fieldRules({ "(subPath|subPathExpr)": text(localPathErrors) });

/** The rules of a container's mounts. */
const mountRules: Rows = {
  volumeMounts: [
    uniqueBy("mountPath"),
    (mounts, at, container) =>
      Array.isArray(mounts) ? mounts.flatMap((mount: Fields) => unnamed(mount, at, container)) : [],
  ],
  "volumeMounts[]": {
    name: isVolume,
    subPathExpr: must((path, { subPath }) => !path || !subPath, "must not be set together with subPath"),
  },
};

/** Checks the name of an environment variable, or the start of one. */
function variableNameErrors(field: string, name: string): FieldError[] {
  return /^[ -<>-~]*$/.test(name) ? [] : [invalid(field, name, "must be of printable ASCII characters other than '='")];
}

/** The fields of a pod that an environment variable can have. */
const podFields: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Returns the rule of a reference to one of these fields of a pod. */
export function fieldRef(supported: readonly string[]): FieldRule {
  return (value, at) => {
    if (!value) return [];
    const { apiVersion, fieldPath } = value as Fields;
    const path = textOf(fieldPath);
    const [, name, key] = /^(metadata\.labels|metadata\.annotations)\['(.*)'\]$/.exec(path) ?? [];
    if (apiVersion === "v1" && key !== undefined)
      return labelKeyErrors(at, name === "metadata.labels" ? key : key.toLowerCase());
    const isRight = path === "" || (apiVersion === "v1" && supported.includes(path));
    return isRight ? [] : [notSupported(`${at}.fieldPath`, path, supported)];
  };
}

const resources = ["cpu", "ephemeral-storage", "memory"];
const containerResources = ["limits", "requests"].flatMap((kind) => resources.map((name) => `${kind}.${name}`));

/** The rules of a reference to a resource of a container. */
export const resourceRefRules: Rows = {
  resource: [
    required(),
    must(
      (name: string) => containerResources.includes(name) || /^(limits|requests)\.hugepages-/.test(name),
      `must be one of ${containerResources.join(", ")}`,
    ),
  ],
};

/** The rules of the id of a user or a group. */
export const identity: readonly FieldRule[] = [minimum(0), maximum(2_147_483_647)];

/** The rules of the profiles of seccomp and AppArmor: one on the node has a path, and the others have none. */
export const profiles: Rows = {
  "(seccompProfile|appArmorProfile).localhostProfile": [
    ifParent(({ type }) => type === "Localhost", required()),
    must((_path, { type }) => type === "Localhost", "can only be set for the type Localhost"),
  ],
  "seccompProfile.localhostProfile": text(localPathErrors),
};

const handlers: Rows = {
  "exec.command": required(),
  "(httpGet|tcpSocket|grpc).port": portErrors,
  "httpGet.httpHeaders": must(
    (headers: Fields[]) => headers.every(({ name }) => /^[-A-Za-z0-9]+$/.test(textOf(name))),
    "must have names of alphanumeric characters or '-'",
  ),
};

const environment: Rows = {
  name: text(variableNameErrors),
  valueFrom: [
    must(
      (source: Fields, { value }) => Object.keys(source).length === 1 && !value,
      "must be the only value, and have one source",
    ),
    {
      fieldRef: fieldRef(podFields),
      resourceFieldRef: resourceRefRules,
      "(configMapKeyRef|secretKeyRef)": {
        name: [required(), format("k8s-long-name")],
        key: text((at, key) => configKeyProblems(key).map((problem) => invalid(at, key, problem))),
      },
    },
  ],
};

/** The rules of a container, in any list of the spec of a pod. */
export const containerRules: Rows = {
  ...mountRules,
  name: format("k8s-short-name"),
  image: [required(), must((image: string) => image === image.trim(), "must not have whitespace around it")],
  ports: uniqueNames,
  "ports[]": {
    name: text(portNameErrors),
    containerPort: (port, at) => portNumberErrors(at, port),
    hostPort: [minimum(0), maximum(65_535)],
  },
  "env[]": environment,
  envFrom: must(
    (sources: Fields[]) => sources.every(({ configMapRef, secretRef }) => !configMapRef !== !secretRef),
    "must specify one of: `configMapRef` or `secretRef`",
  ),
  "envFrom[]": {
    prefix: text(variableNameErrors),
    "(configMapRef|secretRef).name": [required(), format("k8s-long-name")],
  },
  resources: resourceRules,
  "(livenessProbe|readinessProbe|startupProbe)": {
    ".": union("exec", "httpGet", "tcpSocket", "grpc"),
    ...handlers,
    "(initialDelaySeconds|timeoutSeconds|periodSeconds|successThreshold|failureThreshold)": minimum(0),
    terminationGracePeriodSeconds: minimum(1),
  },
  "(livenessProbe|startupProbe).successThreshold": must((count) => count === 1, "must be 1"),
  "readinessProbe.terminationGracePeriodSeconds": refused("must not be set for readinessProbes"),
  "lifecycle.(postStart|preStop)": {
    ".": union("exec", "httpGet", "tcpSocket", "sleep"),
    ...handlers,
    sleep: must(({ seconds = 0 }: { seconds?: number }, _hook, spec) => {
      return seconds >= 0 && seconds <= Number(spec["terminationGracePeriodSeconds"] ?? 0);
    }, "must be non-negative and less than terminationGracePeriodSeconds"),
  },
  securityContext: {
    ".": must(
      (context: Fields) =>
        context["allowPrivilegeEscalation"] !== false ||
        (context["privileged"] !== true &&
          !((childIf(context, "capabilities")?.["add"] ?? []) as unknown[]).includes("CAP_SYS_ADMIN")),
      "cannot set `allowPrivilegeEscalation` to false and raise privileges",
    ),
    "(runAsUser|runAsGroup)": identity,
    ...profiles,
  },
  restartPolicy: enumOf("Always", "Never", "OnFailure"),
};
