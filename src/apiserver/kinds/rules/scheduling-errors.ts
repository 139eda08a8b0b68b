import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, duplicate, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import { labelSelectorErrors } from "./label-selector-errors.ts";
import { dnsLabelErrors, dnsSubdomainErrors, labelKeyErrors, labelValueErrors } from "./name-errors.ts";
import { repeatedIndexes } from "./value-errors.ts";

/** Returns the errors in the fields that choose a pod's node. */
export function schedulingErrors(spec: Fields, at: string): FieldError[] {
  const gates = items(spec, "schedulingGates").map(({ name }) => textOf(name));
  const repeated = repeatedIndexes(gates);
  return [
    ...affinityErrors(childIf(spec, "affinity"), `${at}.affinity`),
    ...spreadErrors(items(spec, "topologySpreadConstraints"), `${at}.topologySpreadConstraints`),
    ...gates.flatMap((name, index) => [
      ...labelKeyErrors(`${at}.schedulingGates[${index}]`, name),
      ...(repeated.has(index) ? [duplicate(`${at}.schedulingGates[${index}]`, name)] : []),
    ]),
  ];
}

const [wanted, preferred] = [
  "requiredDuringSchedulingIgnoredDuringExecution",
  "preferredDuringSchedulingIgnoredDuringExecution",
];

function affinityErrors(affinity: Fields | undefined, at: string): FieldError[] {
  if (!affinity) return [];
  const nodes = childIf(affinity, "nodeAffinity");
  const needed = childIf(nodes, wanted);
  return [
    ...(needed ? nodeSelectorErrors(needed, `${at}.nodeAffinity.${wanted}`) : []),
    ...items(nodes, preferred).flatMap(({ weight, preference }, index) => {
      const field = `${at}.nodeAffinity.${preferred}[${index}]`;
      return [
        ...weightErrors(weight, `${field}.weight`),
        ...nodeTermErrors(preference as Fields | undefined, `${field}.preference`),
      ];
    }),
    ...["podAffinity", "podAntiAffinity"].flatMap((name) =>
      podAffinityErrors(childIf(affinity, name), `${at}.${name}`),
    ),
  ];
}

function podAffinityErrors(affinity: Fields | undefined, at: string): FieldError[] {
  return [
    ...items(affinity, wanted).flatMap((term, index) => podTermErrors(term, `${at}.${wanted}[${index}]`)),
    ...items(affinity, preferred).flatMap(({ weight, podAffinityTerm }, index) => {
      const field = `${at}.${preferred}[${index}]`;
      return [
        ...weightErrors(weight, `${field}.weight`),
        ...podTermErrors((podAffinityTerm ?? {}) as Fields, `${field}.podAffinityTerm`),
      ];
    }),
  ];
}

function weightErrors(weight: unknown, field: string): FieldError[] {
  const value = Number(weight ?? 0);
  return value >= 1 && value <= 100 ? [] : [invalid(field, value, "must be in the range 1-100")];
}

/** Returns the errors of a selector of nodes. */
export function nodeSelectorErrors(selector: Fields, at: string): FieldError[] {
  const [terms, field] = [items(selector, "nodeSelectorTerms"), `${at}.nodeSelectorTerms`];
  if (terms.length === 0) return [required(field, "must have at least one node selector term")];
  return terms.flatMap((term, index) => nodeTermErrors(term, `${field}[${index}]`));
}

function nodeTermErrors(term: Fields | undefined, at: string): FieldError[] {
  return [
    ...items(term, "matchExpressions").flatMap((requirement, index) =>
      nodeRequirementErrors(requirement, `${at}.matchExpressions[${index}]`),
    ),
    ...items(term, "matchFields").flatMap((requirement, index) =>
      nodeFieldErrors(requirement, `${at}.matchFields[${index}]`),
    ),
  ];
}

