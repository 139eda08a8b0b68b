import type { Fields } from "../../../apimachinery/fields.ts";
import { amount, atMostAll, isZero } from "../rules/amount-rules.ts";
import { type FieldRule, fieldRules, ifParent, minimum, must, type Rows } from "../rules/field-rules.ts";

/** The rule of the type of a strategy, which the error does not name. */
const typeOf = (...types: readonly string[]): FieldRule =>
  must(({ type }: Fields) => types.includes(type as string), `must be of the type ${types.join(" or ")}`);
const isRolling = ({ type }: Fields): boolean => type === "RollingUpdate";
const onlyRolling = must((_rolling, strategy) => isRolling(strategy), "is only for the type RollingUpdate");

const deploymentUpdate = fieldRules({
  maxUnavailable: [
    amount,
    atMostAll,
    must((most, { maxSurge }) => !isZero(most) || !isZero(maxSurge), "may not be 0 when `maxSurge` is 0"),
  ],
  maxSurge: amount,
});

/** The rules of a strategy of a Deployment. */
export const deploymentStrategy: Rows = {
  strategy: typeOf("Recreate", "RollingUpdate"),
  "strategy.rollingUpdate": [
    ifParent(({ type }) => type === "Recreate", onlyRolling),
    ifParent(isRolling, (rolling, at) => deploymentUpdate(rolling as Fields, at)),
  ],
};

const daemonSetUpdate = fieldRules({
  maxUnavailable: [
    amount,
    atMostAll,
    must((most, { maxSurge }) => !isZero(most) || !isZero(maxSurge), "cannot be 0 when maxSurge is 0"),
  ],
  maxSurge: [
    amount,
    atMostAll,
    must((surge, { maxUnavailable: most }) => isZero(surge) || isZero(most), "is only for a maxUnavailable of 0"),
  ],
});

/** The rules of a strategy of a DaemonSet. */
export const daemonSetStrategy: Rows = {
  updateStrategy: typeOf("RollingUpdate", "OnDelete"),
  "updateStrategy.rollingUpdate": ifParent(isRolling, (rolling, at) => daemonSetUpdate(rolling as Fields, at)),
};

/** The rules of a strategy of a StatefulSet. */
export const statefulSetStrategy: Rows = {
  updateStrategy: typeOf("RollingUpdate", "OnDelete"),
  "updateStrategy.rollingUpdate": ifParent(({ type }) => type === "OnDelete", onlyRolling),
  "updateStrategy.rollingUpdate.partition": minimum(0),
};
