import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid as invalidField } from "../../../apimachinery/schema/field-error.ts";
import { formatLabelSelector } from "../../../apimachinery/selectors.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import { conflict, invalid } from "../../refusals.ts";
import { setAt, valueAt } from "../../registry/simple-path.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import type { Call } from "../call/call.ts";
import { dropUndefined } from "./drop-undefined.ts";

/** Where a kind keeps what `/scale` shows. */
interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

const builtinPaths: ScalePaths = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".spec.selector",
};

/** The `autoscaling/v1 Scale` of an object. */
export function scaleOf(resource: ServedResource, object: UnstructuredObject): UnstructuredObject {
  const paths = resource.custom?.scale ?? builtinPaths;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = valueAt(object, paths.specReplicasPath);
  const selector = selectorText(paths.labelSelectorPath && valueAt(object, paths.labelSelectorPath));
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: dropUndefined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: typeof replicas === "number" && replicas !== 0 ? { replicas } : {},
    status: dropUndefined({ replicas: numberOr(valueAt(object, paths.statusReplicasPath), 0), selector }),
  };
}

/** The object with the replicas that a Scale asks for; the Scale's metadata are preconditions. */
export function withScale(call: Call, live: UnstructuredObject, scale: UnstructuredObject): UnstructuredObject {
  const { resource } = call.entry;
  const replicas = numberOr((scale["spec"] as { replicas?: unknown } | undefined)?.replicas, 0);
  const { name = call.name, uid, resourceVersion } = scale.metadata;
  if (uid !== undefined && uid !== live.metadata.uid)
    throw conflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`,
    );
  if (replicas < 0 && !resource.custom)
    throw invalid({ group: "autoscaling", kind: "Scale" }, name, [
      invalidField("spec.replicas", replicas, "must be greater than or equal to 0"),
    ]);
  const wanted = cloneJson(live);
  if (resourceVersion === undefined) delete wanted.metadata.resourceVersion;
  else wanted.metadata.resourceVersion = resourceVersion;
  setAt(wanted, resource.custom?.scale?.specReplicasPath ?? builtinPaths.specReplicasPath, replicas);
  return wanted;
}

/** Custom resources keep the selector as text, built-in ones as a LabelSelector. */
function selectorText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "object" && value !== null ? formatLabelSelector(value) : undefined;
}

function numberOr(value: unknown, other: number): number {
  return typeof value === "number" ? value : other;
}
