import { type Fields, child, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { labelSelectorText } from "../printing/label-text.ts";
import { printer } from "../printing/printer.ts";
import { contains } from "../../../apimachinery/ip-address.ts";
import { rangeErrors } from "../rules/address-errors.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { labelSelectorErrors } from "../rules/label-selector-errors.ts";
import { portNameErrors, portNumberErrors } from "../rules/name-errors.ts";
import { readRange } from "../rules/read-address.ts";
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

function policyErrors(policy: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const spec = childIf(policy, "spec") ?? {};
  const types = (spec["policyTypes"] ?? []) as string[];
  const before = rangesOf(old).map(([, range]) => range);
  const ruleErrors = (direction: "ingress" | "egress", peers: string): FieldError[] =>
    items(spec, direction).flatMap((rule, index) => {
      const at = `spec.${direction}[${index}]`;
      return [
        ...items(rule, "ports").flatMap((port, number) => portErrors(port, `${at}.ports[${number}]`)),
        ...items(rule, peers).flatMap((peer, number) => peerErrors(peer, `${at}.${peers}[${number}]`, before)),
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

function portErrors({ port, endPort }: Fields, at: string): FieldError[] {
  const field = `${at}.endPort`;
  return [
    ...(typeof port === "string" ? portNameErrors(`${at}.port`, port) : portNumberErrors(`${at}.port`, port)),
    ...(endPort === undefined ? [] : endPortErrors({ port, endPort }, field)),
  ];
}

/** A range of ports has two numbers. */
function endPortErrors({ port, endPort }: Fields, field: string): FieldError[] {
  if (port === undefined) return [invalid(field, endPort, "may not be specified when `port` is not specified")];
  if (typeof port === "string") return [invalid(field, endPort, "may not be specified when `port` is non-numeric")];
  return [
    // A real server shows the other number.
    ...(Number(endPort) < Number(port) ? [invalid(field, port, "must be greater than or equal to `port`")] : []),
    ...portNumberErrors(field, endPort),
  ];
}

function peerErrors(peer: Fields, at: string, before: readonly string[]): FieldError[] {
  const [pods, namespaces, block] = ["podSelector", "namespaceSelector", "ipBlock"].map((name) => childIf(peer, name));
  return [
    ...labelSelectorErrors(pods, `${at}.podSelector`),
    ...labelSelectorErrors(namespaces, `${at}.namespaceSelector`),
    ...(block ? blockErrors(block, `${at}.ipBlock`, before) : []),
    ...(block && (pods ?? namespaces) ? [forbidden(at, "may not specify both ipBlock and another peer")] : []),
    ...(block || pods || namespaces ? [] : [required(at, "must specify a peer")]),
  ];
}

function blockErrors({ cidr, except }: Fields, at: string, before: readonly string[]): FieldError[] {
  const range = textOf(cidr);
  return [
    // The schema reports a missing range.
    ...(range === "" ? [] : rangeErrors(`${at}.cidr`, range, before)),
    ...((except ?? []) as string[]).flatMap((part, index) => {
      const field = `${at}.except[${index}]`;
      return [
        ...(isInside(part, range) ? [] : [invalid(field, part, "must be a strict subset of `cidr`")]),
        ...rangeErrors(field, part, before),
      ];
    }),
  ];
}

/** Reports whether a range lies in another one, and is smaller; ranges that cannot be read have errors of their own. */
function isInside(part: string, whole: string): boolean {
  const [inner, outer] = [readRange(part), readRange(whole)];
  return !inner || !outer || (inner.length > outer.length && contains(outer, inner.address));
}

/** Returns the ranges of a policy with the names of their fields. */
function rangesOf(policy: UnstructuredObject | undefined): (readonly [string, string])[] {
  const blocks = [
    ["ingress", "from"],
    ["egress", "to"],
  ].flatMap(([direction = "", peers = ""]) =>
    items(childIf(policy, "spec"), direction).flatMap((rule, index) =>
      items(rule, peers).map((peer, number) => {
        const at = `spec.${direction}[${index}].${peers}[${number}].ipBlock`;
        return [at, childIf(peer, "ipBlock")] as const;
      }),
    ),
  );
  return blocks.flatMap(([at, block]) => [
    [`${at}.cidr`, textOf(block?.["cidr"])] as const,
    ...((block?.["except"] ?? []) as string[]).map((part, index) => [`${at}.except[${index}]`, part] as const),
  ]);
}
