import { type Fields, childIf } from "../../../apimachinery/fields.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../../../apimachinery/field-error.ts";
import { amountErrors, excessErrors, negativeErrors, percentOf } from "../rules/value-errors.ts";

/** The value of a strategy of an unknown type, as a real server shows it. */
function shown({ type }: Fields): object {
  return { Type: type, RollingUpdate: null };
}

/** Returns the errors in the strategy of a Deployment. */
export function deploymentStrategyErrors(spec: Fields): FieldError[] {
  const at = "spec.strategy";
  const strategy = childIf(spec, "strategy") ?? {};
  const rolling = childIf(strategy, "rollingUpdate");
  if (strategy["type"] === "Recreate")
    return rolling ? [forbidden(`${at}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")] : [];
  if (strategy["type"] !== "RollingUpdate") return [notSupported(at, shown(strategy), ["Recreate", "RollingUpdate"])];
  const { maxUnavailable, maxSurge } = rolling ?? {};
  const field = `${at}.rollingUpdate.maxUnavailable`;
  return [
    ...amountErrors(field, maxUnavailable),
    ...amountErrors(`${at}.rollingUpdate.maxSurge`, maxSurge),
    ...(isZero(maxUnavailable) && isZero(maxSurge)
      ? [invalid(field, maxUnavailable, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...excessErrors(field, maxUnavailable),
  ];
}

/** Returns the errors in the strategy of a DaemonSet. */
export function daemonSetStrategyErrors(spec: Fields): FieldError[] {
  const at = "spec.updateStrategy";
  const strategy = childIf(spec, "updateStrategy") ?? {};
  if (strategy["type"] === "OnDelete") return [];
  if (strategy["type"] !== "RollingUpdate") return [notSupported(at, shown(strategy), ["RollingUpdate", "OnDelete"])];
  const { maxUnavailable, maxSurge } = childIf(strategy, "rollingUpdate") ?? {};
  const fields = Object.entries({ maxUnavailable, maxSurge });
  const field = (name: string): string => `${at}.rollingUpdate.${name}`;
  return [
    ...fields.flatMap(([name, value]) => [...amountErrors(field(name), value), ...excessErrors(field(name), value)]),
    ...(!isZero(maxUnavailable) && !isZero(maxSurge)
      ? [invalid(field("maxSurge"), maxSurge, "may not be set when maxUnavailable is non-zero")]
      : []),
    ...(isZero(maxUnavailable) && isZero(maxSurge)
      ? [required(field("maxUnavailable"), "cannot be 0 when maxSurge is 0")]
      : []),
  ];
}

/** Returns the errors in the strategy of a StatefulSet. */
export function statefulSetStrategyErrors(spec: Fields): FieldError[] {
  const at = "spec.updateStrategy";
  const strategy = childIf(spec, "updateStrategy") ?? {};
  const rolling = childIf(strategy, "rollingUpdate");
  if (strategy["type"] === "RollingUpdate") return negativeErrors(rolling ?? {}, `${at}.rollingUpdate`, ["partition"]);
  if (strategy["type"] !== "OnDelete") return [invalid(at, shown(strategy), "must be 'RollingUpdate' or 'OnDelete'")];
  if (!rolling) return [];
  const { partition = 0, maxUnavailable = null } = rolling;
  const value = { Partition: partition, MaxUnavailable: maxUnavailable };
  return [invalid(`${at}.rollingUpdate`, value, "only allowed for updateStrategy 'RollingUpdate'")];
}

/** Reports whether a number or percentage of pods is 0; one that cannot be read counts as 0. */
function isZero(amount: unknown = 0): boolean {
  return amount === 0 || (typeof amount === "string" && percentOf(amount) === 0);
}
