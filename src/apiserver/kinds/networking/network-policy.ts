import { isIP } from "node:net";
import { type Fields, child, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/schema/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { labelSelectorText } from "../printing/label-text.ts";
import { printer } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { labelSelectorErrors } from "../rules/label-selector-errors.ts";
import { portNameErrors, portNumberErrors } from "../rules/name-errors.ts";
import { wordErrors } from "../rules/value-errors.ts";

/** NetworkPolicy. */
export const networkPolicy: BuiltinKind = {
  unconditionalUpdate: true,
  generationOf: desiredSpec,
  applyDefaults(policy) {
    const spec = child(policy, "spec");
    const rules = [...items(spec, "ingress"), ...items(spec, "egress")];
    for (const rule of rules) for (const port of items(rule, "ports")) fill(port, { protocol: "TCP" });
    fill(spec, { policyTypes: items(spec, "egress").length ? ["Ingress", "Egress"] : ["Ingress"] });
  },
  validate: policyErrors,
  printer: printer("Pod-Selector|Age", (object, now) => [
    labelSelectorText(valueAt(object, "spec", "podSelector")),
    creationAge(object, now),
  ]),
};

const knownTypes = ["Egress", "Ingress"];

function policyErrors(policy: UnstructuredObject): FieldError[] {
  const spec = childIf(policy, "spec") ?? {};
  const types = (spec["policyTypes"] ?? []) as string[];
  const ruleErrors = (direction: "ingress" | "egress", peers: string): FieldError[] =>
    items(spec, direction).flatMap((rule, index) => {
      const at = `spec.${direction}[${index}]`;
      return [
        ...items(rule, "ports").flatMap((port, number) => portErrors(port, `${at}.ports[${number}]`)),
        ...items(rule, peers).flatMap((peer, number) => peerErrors(peer, `${at}.${peers}[${number}]`)),
      ];
    });
  return [
    ...labelSelectorErrors(childIf(spec, "podSelector"), "spec.podSelector"),
    ...ruleErrors("ingress", "from"),
    ...ruleErrors("egress", "to"),
    ...(types.length > 2
      ? [invalid("spec.policyTypes", types, "may not specify more than two policyTypes")]
      : types.flatMap((type, index) => wordErrors(`spec.policyTypes[${index}]`, type, knownTypes))),
  ];
}

function portErrors({ port }: Fields, at: string): FieldError[] {
  return typeof port === "string" ? portNameErrors(`${at}.port`, port) : portNumberErrors(`${at}.port`, port);
}

function peerErrors(peer: Fields, at: string): FieldError[] {
  const [pods, namespaces, block] = ["podSelector", "namespaceSelector", "ipBlock"].map((name) => childIf(peer, name));
  return [
    ...labelSelectorErrors(pods, `${at}.podSelector`),
    ...labelSelectorErrors(namespaces, `${at}.namespaceSelector`),
    ...(block ? blockErrors(block, `${at}.ipBlock`) : []),
    ...(block && (pods ?? namespaces) ? [forbidden(at, "may not specify both ipBlock and another peer")] : []),
    ...(block || pods || namespaces ? [] : [required(at, "must specify a peer")]),
  ];
}

function blockErrors({ cidr }: Fields, at: string): FieldError[] {
  const [, address = "", digits = ""] = /^([^/]*)\/(\d{1,3})$/.exec(textOf(cidr)) ?? [];
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  // The schema reports a missing range.
  if (!cidr || Number(digits) <= bits) return [];
  return [invalid(`${at}.cidr`, cidr, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
}
