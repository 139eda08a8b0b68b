import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, child, fill, childIf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { containerCells, labelSelectorText, labelText, printer } from "../printing/printer.ts";
import { mapAt, numberAt, valueAt } from "../printing/field-access.ts";
import { defaultTemplate } from "../rules/pod-defaults.ts";
import { amount, atMostAll, isZero, isRolling, typeOf, workload } from "./workload.ts";
import { fieldRules, ifParent, must } from "../rules/field-rules.ts";

const updateErrors = fieldRules({
  maxUnavailable: [
    amount,
    atMostAll,
    must((most, { maxSurge }) => !isZero(most) || !isZero(maxSurge), "cannot be 0 when maxSurge is 0"),
  ],
  maxSurge: [
    amount,
    atMostAll,
    must((surge, { maxUnavailable: most }) => isZero(surge) || isZero(most), "is only for a maxUnavailable of 0"),
  ],
});

const templateGeneration = "deprecated.daemonset.template.generation";

/** DaemonSet. */
export const daemonSet: BuiltinKind = {
  ...workload({
    name: "daemonset",
    applyDefaults: defaultDaemonSet,
    rows: {
      updateStrategy: typeOf("RollingUpdate", "OnDelete"),
      "updateStrategy.rollingUpdate": ifParent(isRolling, (rolling, at) => updateErrors(rolling as Fields, at)),
    },
    fixed: ["spec.selector"],
  }),
  prepareUpdate(object, old) {
    const before = Number(old.metadata.annotations?.[templateGeneration] ?? 0);
    const isNew = !equalJson(valueAt(object, "spec", "template"), valueAt(old, "spec", "template"));
    setTemplateGeneration(object, isNew ? before + 1 : before);
  },
  prepareCreate(object) {
    setTemplateGeneration(object, 1);
    object["status"] = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
  },
  printer: printer(
    "Desired:integer|Current:integer|Ready:integer|Up-to-date:integer|Available:integer|Node Selector|Age|Containers*|Images*|Selector*",
    (object) => [
      numberAt(object, "status", "desiredNumberScheduled"),
      numberAt(object, "status", "currentNumberScheduled"),
      numberAt(object, "status", "numberReady"),
      numberAt(object, "status", "updatedNumberScheduled"),
      numberAt(object, "status", "numberAvailable"),
      labelText(mapAt(object, "spec", "template", "spec", "nodeSelector")),
      ...containerCells(valueAt(object, "spec", "template")),
      labelSelectorText(valueAt(object, "spec", "selector")),
    ],
  ),
};

function setTemplateGeneration({ metadata }: UnstructuredObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
}

function defaultDaemonSet(set: Fields): void {
  const spec = child(set, "spec");
  fill(spec, { revisionHistoryLimit: 10 });
  const strategy = child(spec, "updateStrategy");
  fill(strategy, { type: "RollingUpdate" });
  if (strategy["type"] === "RollingUpdate") fill(child(strategy, "rollingUpdate"), { maxUnavailable: 1, maxSurge: 0 });
  // Numbers that Go writes even if they are not set.
  const rolling = childIf(strategy, "rollingUpdate");
  if (rolling) fill(rolling, { maxUnavailable: 0, maxSurge: 0 });
  defaultTemplate(spec);
  const metadata = child(set, "metadata");
  metadata["annotations"] = { [templateGeneration]: "0", ...childIf(metadata, "annotations") };
}
