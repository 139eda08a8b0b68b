import { type Fields, child, childIf, fill } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { containerCells, labelSelectorText, replicaCells, replicaColumns, printer } from "../printing/printer.ts";
import { numberAt, valueAt } from "../printing/field-access.ts";
import { amount, atMostAll, isZero, isRolling, onlyRolling, typeOf, workload } from "./workload.ts";
import { fieldRules, ifParent, must } from "../rules/field-rules.ts";
import { keepMeta } from "../rules/immutable.ts";
import { defaultTemplate, labelLikePods } from "../rules/pod-defaults.ts";

const updateErrors = fieldRules({
  maxUnavailable: [
    amount,
    atMostAll,
    must((most, { maxSurge }) => !isZero(most) || !isZero(maxSurge), "may not be 0 when `maxSurge` is 0"),
  ],
  maxSurge: amount,
});

/** Deployment. Its generation counts changes of annotations, too. */
export const deployment: BuiltinKind = {
  ...workload({
    name: "deployment",
    applyDefaults: defaultDeployment,
    rows: {
      strategy: typeOf("Recreate", "RollingUpdate"),
      "strategy.rollingUpdate": [
        ifParent(({ type }) => type === "Recreate", onlyRolling),
        ifParent(isRolling, (rolling, at) => updateErrors(rolling as Fields, at)),
      ],
    },
    fixed: ["spec.selector"],
  }),
  prepareStatusUpdate: (deployment, old) => keepMeta(deployment, old, "labels"),
  generationOf: ({ spec, metadata }) => [spec, metadata.annotations ?? {}],
  printer: printer("Ready|Up-to-date|Available|Age|Containers*|Images*|Selector*", (object) => [
    `${numberAt(object, "status", "readyReplicas")}/${numberAt(object, "spec", "replicas")}`,
    numberAt(object, "status", "updatedReplicas"),
    numberAt(object, "status", "availableReplicas"),
    ...containerCells(valueAt(object, "spec", "template")),
    labelSelectorText(valueAt(object, "spec", "selector")),
  ]),
};

const quarter = { maxUnavailable: "25%", maxSurge: "25%" };

function defaultDeployment(deployment: Fields): void {
  const spec = child(deployment, "spec");
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = child(spec, "strategy");
  fill(strategy, { type: "RollingUpdate" });
  if (strategy["type"] === "RollingUpdate") fill(child(strategy, "rollingUpdate"), quarter);
  defaultTemplate(spec);
}

/** ReplicaSet. */
export const replicaSet: BuiltinKind = {
  ...workload({
    name: "deployment",
    applyDefaults: defaultReplicaSet,
    fixed: ["spec.selector"],
  }),
  prepareCreate: (object) => void (object["status"] = { replicas: 0 }),
  printer: printer(replicaColumns, (object) =>
    replicaCells(object, labelSelectorText(valueAt(object, "spec", "selector"))),
  ),
};

function defaultReplicaSet(replicaSet: Fields): void {
  const spec = child(replicaSet, "spec");
  fill(spec, { replicas: 1 });
  defaultTemplate(spec);
}

/** ReplicationController: its pods are those of its template, unless it says otherwise. */
export const replicationController: BuiltinKind = {
  ...replicaSet,
  applyDefaults(object) {
    defaultReplicaSet(object);
    const spec = child(object, "spec");
    // The default of the schema, which Go leaves out.
    if (spec["minReadySeconds"] === 0) delete spec["minReadySeconds"];
    const labels = childIf(childIf(childIf(spec, "template"), "metadata"), "labels");
    if (labels && Object.keys(childIf(spec, "selector") ?? {}).length === 0) spec["selector"] = { ...labels };
    labelLikePods(object);
  },
  validate: () => [],
  printer: printer(replicaColumns, (object) =>
    replicaCells(object, labelSelectorText({ matchLabels: valueAt(object, "spec", "selector") })),
  ),
};
