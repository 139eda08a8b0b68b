import { normalize } from "node:path/posix";
import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { type FieldError, forbidden, invalid, required as missing } from "../../../apimachinery/field-error.ts";
import { accessModes } from "../rules/claim-spec-rules.ts";
import { type FieldRule, fieldRules, format, must, required } from "../rules/field-rules.ts";
import { nodeSelectorErrors } from "../rules/scheduling-rules.ts";
import { driverRules, presentSources } from "../rules/volume-rules.ts";
import { immutableText } from "../rules/immutable.ts";

const specErrors = fieldRules({
  ...driverRules,
  "csi.(controllerPublishSecretRef|controllerExpandSecretRef|nodePublishSecretRef|nodeExpandSecretRef)": {
    name: [required(), format("k8s-long-name")],
    namespace: [required(), format("k8s-short-name")],
  },
  accessModes,
  capacity: [required(), must((sizes: Fields) => Object.keys(sizes).join() === "storage", "must be of storage alone")],
  "capacity{}": must((size: string) => parseQuantity(size).nanos > 0n, "must be greater than zero"),
  nodeAffinity: (affinity, at) => {
    if (!affinity) return [];
    const needed = childIf(affinity as Fields, "required");
    return needed ? nodeSelectorErrors(needed, `${at}.required`) : [missing(`${at}.required`)];
  },
  volumeAttributesClassName: [
    must((name) => name !== "", "an empty string is disallowed"),
    format("k8s-long-name"),
    (name, _at, { csi }) => (name === undefined || csi ? [] : [missing("spec.csi", "for volumeAttributesClassName")]),
  ],
  storageClassName: format("k8s-long-name"),
  persistentVolumeReclaimPolicy: must(
    (policy, spec) => policy !== "Recycle" || normalize(textOf(childIf(spec, "hostPath")?.["path"])) !== "/",
    "may not be 'Recycle' for a hostPath mount of '/'",
  ),
  ".": [
    must((spec: Fields) => presentSources(spec).length > 0, "must specify a volume type"),
    driverRules["."] as FieldRule,
    (spec) =>
      (spec as Fields)["local"] && !(spec as Fields)["nodeAffinity"]
        ? [missing("spec.nodeAffinity", "for a local volume")]
        : [],
  ],
});

/** Returns the errors of a volume, apart from missing fields and unknown words, which the schema reports. */
export function volumeErrors(volume: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const spec = childIf(volume, "spec") ?? {};
  return [...specErrors(spec, "spec"), ...(old ? changeErrors(spec, childIf(old, "spec") ?? {}) : [])];
}

function sourcesOf(spec: Fields = {}): Fields {
  return Object.fromEntries(presentSources(spec).map((name) => [name, spec[name]]));
}

function changeErrors(spec: Fields, old: Fields): FieldError[] {
  const source = "spec.persistentvolumesource";
  // A volume may get the secret with which its driver expands it.
  const getsSecret = childIf(old, "csi")?.["controllerExpandSecretRef"] === undefined;
  const [fixed, oldFixed] = [spec, old].map((each) => (getsSecret ? withoutSecret(each) : each));
  const isChanged = !equalJson(sourcesOf(fixed), sourcesOf(oldFixed));
  return [
    ...(isChanged ? [forbidden(source, `${source} is immutable after creation`)] : []),
    ...(spec["volumeMode"] === old["volumeMode"] ? [] : [invalid("volumeMode", spec["volumeMode"], immutableText)]),
    ...affinityChangeErrors(spec["nodeAffinity"], old["nodeAffinity"]),
    ...(old["volumeAttributesClassName"] !== undefined && spec["volumeAttributesClassName"] === undefined
      ? [forbidden("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden")]
      : []),
  ];
}

function withoutSecret({ csi, ...spec }: Fields): Fields {
  const { controllerExpandSecretRef: _secret, ...rest } = (csi ?? {}) as Fields;
  return { ...spec, csi: csi && rest };
}

/** Checks the nodes that reach a volume, which stay the same. */
function affinityChangeErrors(affinity: unknown, old: unknown): FieldError[] {
  if (old === undefined || equalJson(affinity, old)) return [];
  return [invalid("nodeAffinity", affinity ?? null, immutableText)];
}
