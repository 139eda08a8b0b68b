import { isIP } from "node:net";
import { child, fill, items, textOf, type Fields } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid, required, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { addressErrors } from "../rules/address-errors.ts";
import { immutable } from "../rules/immutable.ts";
import { dnsLabelErrors, dnsSubdomainErrors } from "../rules/name-errors.ts";
import { wordErrors } from "../rules/value-errors.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, textAt, textsAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { firstThree, printer } from "../printing/printer.ts";

/** EndpointSlice. */
export const endpointSlice: BuiltinKind = {
  unconditionalUpdate: true,
  generationOf: ({ metadata: _metadata, ...content }) => content,
  validate: (slice, old) => [...sliceErrors(slice), ...immutable(slice, old, ["addressType"])],
  warn: ({ addressType }) => (addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : []),
  applyDefaults(slice) {
    for (const port of items(slice, "ports")) fill(port, { name: "", protocol: "TCP" });
    for (const endpoint of items(slice, "endpoints")) child(endpoint, "conditions");
    // Go always writes both.
    for (const list of ["endpoints", "ports"]) if (slice[list] === undefined) slice[list] = null;
  },
  printer: printer("AddressType|Ports|Endpoints|Age", (object, now) => [
    textAt(object, "addressType"),
    firstThree(listAt(object, "ports").map((port) => textAt(port, "port") || textAt(port, "name") || "*")) || "<unset>",
    firstThree(listAt(object, "endpoints").flatMap((endpoint) => textsAt(endpoint, "addresses"))) || "<unset>",
    creationAge(object, now),
  ]),
};

const families = ["FQDN", "IPv4", "IPv6"];

function sliceErrors(slice: UnstructuredObject): FieldError[] {
  const { addressType: family } = slice;
  const ports = items(slice, "ports").flatMap(({ name }, index) =>
    name ? dnsLabelErrors(`ports[${index}].name`, textOf(name)) : [],
  );
  return [
    ...(family ? wordErrors("addressType", family, families) : [required("addressType")]),
    ...items(slice, "endpoints").flatMap((endpoint, index) =>
      endpointErrors(endpoint, `endpoints[${index}].addresses`, family),
    ),
    ...ports,
  ];
}

function endpointErrors({ addresses }: Fields, at: string, family: unknown): FieldError[] {
  if (!Array.isArray(addresses) || addresses.length === 0) return [required(at, "must contain at least 1 address")];
  return addresses.flatMap((each, index) => {
    const [field, address] = [`${at}[${index}]`, textOf(each)];
    if (family === "FQDN") return dnsSubdomainErrors(field, address);
    if (family !== "IPv4" && family !== "IPv6") return [];
    const isOther = isIP(address) !== 0 && `IPv${isIP(address)}` !== family;
    return [
      ...(isOther ? [invalid(at, address, `must be an ${family} address`)] : []),
      ...addressErrors(field, address),
    ];
  });
}
