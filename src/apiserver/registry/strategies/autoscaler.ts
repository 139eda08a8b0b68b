import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from "../../../apimachinery/schema/field-error.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import { newAutoscalerOf, oldAutoscalerOf } from "../autoscaler-views.ts";
import { childIf, items, type Fields, textOf } from "../../../apimachinery/fields.ts";
import { defaultAutoscaler } from "../defaults/policy-defaults.ts";
import { metricErrors } from "../rules/metric-errors.ts";
import { pathSegmentErrors } from "../rules/name-errors.ts";
import type { Strategy } from "../strategy.ts";

export const autoscalerStrategy: Strategy = {
  unconditionalUpdate: true,
  applyDefaults: defaultAutoscaler,
  prepareCreate: (autoscaler) => void (autoscaler["status"] = { desiredReplicas: 0, currentMetrics: null }),
  validate: autoscalerErrors,
};

/** autoscaling/v1, another view of the same: its defaults and rules are those of v2. */
export const oldAutoscalerStrategy: Strategy = {
  unconditionalUpdate: true,
  applyDefaults(autoscaler) {
    const whole = cloneJson(newAutoscalerOf(autoscaler));
    defaultAutoscaler(whole);
    autoscaler["spec"] = cloneJson(oldAutoscalerOf(whole)["spec"]);
  },
  prepareCreate: (autoscaler) => void (autoscaler["status"] = { currentReplicas: 0, desiredReplicas: 0 }),
  validate: (autoscaler) => autoscalerErrors(newAutoscalerOf(autoscaler)),
};

function autoscalerErrors(autoscaler: UnstructuredObject): FieldError[] {
  const spec = childIf(autoscaler, "spec") ?? {};
  const { minReplicas, maxReplicas = 0 } = spec as { minReplicas?: number; maxReplicas?: number };
  const metrics = items(spec, "metrics");
  const scalesFromZero = metrics.some(({ type }) => type === "Object" || type === "External");
  return [
    ...(minReplicas !== undefined && minReplicas < 1
      ? [invalid("spec.minReplicas", minReplicas, "must be greater than or equal to 1")]
      : []),
    ...(maxReplicas === 0 ? [required("spec.maxReplicas", "must be set and greater than 0")] : []),
    ...(maxReplicas < 0 ? [invalid("spec.maxReplicas", maxReplicas, "must be greater than or equal to 1")] : []),
    ...(minReplicas !== undefined && maxReplicas < minReplicas
      ? [invalid("spec.maxReplicas", maxReplicas, "must be greater than or equal to `minReplicas`")]
      : []),
    ...targetErrors(childIf(spec, "scaleTargetRef") ?? {}, "spec.scaleTargetRef"),
    ...metrics.flatMap((metric, index) => metricErrors(metric, `spec.metrics[${index}]`)),
    ...(minReplicas === 0 && !scalesFromZero
      ? [
          forbidden(
            "spec.metrics",
            "must specify at least one Object or External metric to support scaling to zero replicas",
          ),
        ]
      : []),
    ...["scaleUp", "scaleDown"].flatMap((direction) => {
      const rules = childIf(childIf(spec, "behavior"), direction);
      return rules ? ruleErrors(rules, `spec.behavior.${direction}`) : [];
    }),
  ];
}

function targetErrors(target: Fields, at: string): FieldError[] {
  const { kind = "", name = "", apiVersion = "" } = target as Partial<Record<string, string>>;
  const segment = (field: string, value: string): FieldError[] =>
    value ? pathSegmentErrors(field, value) : [required(field)];
  const field = `${at}.apiVersion`;
  const parts = apiVersion.split("/");
  const versionErrors =
    parts.length > 2
      ? [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
      : parts.length < 2 || !parts[0]
        ? [invalid(field, apiVersion, "apiVersion must specify API group")]
        : [];
  return [...segment(`${at}.kind`, kind), ...segment(`${at}.name`, name), ...versionErrors];
}

const longestWindow = 3600;
const longestPeriod = 1800;

function ruleErrors(rules: Fields, at: string): FieldError[] {
  const { stabilizationWindowSeconds: window, selectPolicy } = rules as Record<string, number | string | undefined>;
  const errors: FieldError[] = [];
  if (typeof window === "number" && window < 0)
    errors.push(invalid(`${at}.stabilizationWindowSeconds`, window, "must be greater than or equal to zero"));
  if (typeof window === "number" && window > longestWindow)
    errors.push(invalid(`${at}.stabilizationWindowSeconds`, window, `must be less than or equal to ${longestWindow}`));
  const known = ["Disabled", "Max", "Min"];
  if (selectPolicy !== undefined && !known.includes(textOf(selectPolicy)))
    errors.push(notSupported(`${at}.selectPolicy`, selectPolicy, known));
  if (rules["policies"] !== undefined && items(rules, "policies").length === 0)
    errors.push(required(`${at}.policies`, "must specify at least one Policy"));
  return [
    ...errors,
    ...items(rules, "policies").flatMap((policy, index) => policyErrors(policy, `${at}.policies[${index}]`)),
  ];
}

function policyErrors(policy: Fields, at: string): FieldError[] {
  const {
    type = "",
    value = 0,
    periodSeconds = 0,
  } = policy as { type?: string; value?: number; periodSeconds?: number };
  const known = ["Percent", "Pods"];
  return [
    ...(known.includes(type) ? [] : [notSupported(`${at}.type`, type, known)]),
    ...(value > 0 ? [] : [invalid(`${at}.value`, value, "must be greater than zero")]),
    ...(periodSeconds > 0 ? [] : [invalid(`${at}.periodSeconds`, periodSeconds, "must be greater than zero")]),
    ...(periodSeconds > longestPeriod
      ? [invalid(`${at}.periodSeconds`, periodSeconds, `must be less than or equal to ${longestPeriod}`)]
      : []),
  ];
}
