import { configKeyProblems } from "../../../apimachinery/label-syntax.ts";
import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { invalid } from "../../../apimachinery/field-error.ts";
import { fieldRef, podFields, resourceRefRules, variableNameErrors } from "./env-source-rules.ts";
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
} from "./field-rules.ts";
import { mountRules } from "./mount-rules.ts";
import { backstepErrors, localPathErrors, portErrors, portNameErrors, portNumberErrors } from "./name-errors.ts";
import { resourceRules } from "./resource-rules.ts";

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
      fileKeyRef: {
        key: text(variableNameErrors),
        volumeName: [
          format("k8s-short-name"),
          must(
            (name, _ref, spec) => items(spec, "volumes").some((each) => each["name"] === name && each["emptyDir"]),
            "must be an emptyDir of the pod",
          ),
        ],
        path: text(backstepErrors),
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
    procMount: must(
      (mount, _context, { hostUsers }) => mount !== "Unmasked" || hostUsers === false,
      "`hostUsers` must be false to use `Unmasked`",
    ),
    ...profiles,
  },
  restartPolicy: enumOf("Always", "Never", "OnFailure"),
  resizePolicy: must(
    (policies: Fields[]) =>
      policies.every(
        ({ resourceName: name, restartPolicy: policy }) =>
          (name === "cpu" || name === "memory") && (policy === "NotRequired" || policy === "RestartContainer"),
      ),
    "must be of cpu or memory, and NotRequired or RestartContainer",
  ),
};
