import { equalJson } from "../../../apimachinery/equal.ts";
import { defaultRoleBinding } from "../defaults/policy-defaults.ts";
import type { Strategy } from "../strategy.ts";

/** The role of a binding can't change: that would give its subjects other rights behind their back. */
export const roleBindingStrategy: Strategy = {
  unconditionalUpdate: true,
  nameRule: "path",
  applyDefaults: defaultRoleBinding,
  validate(binding, old) {
    if (!old || equalJson(binding["roleRef"], old["roleRef"])) return [];
    const { apiGroup, kind, name } = (binding["roleRef"] ?? {}) as Record<string, string>;
    // As Go names the fields of its internal type.
    const shown = JSON.stringify({ APIGroup: apiGroup, Kind: kind, Name: name });
    return [
      { reason: "FieldValueInvalid", message: `Invalid value: ${shown}: cannot change roleRef`, field: "roleRef" },
    ];
  },
};
