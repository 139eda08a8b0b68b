import { type Fields, child, fill } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { valueAt } from "../printing/field-access.ts";
import { labelSelectorText, replicaCells, replicaColumns } from "../printing/cells.ts";
import { printer } from "../printing/printer.ts";
import { defaultTemplate } from "../rules/pod-defaults.ts";
import { workload } from "./workload.ts";

/** ReplicaSet. */
export const replicaSet: BuiltinKind = {
  ...workload({
    name: "deployment",
    applyDefaults: defaultReplicaSet,
    parts: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
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
