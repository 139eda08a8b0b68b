import { type Fields, child, fill, items, textOf } from "../../../apimachinery/fields.ts";
import { contains } from "../../../apimachinery/ip-address.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { valueAt } from "../printing/field-access.ts";
import { labelSelectorText, printer } from "../printing/printer.ts";
import { rangeErrors, readRange } from "../rules/address-errors.ts";
import { anyText, maximum, maxItems, minimum, must, type Rows, text } from "../rules/field-rules.ts";
import { desiredSpec, kindRules } from "../rules/immutable.ts";
import { selectorRules } from "../rules/label-selector-errors.ts";
import { portErrors } from "../rules/name-errors.ts";

/** The rules of the other end of a connection. */
const peer: Rows = {
  ".": must(
    ({ ipBlock, podSelector, namespaceSelector }: Fields) => !ipBlock !== !(podSelector ?? namespaceSelector),
    "must specify either `ipBlock` or selectors",
  ),
  "(podSelector|namespaceSelector)": selectorRules,
  "ipBlock.cidr": text(rangeErrors),
  "ipBlock.except[]": [must(isInside, "must be a strict subset of `cidr`"), anyText(rangeErrors)],
};

/** NetworkPolicy. */
export const networkPolicy: BuiltinKind = {
  generationOf: desiredSpec,
  applyDefaults(policy) {
    const spec = child(policy, "spec");
    const rules = [...items(spec, "ingress"), ...items(spec, "egress")];
    for (const rule of rules) for (const port of items(rule, "ports")) fill(port, { protocol: "TCP" });
    fill(spec, { policyTypes: items(spec, "egress").length ? ["Ingress", "Egress"] : ["Ingress"] });
  },
  validate: kindRules({
    spec: {
      podSelector: selectorRules,
      "(ingress|egress)[].ports[]": {
        port: portErrors,
        endPort: [
          must((end: number, { port }) => typeof port === "number" && port <= end, "must not be less than `port`"),
          minimum(1),
          maximum(65_535),
        ],
      },
      "ingress[].from[]": peer,
      "egress[].to[]": peer,
      policyTypes: maxItems(2),
    },
  }),
  printer: printer("Pod-Selector|Age", (object) => [labelSelectorText(valueAt(object, "spec", "podSelector"))]),
};

/** Reports whether a range lies in another one, and is smaller; ranges that cannot be read have errors of their own. */
function isInside(part: string, { cidr }: Fields): boolean {
  const [inner, outer] = [readRange(part), readRange(textOf(cidr))];
  return !inner || !outer || (inner.length > outer.length && contains(outer, inner.address));
}
