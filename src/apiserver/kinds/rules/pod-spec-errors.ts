import { labelValueProblems } from "../../../apimachinery/label-syntax.ts";
import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import {
  type FieldError,
  duplicate,
  forbidden,
  invalid,
  notFound,
  required as missing,
} from "../../../apimachinery/field-error.ts";
import { addressErrors } from "./address-errors.ts";
import { containerRules, identity, profiles } from "./container-rules.ts";
import {
  anyText,
  type FieldRule,
  fieldRules,
  format,
  maximum,
  maxItems,
  minimum,
  must,
  refused,
  type Rows,
  type RowsCheck,
  text,
  uniqueNames,
} from "./field-rules.ts";
import { labels } from "./label-selector-errors.ts";
import { dnsSubdomainErrors, labelKeyErrors, labelsErrors } from "./name-errors.ts";
import { schedulingRules } from "./scheduling-rules.ts";
import { volumeRules } from "./volume-rules.ts";

/** Returns the errors of a pod template. Fields of labels and annotations lack `metadata`, as on a real server. */
export function podTemplateErrors(template: Fields | undefined, at: string): FieldError[] {
  const metadata = childIf(template, "metadata");
  const annotations = Object.keys(childIf(metadata, "annotations") ?? {});
  return [
    ...labelsErrors(`${at}.labels`, childIf(metadata, "labels") as Record<string, string> | undefined),
    ...annotations.flatMap((key) => labelKeyErrors(`${at}.annotations`, key.toLowerCase())),
    ...podSpecErrors(childIf(template, "spec"), `${at}.spec`),
    ...(items(childIf(template, "spec"), "ephemeralContainers").length > 0
      ? [forbidden(`${at}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template")]
      : []),
  ];
}

/** Returns the errors of a template whose pods a controller would replace as soon as they end. */
export const lastingPodErrors = (template: Fields | undefined, at: string): FieldError[] =>
  lastingRules(childIf(template, "spec"), at);

const lastingRules = fieldRules({
  restartPolicy: must((policy) => policy !== "OnFailure" && policy !== "Never", "must be Always"),
  activeDeadlineSeconds: refused("a controller would replace the pods"),
});

/** Returns the error for a template whose labels do not match the selector. */
export function selectorMismatch(labels: unknown): FieldError {
  return invalid("spec.template.metadata.labels", labels ?? null, "`selector` does not match template `labels`");
}

/** Reports whether a field is set; an empty object counts as absent. */
function isSet(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length > 0;
}

const toleration: Rows = {
  key: format("k8s-label-key"),
  operator: (operator = "", at, { key, value }) => {
    const isEqual = (operator === "" || operator === "Equal") && labelValueProblems(textOf(value)).length === 0;
    const isRight = operator === "Exists" ? !value : isEqual && key;
    return isRight ? [] : [invalid(at, operator, "must be Exists without a value, or Equal with a key and a value")];
  },
  effect: (effect = "", at, { tolerationSeconds }) =>
    tolerationSeconds !== undefined && effect !== "NoExecute"
      ? [invalid(at, effect, "must be 'NoExecute' when `tolerationSeconds` is set")]
      : [],
};

const dnsErrors = fieldRules({
  nameservers: maxItems(3),
  "nameservers[]": anyText(addressErrors),
});

/** Requires servers for a pod that does not use those of the cluster. */
const dns: FieldRule = (value, at, { dnsPolicy }) => {
  const config = value as Fields | undefined;
  if (dnsPolicy !== "None" || items(config, "nameservers").length > 0) return dnsErrors(config, at);
  return [missing(config ? `${at}.nameservers` : at, "must provide a DNS nameserver when `dnsPolicy` is None")];
};

const namesOf = (spec: Fields, ...lists: string[]): unknown[] =>
  lists.flatMap((list) => items(spec, list).map(({ name }) => name));

/** Refuses names that a container in another list has. */
const names: FieldRule = (value, at) => {
  const [spec, seen] = [value as Fields, new Set<unknown>()];
  return ["containers", "initContainers", "ephemeralContainers"].flatMap((list) =>
    namesOf(spec, list).flatMap((name, index) =>
      name && seen.size === seen.add(name).size ? [duplicate(`${at}.${list}[${index}].name`, name)] : [],
    ),
  );
};

/** Returns the errors of a pod's spec at any path, apart from missing fields that the schema reports. */
export const podSpecErrors: RowsCheck = fieldRules({
  ".": [names, (spec, at) => hostPortErrors(spec as Fields, at)],
  ...schedulingRules,
  containers: must((list: unknown[]) => list.length > 0, "must not be empty"),
  "(containers|initContainers|ephemeralContainers)[]": containerRules,
  "initContainers[].(lifecycle|livenessProbe|readinessProbe|startupProbe)": must(
    (value, { restartPolicy }) => restartPolicy === "Always" || !isSet(value),
    "may not be set for init containers without restartPolicy=Always",
  ),
  "ephemeralContainers[]": {
    "(lifecycle|livenessProbe|ports|readinessProbe|resizePolicy|resources|restartPolicy|startupProbe)": must(
      (value) => !isSet(value),
      "cannot be set for an Ephemeral Container",
    ),
    targetContainerName: text((at, name, spec) =>
      namesOf(spec, "containers", "initContainers").includes(name) ? [] : [notFound(at, name)],
    ),
  },
  volumes: uniqueNames,
  "volumes[]": volumeRules,
  nodeSelector: labels,
  "(serviceAccountName|nodeName|priorityClassName|hostnameOverride)": format("k8s-long-name"),
  // An empty name is not the same as none.
  runtimeClassName: anyText(dnsSubdomainErrors),
  "(hostname|subdomain)": format("k8s-short-name"),
  os: must(({ name = "linux" }: Fields) => name === "linux" || name === "windows", "must be linux or windows"),
  "readinessGates[].conditionType": format("k8s-label-key"),
  activeDeadlineSeconds: [minimum(1), maximum(2_147_483_647)],
  securityContext: {
    "(runAsUser|runAsGroup|fsGroup)": identity,
    "supplementalGroups[]": identity,
    sysctls: uniqueNames,
    ...profiles,
  },
  dnsConfig: dns,
  "hostAliases[].ip": text(addressErrors),
  "hostAliases[].hostnames[]": anyText(dnsSubdomainErrors),
  "tolerations[]": toleration,
});

function hostPortErrors(spec: Fields, at: string): FieldError[] {
  const taken = new Set<string>();
  const isOnHost = spec["hostNetwork"] === true;
  return items(spec, "containers").flatMap((container, index) =>
    items(container, "ports").flatMap(({ containerPort, hostPort, hostIP, protocol }, port) => {
      if (!hostPort) return [];
      const field = `${at}.containers[${index}].ports[${port}].hostPort`;
      const key = `${textOf(protocol)}/${textOf(hostIP)}/${hostPort as number}`;
      const isAgain = taken.has(key);
      taken.add(key);
      return [
        ...(isAgain ? [duplicate(field, key)] : []),
        ...(isOnHost && hostPort !== containerPort
          ? [invalid(field, hostPort, "must match `containerPort` when `hostNetwork` is true")]
          : []),
      ];
    }),
  );
}
