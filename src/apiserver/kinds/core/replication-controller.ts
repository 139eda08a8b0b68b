import { labelText } from "../printing/label-text.ts";
import { child, childIf, fill } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { replicaCells, replicaColumns } from "../printing/workload-cells.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { defaultTemplate } from "../rules/pod-defaults.ts";

/** ReplicationController. */
export const replicationController: BuiltinKind = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  orphansByDefault: "",
  generationOf: desiredSpec,
  applyDefaults(controller) {
    const spec = child(controller, "spec");
    const labels = childIf(childIf(childIf(spec, "template"), "metadata"), "labels");
    if (labels) {
      fill(spec, { selector: labels });
      fill(child(controller, "metadata"), { labels });
    }
    fill(spec, { replicas: 1 });
    // The schema defaults it to zero, which Go does not write.
    if (spec["minReadySeconds"] === 0) delete spec["minReadySeconds"];
    if (childIf(spec, "template")) defaultTemplate(spec);
  },
  printer: printer(replicaColumns, (object, now) =>
    replicaCells(object, now, labelText(mapAt(object, "spec", "selector"))),
  ),
};
