import { type Fields, child, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { numberAt, textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { type Printer, printer } from "../printing/printer.ts";
import { pathSegmentErrors } from "../rules/name-errors.ts";
import { negativeErrors, optionalWordErrors, wordErrors } from "../rules/value-errors.ts";
import { autoscalerTargets, metricErrors } from "./autoscaler-metrics.ts";

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
  applyDefaults: defaultAutoscaler,
  prepareCreate: (autoscaler) => void (autoscaler["status"] = { desiredReplicas: 0, currentMetrics: null }),
  validate: (autoscaler, _old, subresource) => [
    ...autoscalerErrors(autoscaler),
    ...(subresource === "status"
      ? negativeErrors(childIf(autoscaler, "status") ?? {}, "status", ["currentReplicas", "desiredReplicas"])
      : []),
  ],
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
  // Go writes null for no metrics.
  if (status) status["currentMetrics"] ??= null;
  if (items(spec, "metrics").length) return;
  spec["metrics"] = [
    { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
  ];
}

export function autoscalerErrors(autoscaler: UnstructuredObject): FieldError[] {
  const spec = childIf(autoscaler, "spec") ?? {};
  const { minReplicas = 1, maxReplicas } = spec as { minReplicas?: number; maxReplicas?: number };
  return [
    ...(minReplicas < 1 ? [invalid("spec.minReplicas", minReplicas, "must be greater than or equal to 1")] : []),
    ...(maxReplicas === 0 ? [required("spec.maxReplicas", "must be set and greater than 0")] : []),
    ...(maxReplicas !== undefined && maxReplicas < minReplicas
      ? [invalid("spec.maxReplicas", maxReplicas, "must be greater than or equal to `minReplicas`")]
      : []),
    ...targetErrors(childIf(spec, "scaleTargetRef") ?? {}, "spec.scaleTargetRef"),
    ...items(spec, "metrics").flatMap((metric, index) => metricErrors(metric, `spec.metrics[${index}]`)),
    ...["scaleUp", "scaleDown"].flatMap((name) =>
      scalingErrors(childIf(childIf(spec, "behavior"), name), `spec.behavior.${name}`),
    ),
    ...(minReplicas === 0 ? zeroErrors(spec) : []),
  ];
}

/** No metric of pods tells when to begin anew. */
function zeroErrors(spec: Fields): FieldError[] {
  const fits = items(spec, "metrics").some(({ type }) => type === "Object" || type === "External");
  const why = "must specify at least one Object or External metric to support scaling to zero replicas";
  return fits ? [] : [forbidden("spec.metrics", why)];
}

function scalingErrors(rules: Fields | undefined, at: string): FieldError[] {
  if (!rules) return [];
  const { stabilizationWindowSeconds: window, selectPolicy, tolerance } = rules;
  return [
    ...(Number(window ?? 0) < 0
      ? [invalid(`${at}.stabilizationWindowSeconds`, window, "must be greater than or equal to zero")]
      : []),
    ...(textOf(tolerance).startsWith("-")
      ? [invalid(`${at}.tolerance`, tolerance, "must be greater than or equal to 0")]
      : []),
    ...aboveErrors(`${at}.stabilizationWindowSeconds`, window, 3600),
    ...optionalWordErrors(`${at}.selectPolicy`, selectPolicy, ["Disabled", "Max", "Min"]),
    ...items(rules, "policies").flatMap((policy, index) => {
      const field = `${at}.policies[${index}]`;
      const { type, periodSeconds } = policy;
      return [
        ...wordErrors(`${field}.type`, type ?? "", ["Percent", "Pods"]),
        ...["value", "periodSeconds"]
          .filter((name) => Number(policy[name] ?? 0) <= 0)
          .map((name) => invalid(`${field}.${name}`, policy[name] ?? 0, "must be greater than zero")),
        ...aboveErrors(`${field}.periodSeconds`, periodSeconds, 1800),
      ];
    }),
  ];
}

function aboveErrors(field: string, value: unknown, most: number): FieldError[] {
  return Number(value ?? 0) > most ? [invalid(field, value, `must be less than or equal to ${most}`)] : [];
}

/** Checks the target: of the kinds without an API group, only a ReplicationController can be scaled. */
function targetErrors(target: Fields, at: string): FieldError[] {
  const [apiVersion, kind, name] = [target["apiVersion"], target["kind"], target["name"]].map(textOf);
  const parts = apiVersion!.split("/");
  const segments = Object.entries({ kind, name }).flatMap(([field, value]) =>
    value ? pathSegmentErrors(`${at}.${field}`, value) : [],
  );
  if (parts.length > 2)
    return [...segments, invalid(`${at}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  if (parts.length === 2 || kind === "ReplicationController") return segments;
  return [...segments, invalid(`${at}.apiVersion`, apiVersion, "apiVersion must specify API group")];
}
