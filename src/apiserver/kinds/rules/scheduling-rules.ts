import { type Fields, textOf } from "../../../apimachinery/fields.ts";
import { duplicate, required as missing } from "../../../apimachinery/field-error.ts";
import {
  anyText,
  enumOf,
  type FieldRule,
  fieldRules,
  format,
  ifParent,
  maximum,
  minimum,
  must,
  required,
  type Rows,
  type RowsCheck,
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

/** Returns the errors of a selector of nodes. */
export const nodeSelectorErrors: RowsCheck = fieldRules(nodeSelector);

const podTerm: Rows = {
  // Kubernetes does not name the item.
  ".": (term, at) =>
    (((term as Fields)["namespaces"] ?? []) as string[]).flatMap((name) => dnsLabelErrors(`${at}.namespace`, name)),
  "(labelSelector|namespaceSelector)": selectorRules,
  topologyKey: format("k8s-label-key"),
};
const podTermErrors = fieldRules(podTerm);

/** Refuses constraints that have the same key as a later one. */
const uniqueConstraints: FieldRule = (list, at) => {
  const keys = (Array.isArray(list) ? (list as Fields[]) : []).map(
    ({ topologyKey, whenUnsatisfiable }) => `{${textOf(topologyKey)}, ${textOf(whenUnsatisfiable)}}`,
  );
  return keys.flatMap((key, index) =>
    keys.lastIndexOf(key) > index ? [duplicate(`${at}[${index}].{topologyKey, whenUnsatisfiable}`, key)] : [],
  );
};

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
  topologySpreadConstraints: uniqueConstraints,
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
