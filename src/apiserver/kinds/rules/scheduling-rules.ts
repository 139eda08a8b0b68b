import { type Fields, textOf } from "../../../apimachinery/fields.ts";
import { required as missing } from "../../../apimachinery/field-error.ts";
import {
  anyText,
  enumOf,
  fieldRules,
  format,
  ifParent,
  maximum,
  minimum,
  must,
  required,
  type Rows,
  unique,
} from "./field-rules.ts";
import { requirementValues, selectorRules } from "./label-selector-errors.ts";
import { dnsLabelErrors, dnsSubdomainErrors, labelKeyErrors } from "./name-errors.ts";

const [wanted, preferred] = [
  "requiredDuringSchedulingIgnoredDuringExecution",
  "preferredDuringSchedulingIgnoredDuringExecution",
];
const weight = [minimum(1), maximum(100)];
const isIn = ({ operator }: Fields): boolean => operator === "In" || operator === "NotIn";

const nodeTerm: Rows = {
  "matchExpressions[]": {
    key: format("k8s-label-key"),
    values: requirementValues,
    "values[]": format("k8s-label-value"),
  },
  "matchFields[]": {
    key: enumOf("metadata.name"),
    operator: enumOf("In", "NotIn"),
    values: ifParent(isIn, (values, at) =>
      Array.isArray(values) && values.length === 1 ? [] : [missing(at, "must be only one value")],
    ),
    "values[]": ifParent(({ key }) => key === "metadata.name", anyText(dnsSubdomainErrors)),
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
