import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { childIf, type Fields } from "../defaults/fields.ts";
import {
  defaultDaemonSet,
  defaultDeployment,
  defaultReplicaSet,
  defaultStatefulSet,
} from "../defaults/workload-defaults.ts";
import { valueAt } from "../simple-path.ts";
import type { Strategy } from "../strategy.ts";
import { desiredSpec, immutable } from "./immutable.ts";
import { podSpecErrors } from "../pod-spec-errors.ts";

/** Deployments count changes of their annotations too. */
export const deploymentStrategy: Strategy = {
  ...workload(defaultDeployment, ["spec.selector"]),
  generationOf: ({ spec, metadata }) => [spec, metadata.annotations ?? {}],
};

export const replicaSetStrategy: Strategy = {
  ...workload(defaultReplicaSet, ["spec.selector"]),
  prepareCreate: (object) => void (object["status"] = { replicas: 0 }),
};

const templateGeneration = "deprecated.daemonset.template.generation";

export const daemonSetStrategy: Strategy = {
  ...workload(defaultDaemonSet, ["spec.selector"]),
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

export const statefulSetStrategy: Strategy = {
  ...workload(defaultStatefulSet, []),
  prepareCreate: (object) => void (object["status"] = { replicas: 0, availableReplicas: 0 }),
  validate: (object, old) => [
    ...replicaErrors(object),
    ...templateErrors(object),
    ...(old && !equalJson(fixedPart(object), fixedPart(old)) ? [fixedError] : []),
  ],
};

const fixedError: StatusCause = {
  reason: "FieldValueForbidden",
  field: "spec",
  message:
    "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
};

function fixedPart(set: UnstructuredObject): unknown {
  const { serviceName, selector, podManagementPolicy, volumeClaimTemplates } = childIf(set, "spec") ?? {};
  return { serviceName, selector, podManagementPolicy, volumeClaimTemplates };
}

function workload(applyDefaults: (object: Fields) => void, immutablePaths: readonly string[]): Strategy {
  return {
    unconditionalUpdate: true,
    applyDefaults,
    generationOf: desiredSpec,
    prepareCreate(object) {
      object["status"] = {};
    },
    validate: (object, old) => [
      ...replicaErrors(object),
      ...templateErrors(object),
      ...immutable(object, old, immutablePaths),
    ],
  };
}

function replicaErrors(object: UnstructuredObject): StatusCause[] {
  const replicas = childIf(object, "spec")?.["replicas"];
  if (typeof replicas !== "number" || replicas >= 0) return [];
  const message = `Invalid value: ${replicas}: must be greater than or equal to 0`;
  return [{ reason: "FieldValueInvalid", message, field: "spec.replicas" }];
}

/** The selector must be there and match the template's labels. */
function templateErrors(object: UnstructuredObject): StatusCause[] {
  const spec = childIf(object, "spec");
  const template = childIf(spec, "template");
  const errors = podSpecErrors(childIf(template, "spec"), "spec.template.spec");
  const selector = childIf(spec, "selector");
  const labels = childIf(childIf(template, "metadata"), "labels");
  const wanted = Object.entries(childIf(selector, "matchLabels") ?? {});
  // No selector, which the schema asks for, matches nothing.
  if (selector && wanted.every(([name, value]) => labels?.[name] === value)) return errors;
  const message = `Invalid value: ${JSON.stringify(labels ?? null)}: \`selector\` does not match template \`labels\``;
  return [{ reason: "FieldValueInvalid", message, field: "spec.template.metadata.labels" }, ...errors];
}
