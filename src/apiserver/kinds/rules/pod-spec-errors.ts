import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import {
  type FieldError,
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
} from "../../../apimachinery/schema/field-error.ts";
import { containerErrors } from "./container-errors.ts";
import { tolerationErrors } from "./toleration-errors.ts";
import { dnsLabelErrors, dnsSubdomainErrors, labelKeyErrors, labelsErrors } from "./name-errors.ts";

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

/** Returns the error for a template whose labels do not match the selector. */
export function selectorMismatch(labels: unknown): FieldError {
  return invalid("spec.template.metadata.labels", labels ?? null, "`selector` does not match template `labels`");
}

/** Returns the errors of a pod's spec at any path, apart from missing fields that the schema reports. */
export function podSpecErrors(spec: Fields | undefined, path: string): FieldError[] {
  const volumes = items(spec, "volumes");
  const names = new Set(volumes.map(({ name }) => name));
  const lists = ["containers", "initContainers"] as const;
  return [
    // The schema reports a missing list.
    ...(spec?.["containers"] && items(spec, "containers").length === 0 ? [required(`${path}.containers`)] : []),
    ...duplicateNames(volumes, `${path}.volumes`),
    ...volumes.flatMap((volume, index) => volumeErrors(volume, `${path}.volumes[${index}]`)),
    ...labelsErrors(`${path}.nodeSelector`, spec?.["nodeSelector"] as Record<string, string> | undefined),
    ...lists.flatMap((list) => [
      ...duplicateNames(items(spec, list), `${path}.${list}`),
      ...items(spec, list).flatMap((container, index) =>
        containerErrors(container, `${path}.${list}[${index}]`, names),
      ),
    ]),
    ...ephemeralErrors(spec, `${path}.ephemeralContainers`, names),
    ...wordErrors(spec ?? {}, path),
    ...tolerationErrors(items(spec, "tolerations"), `${path}.tolerations`),
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

function ephemeralErrors(spec: Fields | undefined, at: string, volumes: ReadonlySet<unknown>): FieldError[] {
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
      ...containerErrors(container, field, volumes),
      ...(isAgain ? [duplicate(`${field}.name`, name)] : []),
      ...(target && !targets.has(target) ? [notFound(`${field}.targetContainerName`, target)] : []),
      ...notEphemeral
        .filter((each) => isSet(container[each]))
        .map((each) => forbidden(`${field}.${each}`, "cannot be set for an Ephemeral Container")),
    ];
  });
}

function isSet(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value !== undefined;
}

function wordErrors(spec: Fields, path: string): FieldError[] {
  const text = (name: string, check: typeof dnsLabelErrors): FieldError[] =>
    spec[name] ? check(`${path}.${name}`, textOf(spec[name])) : [];
  const deadline = spec["activeDeadlineSeconds"];
  const isTooShort = typeof deadline === "number" && (deadline < 1 || deadline > 2_147_483_647);
  return [
    ...text("serviceAccountName", dnsSubdomainErrors),
    ...text("nodeName", dnsSubdomainErrors),
    ...text("priorityClassName", dnsSubdomainErrors),
    ...text("hostname", dnsLabelErrors),
    ...text("subdomain", dnsLabelErrors),
    ...(isTooShort
      ? [invalid(`${path}.activeDeadlineSeconds`, deadline, "must be between 1 and 2147483647, inclusive")]
      : []),
  ];
}

/** Reports duplicate names. */
function duplicateNames(list: readonly Fields[], at: string): FieldError[] {
  const seen = new Set<unknown>();
  return list.flatMap(({ name }, index) => {
    if (name && seen.has(name)) return [duplicate(`${at}[${index}].name`, name)];
    seen.add(name);
    return [];
  });
}

/** Required names in the sources of a volume, apart from those that the schema requires. */
const sourceNames: Readonly<Record<string, string>> = { configMap: "name", secret: "secretName" };

function volumeErrors({ name, ...sources }: Fields, at: string): FieldError[] {
  const [, ...others] = Object.keys(sources);
  return [
    ...(typeof name === "string" && name !== "" ? dnsLabelErrors(`${at}.name`, name) : []),
    ...others.map((source) => forbidden(`${at}.${source}`, "may not specify more than 1 volume type")),
    ...Object.entries(sources).flatMap(([source, fields]) => {
      const wanted = sourceNames[source];
      if (wanted === undefined || others.includes(source)) return [];
      return (fields as Fields)[wanted] ? [] : [required(`${at}.${source}.${wanted}`)];
    }),
  ];
}
