import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { childIf, type Fields } from "../defaults/fields.ts";
import {
  defaultDaemonSet,
  defaultDeployment,
  defaultReplicaSet,
  defaultStatefulSet,
} from "../defaults/workload-defaults.ts";
import type { Strategy } from "../strategy.ts";
import { desiredSpec, immutable } from "./immutable.ts";
import { containerErrors } from "./pod.ts";

/** Deployments count changes of their annotations too. */
export const deploymentStrategy: Strategy = {
  ...workload(defaultDeployment, ["spec.selector"]),
  generationOf: ({ spec, metadata }) => [spec, metadata.annotations ?? {}],
};

export const replicaSetStrategy: Strategy = workload(defaultReplicaSet, ["spec.selector"]);

export const daemonSetStrategy: Strategy = workload(defaultDaemonSet, ["spec.selector"]);

export const statefulSetStrategy: Strategy = workload(defaultStatefulSet, []);

function workload(applyDefaults: (object: Fields) => void, immutablePaths: readonly string[]): Strategy {
  return {
    unconditionalUpdate: true,
    applyDefaults,
    generationOf: desiredSpec,
    prepareCreate(object) {
      object["status"] = {};
    },
    validate: (object, old) => [...templateErrors(object), ...immutable(object, old, immutablePaths)],
  };
}

/** The selector must be there and match the template's labels. */
function templateErrors(object: UnstructuredObject): StatusCause[] {
  const spec = childIf(object, "spec");
  const template = childIf(spec, "template");
  const errors = containerErrors(childIf(template, "spec"), "spec.template.spec");
  const selector = childIf(spec, "selector");
  if (!selector)
    return [{ reason: "FieldValueRequired", message: "Required value", field: "spec.selector" }, ...errors];
  const labels = (childIf(childIf(template, "metadata"), "labels") ?? {}) as Record<string, string>;
  const wanted = Object.entries(childIf(selector, "matchLabels") ?? {});
  if (wanted.every(([name, value]) => labels[name] === value)) return errors;
  const shown = JSON.stringify(labels);
  const message = `Invalid value: ${shown}: \`selector\` does not match template \`labels\``;
  return [{ reason: "FieldValueInvalid", message, field: "spec.template.metadata.labels" }, ...errors];
}