const valueCounts: Readonly<Record<string, [isRight: (count: number) => boolean, why: string]>> = {
  In: [(count) => count > 0, "must be specified when `operator` is 'In' or 'NotIn'"],
  Exists: [(count) => count === 0, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"],
  Gt: [(count) => count === 1, "must be specified single value when `operator` is 'Lt' or 'Gt'"],
};
const likeOperators: Readonly<Record<string, string>> = { NotIn: "In", DoesNotExist: "Exists", Lt: "Gt" };
const noOperator = "not a valid selector operator";

function nodeRequirementErrors(requirement: Fields, at: string): FieldError[] {
  const [key, operator] = [textOf(requirement["key"]), textOf(requirement["operator"])];
  const values = (requirement["values"] ?? []) as unknown[];
  const like = likeOperators[operator] ?? operator;
  const [isRight, why] = valueCounts[like] ?? [];
  const refuse = like === "Exists" ? forbidden : required;
  return [
    ...(isRight ? [] : [invalid(`${at}.operator`, operator, noOperator)]),
    ...(isRight && why && !isRight(values.length) ? [refuse(`${at}.values`, why)] : []),
    ...labelKeyErrors(`${at}.key`, key),
    ...values.flatMap((value, index) => labelValueErrors(`${at}.values[${index}]`, textOf(value))),
  ];
}

function nodeFieldErrors({ key, operator, values }: Fields, at: string): FieldError[] {
  const isKnown = operator === "In" || operator === "NotIn";
  const names = (values ?? []) as unknown[];
  const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  return [
    ...(isKnown && names.length !== 1 ? [required(`${at}.values`, why)] : []),
    ...(isKnown ? [] : [invalid(`${at}.operator`, operator ?? "", noOperator)]),
    ...(key === "metadata.name"
      ? names.flatMap((name, index) => dnsSubdomainErrors(`${at}.values[${index}]`, textOf(name)))
      : [invalid(`${at}.key`, key ?? "", "not a valid field selector key")]),
  ];
}

function podTermErrors(term: Fields, at: string): FieldError[] {
  const namespaces = (term["namespaces"] ?? []) as unknown[];
  return [
    ...labelSelectorErrors(childIf(term, "labelSelector"), `${at}.labelSelector`),
    ...labelSelectorErrors(childIf(term, "namespaceSelector"), `${at}.namespaceSelector`),
    ...namespaces.flatMap((name) => dnsLabelErrors(`${at}.namespace`, textOf(name))),
    ...(term["topologyKey"] ? [] : [required(`${at}.topologyKey`, "can not be empty")]),
    ...labelKeyErrors(`${at}.topologyKey`, textOf(term["topologyKey"])),
  ];
}

function spreadErrors(constraints: readonly Fields[], at: string): FieldError[] {
  const keys = constraints.map(
    ({ topologyKey, whenUnsatisfiable }) => `{${textOf(topologyKey)}, ${textOf(whenUnsatisfiable)}}`,
  );
  const lastWith = new Map(keys.map((key, index) => [key, index]));
  return constraints.flatMap((constraint, index) => {
    const field = `${at}[${index}]`;
    const { maxSkew, minDomains, whenUnsatisfiable, labelSelector, matchLabelKeys } = constraint;
    const positive = { maxSkew: maxSkew ?? 0, minDomains: minDomains ?? 1 };
    const onlyHard = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${textOf(whenUnsatisfiable)}`;
    return [
      ...Object.entries(positive)
        .filter(([, value]) => Number(value) <= 0)
        .map(([name, value]) => invalid(`${field}.${name}`, value, "must be greater than zero")),
      ...(minDomains !== undefined && whenUnsatisfiable !== "DoNotSchedule"
        ? [invalid(`${field}.minDomains`, minDomains, onlyHard)]
        : []),
      ...(lastWith.get(keys[index]!)! > index
        ? [duplicate(`${field}.{topologyKey, whenUnsatisfiable}`, keys[index])]
        : []),
      ...labelSelectorErrors(childIf(constraint, "labelSelector"), `${field}.labelSelector`),
      ...(matchLabelKeys && !labelSelector
        ? [forbidden(`${field}.matchLabelKeys`, "must not be specified when labelSelector is not set")]
        : []),
    ];
  });
}
