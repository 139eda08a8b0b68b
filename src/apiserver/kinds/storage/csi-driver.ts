import { child, fill } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, textAt, textsAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { immutable } from "../rules/immutable.ts";

/** CSIDriver. */
export const csiDriver: BuiltinKind = {
  returnsDeleted: true,
  applyDefaults(driver) {
    fill(child(driver, "spec"), {
      attachRequired: true,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      podInfoOnMount: false,
      requiresRepublish: false,
      seLinuxMount: false,
      storageCapacity: false,
      volumeLifecycleModes: ["Persistent"],
    });
  },
  validate: (driver, old) => [
    ...immutable(driver, old, ["spec.volumeLifecycleModes"]),
    // A real server names a field that does not exist.
    ...immutable(driver, old, ["spec.attachRequired"]).map((error) => ({ ...error, field: "spec.attachedRequired" })),
  ],
  printer: printer(
    "AttachRequired:boolean|PodInfoOnMount:boolean|StorageCapacity:boolean|TokenRequests|RequiresRepublish:boolean|Modes|Age",
    (object, now) => [
      valueAt(object, "spec", "attachRequired") !== false,
      valueAt(object, "spec", "podInfoOnMount") === true,
      valueAt(object, "spec", "storageCapacity") === true,
      listAt(object, "spec", "tokenRequests")
        .map((request) => textAt(request, "audience"))
        .join(",") || "<unset>",
      valueAt(object, "spec", "requiresRepublish") === true,
      textsAt(object, "spec", "volumeLifecycleModes").join(",") || "<none>",
      creationAge(object, now),
    ],
  ),
};
