import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import {
  type FieldError,
  duplicate,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from "../../../apimachinery/field-error.ts";
import { containerErrors, type OfPod } from "./container-errors.ts";
import { envVolumeErrors } from "./env-source-errors.ts";
import { fieldRules, must, refused } from "./field-rules.ts";
import { dnsLabelErrors, dnsSubdomainErrors, labelKeyErrors, labelsErrors } from "./name-errors.ts";
import { podNetworkErrors } from "./pod-network-errors.ts";
import { schedulingErrors } from "./scheduling-errors.ts";
import { podSecurityErrors } from "./security-errors.ts";
import { tolerationErrors } from "./toleration-errors.ts";
import { optionalWordErrors } from "./value-errors.ts";
import { volumeErrors } from "./volume-errors.ts";

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

/** Returns the errors of a pod's spec at any path, apart from missing fields that the schema reports. */
export function podSpecErrors(spec: Fields | undefined, path: string): FieldError[] {
  const volumes = items(spec, "volumes");
  const ofPod = { spec, volumes: new Map(volumes.map((volume) => [volume["name"], volume])) };
  const taken = new Set<unknown>();
  return [
    // The schema reports a missing list.
    ...(spec?.["containers"] && items(spec, "containers").length === 0 ? [required(`${path}.containers`)] : []),
    ...duplicateNames(volumes, `${path}.volumes`),
    ...volumes.flatMap((volume, index) => volumeErrors(volume, `${path}.volumes[${index}]`)),
    ...labelsErrors(`${path}.nodeSelector`, spec?.["nodeSelector"] as Record<string, string> | undefined),
    ...["containers", "initContainers"].flatMap((list) => [
      ...duplicateNames(items(spec, list), `${path}.${list}`, taken),
      ...items(spec, list).flatMap((container, index) =>
        containerErrors(container, `${path}.${list}[${index}]`, ofPod),
      ),
    ]),
    ...initErrors(items(spec, "initContainers"), `${path}.initContainers`),
    ...ephemeralErrors(ofPod, `${path}.ephemeralContainers`),
    ...wordErrors(spec ?? {}, path),
    ...podSecurityErrors(spec ?? {}, path),
    ...podNetworkErrors(spec ?? {}, path),
    ...schedulingErrors(spec ?? {}, path),
    ...tolerationErrors(items(spec, "tolerations"), `${path}.tolerations`),
    ...envVolumeErrors(spec ?? {}, path),
  ];
}

/** The fields of a container that is not restarted and has no resources of its own. */
const notEphemeral = [
  "lifecycle",
  "livenessProbe",
  "ports",
  "readinessProbe",
  "resizePolicy",
  "resources",
  "restartPolicy",
  "startupProbe",
];

function ephemeralErrors(ofPod: OfPod, at: string): FieldError[] {
  const { spec } = ofPod;
  const targets = new Set(
    ["containers", "initContainers"].flatMap((list) => items(spec, list).map(({ name }) => name)),
  );
  const taken = new Set(targets);
  return items(spec, "ephemeralContainers").flatMap((container, index) => {
    const field = `${at}[${index}]`;
    const { name, targetContainerName: target } = container;
    const isAgain = taken.has(name);
    taken.add(name);
    return [
      ...containerErrors(container, field, ofPod),
      ...(isAgain ? [duplicate(`${field}.name`, name)] : []),
      ...(target && !targets.has(target) ? [notFound(`${field}.targetContainerName`, target)] : []),
      ...notEphemeral
        .filter((each) => isSet(container[each]))
        .map((each) => forbidden(`${field}.${each}`, "cannot be set for an Ephemeral Container")),
    ];
  });
}

/** The fields of an init container that runs beside the others. */
const onlySidecars = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"];

function initErrors(containers: readonly Fields[], at: string): FieldError[] {
  const why = "may not be set for init containers without restartPolicy=Always";
  return containers.flatMap((container, index) =>
    container["restartPolicy"] === "Always"
      ? []
      : onlySidecars
          .filter((field) => isSet(container[field]))
          .map((field) => forbidden(`${at}[${index}].${field}`, why)),
  );
}

function isSet(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value !== undefined;
}

function wordErrors(spec: Fields, path: string): FieldError[] {
  const text = (name: string, check: typeof dnsLabelErrors): FieldError[] =>
    spec[name] ? check(`${path}.${name}`, textOf(spec[name])) : [];
  const { activeDeadlineSeconds: deadline, runtimeClassName: runtimeClass } = spec;
  const isTooShort = typeof deadline === "number" && (deadline < 1 || deadline > 2_147_483_647);
  return [
    ...text("serviceAccountName", dnsSubdomainErrors),
    ...text("nodeName", dnsSubdomainErrors),
    ...text("priorityClassName", dnsSubdomainErrors),
    // An empty name is not the same as none.
    ...(typeof runtimeClass === "string" ? dnsSubdomainErrors(`${path}.runtimeClassName`, runtimeClass) : []),
    ...text("hostname", dnsLabelErrors),
    ...text("subdomain", dnsLabelErrors),
    ...text("hostnameOverride", dnsSubdomainErrors),
    ...optionalWordErrors(`${path}.os`, childIf(spec, "os")?.["name"], ["linux", "windows"]),
    ...Object.entries((childIf(spec, "resources") ?? {}) as Record<string, Record<string, string>>).flatMap(
      ([list, amounts]) => podAmountErrors(amounts, `${path}.resources.${list}`),
    ),
    ...items(spec, "readinessGates").flatMap(({ conditionType }, index) =>
      labelKeyErrors(`${path}.readinessGates[${index}].conditionType`, textOf(conditionType)),
    ),
    ...(isTooShort
      ? [invalid(`${path}.activeDeadlineSeconds`, deadline, "must be between 1 and 2147483647, inclusive")]
      : []),
  ];
}

/** Reports names that were taken before. */
function duplicateNames(list: readonly Fields[], at: string, seen = new Set<unknown>()): FieldError[] {
  return list.flatMap(({ name }, index) => {
    if (name && seen.has(name)) return [duplicate(`${at}[${index}].name`, name)];
    seen.add(name);
    return [];
  });
}

/** Checks the resources that the containers of a pod have together. */
function podAmountErrors(amounts: Readonly<Record<string, string>>, at: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => [
    ...(/^(cpu|memory|hugepages-.*)$/.test(name)
      ? []
      : [notSupported(`${at}[${name}]`, name, ["cpu", "hugepages-", "memory"])]),
    ...(textOf(amount).startsWith("-")
      ? [invalid(`${at}[${name}]`, amount, "must be greater than or equal to 0")]
      : []),
  ]);
}
