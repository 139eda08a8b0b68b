import { type Fields, child, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/schema/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { numberAt, textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { type Printer, printer } from "../printing/printer.ts";
import { pathSegmentErrors } from "../rules/name-errors.ts";
import { autoscalerTargets, metricErrors } from "./metrics.ts";

export const autoscalerPrinter: Printer = printer("Reference|Targets|MinPods|MaxPods|Replicas|Age", (object, now) => [
  `${textAt(object, "spec", "scaleTargetRef", "kind")}/${textAt(object, "spec", "scaleTargetRef", "name")}`,
  autoscalerTargets(object),
  textAt(object, "spec", "minReplicas") || "<unset>",
  numberAt(object, "spec", "maxReplicas"),
  numberAt(object, "status", "currentReplicas"),
  creationAge(object, now),
]);

/** HorizontalPodAutoscaler of autoscaling/v2. */
export const horizontalPodAutoscaler: BuiltinKind = {
  unconditionalUpdate: true,
  ignoresSchema: true,
  idle: "nothing is scaled here: there are no metrics",
  applyDefaults: defaultAutoscaler,
  prepareCreate: (autoscaler) => void (autoscaler["status"] = { desiredReplicas: 0, currentMetrics: null }),
  validate: autoscalerErrors,
  printer: autoscalerPrinter,
};

function defaultAutoscaler(autoscaler: Fields): void {
  const spec = child(autoscaler, "spec");
  fill(spec, { minReplicas: 1 });
  const behavior = childIf(spec, "behavior");
  if (behavior) {
    const all = { type: "Percent", value: 100, periodSeconds: 15 };
    const few = { type: "Pods", value: 4, periodSeconds: 15 };
    fill(child(behavior, "scaleUp"), { stabilizationWindowSeconds: 0, selectPolicy: "Max", policies: [few, all] });
    fill(child(behavior, "scaleDown"), { selectPolicy: "Max", policies: [all] });
  }
  const status = childIf(autoscaler, "status");
  // Null is what Go shows of no metrics.
  if (status) status["currentMetrics"] ??= null;
  if (items(spec, "metrics").length) return;
  spec["metrics"] = [
    { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
  ];
}

export function autoscalerErrors(autoscaler: UnstructuredObject): FieldError[] {
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
