import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, child, childIf, fill, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, forbidden, required as missing } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { containerCells, printer } from "../printing/printer.ts";
import { numberAt, valueAt } from "../printing/field-access.ts";
import { claimSpecRules } from "../rules/volume-rules.ts";
import { enumOf, fieldRules, format, ifParent, minimum } from "../rules/field-rules.ts";
import { defaultTemplate } from "../rules/pod-defaults.ts";
import { onlyRolling, typeOf, type Workload, workload, workloadErrors } from "./workload.ts";

const traits: Workload = {
  name: "statefulset",
  applyDefaults: (set) => defaultStatefulSet(set),
  rows: {
    updateStrategy: typeOf("RollingUpdate", "OnDelete"),
    "updateStrategy.rollingUpdate": ifParent(({ type }) => type === "OnDelete", onlyRolling),
    "updateStrategy.rollingUpdate.partition": minimum(0),
    "persistentVolumeClaimRetentionPolicy.(whenDeleted|whenScaled)": enumOf("Retain", "Delete"),
    "ordinals.start": minimum(0),
    // The volume of a claim without a name lacks both.
    ".": (spec, at) =>
      claimNames(spec as Fields).flatMap((name, index) =>
        name
          ? []
          : ["name", "persistentVolumeClaim.claimName"].map((field) =>
              missing(`${at}.template.spec.volumes[${index}].${field}`),
            ),
      ),
  },
  fixed: [],
  templateOf: withClaims,
};

const setErrors = workloadErrors(traits);

/** The rules of a new StatefulSet. */
const newErrors = fieldRules({
  "spec.serviceName": format("k8s-short-name"),
  "spec.volumeClaimTemplates[].spec": claimSpecRules,
});

function errorsOf(object: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  return [...setErrors(object), ...(old ? [] : newErrors(object))];
}

/** StatefulSet. */
export const statefulSet: BuiltinKind = {
  ...workload(traits),
  nameRule: "label",
  prepareCreate: (object) => void (object["status"] = { replicas: 0, availableReplicas: 0 }),
  validate: errorsOf,
  printer: printer("Ready|Age|Containers*|Images*", (object) => [
    `${numberAt(object, "status", "readyReplicas")}/${numberAt(object, "spec", "replicas")}`,
    ...containerCells(valueAt(object, "spec", "template")),
  ]),
};

/** Returns StatefulSet as it was before its fields declared that they are immutable, and before `maxUnavailable`. */
export function statefulSetBefore137(kind: BuiltinKind): BuiltinKind {
  return {
    ...kind,
    applyDefaults: (set) => defaultStatefulSet(set, { partition: 0 }),
    validate: (object, old) => [
      ...errorsOf(object, old),
      ...(old && !equalJson(fixedPart(object), fixedPart(old)) ? [forbidden("spec", fixedText)] : []),
    ],
  };
}

const fixedText =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
  "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

function fixedPart(set: UnstructuredObject): unknown {
  const { serviceName, selector, podManagementPolicy, volumeClaimTemplates } = childIf(set, "spec") ?? {};
  return { serviceName, selector, podManagementPolicy, volumeClaimTemplates };
}

function defaultStatefulSet(set: Fields, update: Fields = { partition: 0, maxUnavailable: 1 }): void {
  const spec = child(set, "spec");
  fill(spec, { replicas: 1, podManagementPolicy: "OrderedReady", revisionHistoryLimit: 10 });
  const strategy = child(spec, "updateStrategy");
  // A type that the client sent gets no default details.
  if (!strategy["type"]) fill(strategy, { type: "RollingUpdate", rollingUpdate: {} });
  const rolling = childIf(strategy, "rollingUpdate");
  if (strategy["type"] === "RollingUpdate" && rolling) fill(rolling, update);
  fill(child(spec, "persistentVolumeClaimRetentionPolicy"), { whenDeleted: "Retain", whenScaled: "Retain" });
  for (const claim of items(spec, "volumeClaimTemplates")) {
    fill(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim" });
    fill(child(claim, "spec"), { volumeMode: "Filesystem" });
    fill(child(claim, "status"), { phase: "Pending" });
  }
  defaultTemplate(spec);
}

/** Returns the names of the claims, each once. */
function claimNames(spec: Fields): unknown[] {
  return [...new Set(items(spec, "volumeClaimTemplates").map((claim) => childIf(claim, "metadata")?.["name"]))];
}

/** Returns the template of the pods: with a volume for each claim, without the names that the controller sets. */
function withClaims(spec: Fields): Fields | undefined {
  const template = childIf(spec, "template");
  const pods = childIf(template, "spec");
  if (!pods) return template;
  const { hostname: _hostname, subdomain: _subdomain, ...rest } = pods;
  const claims = claimNames(spec);
  const claimed = new Set(claims);
  const volumes = [
    ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...items(pods, "volumes").filter(({ name }) => !claimed.has(name)),
  ];
  return { ...template, spec: volumes.length ? { ...rest, volumes } : rest };
}
