import { type Fields, textOf } from "../../../apimachinery/fields.ts";
import { fieldRules, format, maximum, minimum, must, required, type Rows, unique } from "./field-rules.ts";
import { requirementValues, selectorRules } from "./label-selector-errors.ts";
import { dnsLabelErrors, labelKeyErrors } from "./name-errors.ts";

const [wanted, preferred] = [
  "requiredDuringSchedulingIgnoredDuringExecution",
  "preferredDuringSchedulingIgnoredDuringExecution",
];
const weight = [minimum(1), maximum(100)];

const nodeTerm: Rows = {
  "matchExpressions[]": {
    key: format("k8s-label-key"),
    values: requirementValues,
    "values[]": format("k8s-label-value"),
  },
};

const nodeSelector: Rows = { nodeSelectorTerms: required(), "nodeSelectorTerms[]": nodeTerm };

const podTerm: Rows = {
  // Kubernetes does not name the item.
  ".": (term, at) =>
    (((term as Fields)["namespaces"] ?? []) as string[]).flatMap((name) => dnsLabelErrors(`${at}.namespace`, name)),
  "(labelSelector|namespaceSelector)": selectorRules,
  topologyKey: format("k8s-label-key"),
};
const podTermErrors = fieldRules(podTerm);

/** The rules of the fields that choose a pod's node. */
export const schedulingRules: Rows = {
  affinity: {
    [`nodeAffinity.${wanted}`]: nodeSelector,
    [`nodeAffinity.${preferred}[]`]: { weight, preference: nodeTerm },
    [`(podAffinity|podAntiAffinity).${wanted}[]`]: podTerm,
    [`(podAffinity|podAntiAffinity).${preferred}[]`]: {
      weight,
      podAffinityTerm: (term, at) => podTermErrors((term ?? {}) as Fields, at),
    },
  },
  "topologySpreadConstraints[]": {
    maxSkew: minimum(1),
    minDomains: [
      minimum(1),
      must((_count, { whenUnsatisfiable: action }) => action === "DoNotSchedule", "is only for DoNotSchedule"),
    ],
    labelSelector: selectorRules,
    matchLabelKeys: must((_keys, { labelSelector }) => Boolean(labelSelector), "must not be without labelSelector"),
  },
  schedulingGates: unique("name"),
  "schedulingGates[]": (gate, at) => labelKeyErrors(at, textOf((gate as Fields)["name"])),
};
