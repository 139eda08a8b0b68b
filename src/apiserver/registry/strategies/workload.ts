import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { childIf, type Fields } from "../../../apimachinery/fields.ts";
import {
  defaultDaemonSet,
  defaultDeployment,
  defaultReplicaSet,
  defaultStatefulSet,
} from "../defaults/workload-defaults.ts";
import { claimTemplateErrors, withClaims } from "../rules/claim-templates.ts";
import { valueAt } from "../simple-path.ts";
import type { Strategy } from "../strategy.ts";
import { desiredSpec, immutable } from "./immutable.ts";
import { podTemplateErrors, unselected } from "../rules/pod-template-errors.ts";
import { forbidden, invalid, notSupported } from "../../../apimachinery/schema/field-error.ts";
import { isEmptySelector, labelSelectorErrors } from "../rules/label-selector-errors.ts";
import { matchesSelector } from "../rules/matches-selector.ts";
import { dnsLabelErrors } from "../rules/name-errors.ts";
import { templateWarnings } from "../rules/pod-warnings.ts";
import { hostNameWarnings } from "../rules/host-name-warnings.ts";

/** Deployments count changes of their annotations too. */
export const deploymentStrategy: Strategy = {
  ...workload({ name: "deployment", applyDefaults: defaultDeployment, fixed: ["spec.selector"] }),
  keptByStatus: ["labels"],
  warn: (object, old) => [
    ...(old ? [] : hostNameWarnings(object.metadata.name, "Pod names and hostnames")),
    ...templateWarnings(object, old),
  ],
  generationOf: ({ spec, metadata }) => [spec, metadata.annotations ?? {}],
};

export const replicaSetStrategy: Strategy = {
  ...workload({ name: "deployment", applyDefaults: defaultReplicaSet, fixed: ["spec.selector"] }),
  prepareCreate: (object) => void (object["status"] = { replicas: 0 }),
};

const templateGeneration = "deprecated.daemonset.template.generation";

export const daemonSetStrategy: Strategy = {
  ...workload({ name: "daemonset", applyDefaults: defaultDaemonSet, fixed: ["spec.selector"] }),
  applyDefaults(object) {
    defaultDaemonSet(object);
    object.metadata.annotations = { [templateGeneration]: "0", ...object.metadata.annotations };
  },
  prepareUpdate(object, old) {
    const before = Number(old.metadata.annotations?.[templateGeneration] ?? 0);
    const isNew = !equalJson(valueAt(object, "spec.template"), valueAt(old, "spec.template"));
    setTemplateGeneration(object, isNew ? before + 1 : before);
  },
  prepareCreate(object) {
    setTemplateGeneration(object, 1);
    object["status"] = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
  },
};

function setTemplateGeneration({ metadata }: UnstructuredObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
}

const statefulSet: Workload = { name: "statefulset", applyDefaults: defaultStatefulSet, fixed: [] };

export const statefulSetStrategy: Strategy = {
  ...workload(statefulSet),
  nameRule: "label",
  prepareCreate: (object) => void (object["status"] = { replicas: 0, availableReplicas: 0 }),
  validate: (object, old) => [
    ...(old ? [] : claimTemplateErrors(childIf(object, "spec") ?? {})),
    ...workloadErrors(object, statefulSet),
    ...(old ? [] : serviceNameErrors(object)),
    ...(old && !equalJson(fixedPart(object), fixedPart(old)) ? [fixedError] : []),
  ],
};

function serviceNameErrors(object: UnstructuredObject): StatusCause[] {
  const name = childIf(object, "spec")?.["serviceName"];
  return typeof name === "string" && name !== "" ? dnsLabelErrors("spec.serviceName", name) : [];
}

const fixedError = forbidden(
  "spec",
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
);

function fixedPart(set: UnstructuredObject): unknown {
  const { serviceName, selector, podManagementPolicy, volumeClaimTemplates } = childIf(set, "spec") ?? {};
  return { serviceName, selector, podManagementPolicy, volumeClaimTemplates };
}

interface Workload {
  /** As the texts about it have it. */
  readonly name: "deployment" | "statefulset" | "daemonset";
  readonly applyDefaults: (object: Fields) => void;
  /** Paths that can't change. */
  readonly fixed: readonly string[];
}

function workload(kind: Workload): Strategy {
  return {
    unconditionalUpdate: true,
    applyDefaults: kind.applyDefaults,
    generationOf: desiredSpec,
    prepareCreate(object) {
      object["status"] = {};
    },
    warn: templateWarnings,
    validate: (object, old) => [...workloadErrors(object, kind), ...immutable(object, old, kind.fixed)],
  };
}

const amounts = ["replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"];

function workloadErrors(object: UnstructuredObject, kind: Workload): StatusCause[] {
  const spec = childIf(object, "spec") ?? {};
  const { minReadySeconds = 0, progressDeadlineSeconds } = spec as Record<string, number | undefined>;
  return [
    ...amounts.flatMap((name) =>
      Number(spec[name] ?? 0) < 0 ? [invalid(`spec.${name}`, spec[name], "must be greater than or equal to 0")] : [],
    ),
    ...(progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds
      ? [invalid("spec.progressDeadlineSeconds", progressDeadlineSeconds, "must be greater than minReadySeconds")]
      : []),
    ...selectorErrors(childIf(spec, "selector"), kind),
    ...templateErrors(spec, kind),
  ];
}

function selectorErrors(selector: Fields | undefined, { name }: Workload): StatusCause[] {
  if (!selector) return [];
  if (isEmptySelector(selector)) return [invalid("spec.selector", {}, `empty selector is invalid for ${name}`)];
  const errors = labelSelectorErrors(selector, "spec.selector");
  // Where a selector has to be made of it, that fails too.
  if (errors.length === 0 || name === "daemonset") return errors;
  return [...errors, invalid("spec.selector", selector, name === "deployment" ? "invalid label selector" : "")];
}

/** The selector must be there and match the template's labels. */
function templateErrors(spec: Fields, { name }: Workload): StatusCause[] {
  const template = name === "statefulset" ? withClaims(spec) : childIf(spec, "template");
  const pods = childIf(template, "spec");
  const selector = childIf(spec, "selector");
  const labels = childIf(childIf(template, "metadata"), "labels");
  const readable = selector !== undefined && labelSelectorErrors(selector, "").length === 0;
  const matches = matchesSelector(selector, labels);
  const isChecked = name === "daemonset" || selector === undefined || (readable && !isEmptySelector(selector));
  // Only what a deployment's pods are is checked after their labels.
  const errors =
    name !== "daemonset" && selector !== undefined && !readable ? [] : podTemplateErrors(template, "spec.template");
  return [
    ...(isChecked && !matches ? [unselected(labels)] : []),
    ...(isEmptySelector(selector) && selector ? [] : errors),
    ...(pods?.["restartPolicy"] === "Always" || !isKnownPolicy(pods?.["restartPolicy"])
      ? []
      : [notSupported("spec.template.spec.restartPolicy", pods?.["restartPolicy"], ["Always"])]),
    ...(pods?.["activeDeadlineSeconds"] === undefined
      ? []
      : [
          forbidden(
            "spec.template.spec.activeDeadlineSeconds",
            `activeDeadlineSeconds in ${ofPods[name]} is not Supported`,
          ),
        ]),
  ];
}

/** Whose rules a template's pods have. */
const ofPods = { daemonset: "DaemonSet", deployment: "ReplicaSet", statefulset: "StatefulSet" };

function isKnownPolicy(policy: unknown): boolean {
  return policy === "OnFailure" || policy === "Never";
}
