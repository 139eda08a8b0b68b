import { BlockList, isIP } from "node:net";
import { type Fields, child, childIf, fill, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/schema/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { labelSelectorText } from "../printing/label-text.ts";
import { printer } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { labelSelectorErrors } from "../rules/label-selector-errors.ts";
import { portNameErrors, portNumberErrors } from "../rules/name-errors.ts";

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
      : types.flatMap((type, index) =>
          knownTypes.includes(type) ? [] : [notSupported(`spec.policyTypes[${index}]`, type, knownTypes)],
        )),
  ];
}

function portErrors({ port, endPort, protocol }: Fields, at: string): FieldError[] {
  const errors: FieldError[] =
    typeof port === "string" ? portNameErrors(`${at}.port`, port) : portNumberErrors(`${at}.port`, port);
  const known = ["TCP", "UDP", "SCTP"];
  if (typeof protocol === "string" && !known.includes(protocol))
    errors.unshift(notSupported(`${at}.protocol`, protocol, known));
  if (endPort === undefined) return errors;
  const refuse = (why: string): FieldError => invalid(`${at}.endPort`, endPort, why);
  if (port === undefined) return [...errors, refuse("may not be specified when `port` is not specified")];
  if (typeof port === "string") return [...errors, refuse("may not be specified when `port` is non-numeric")];
  if (Number(endPort) < Number(port)) errors.push(refuse("must be greater than or equal to `port`"));
  return [...errors, ...portNumberErrors(`${at}.endPort`, endPort)];
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

const cidrText = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

function blockErrors(block: Fields, at: string): FieldError[] {
  const { cidr = "", except = [] } = block as { cidr?: string; except?: string[] };
  // That there is none is known from the schema.
  if (cidr === "") return [];
  const outer = parseCidr(cidr);
  if (!outer) return [invalid(`${at}.cidr`, cidr, cidrText)];
  const inside = new BlockList();
  inside.addSubnet(outer.address, outer.length, outer.family);
  return except.flatMap((text, index) => {
    const field = `${at}.except[${index}]`;
    const inner = parseCidr(text);
    if (!inner) return [invalid(field, text, cidrText)];
    const isSubset = inner.length > outer.length && inside.check(inner.address, inner.family);
    return isSubset ? [] : [invalid(field, text, "must be a strict subset of `cidr`")];
  });
}

function parseCidr(text: string): { address: string; length: number; family: "ipv4" | "ipv6" } | undefined {
  const [, address = "", digits = ""] = /^([^/]*)\/(\d{1,3})$/.exec(text) ?? [];
  const [version, length] = [isIP(address), Number(digits)];
  if (version === 0 || length > (version === 4 ? 32 : 128)) return undefined;
  return { address, length, family: version === 4 ? "ipv4" : "ipv6" };
}
