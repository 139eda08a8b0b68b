import { equalJson } from "../../../apimachinery/equal.ts";
import { child, fill, items, textOf, type Fields } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid, required, tooMany, type FieldError } from "../../../apimachinery/field-error.ts";
import { addressErrors, canonicalAddressErrors, reachErrors } from "../rules/address-errors.ts";
import { immutable } from "../rules/immutable.ts";
import { listErrors } from "../rules/list-errors.ts";
import { dnsLabelErrors, dnsSubdomainErrors } from "../rules/name-errors.ts";
import { readAddress } from "../rules/read-address.ts";
import { wordErrors } from "../rules/value-errors.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, textAt, textsAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { firstThree, printer } from "../printing/printer.ts";

/** EndpointSlice. */
export const endpointSlice: BuiltinKind = {
  unconditionalUpdate: true,
  generationOf: ({ metadata: _metadata, ...content }) => content,
  validate: (slice, old) => [...sliceErrors(slice, old), ...immutable(slice, old, ["addressType"])],
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

const mostEndpoints = 1000;
const mostAddresses = 100;
const families = ["FQDN", "IPv4", "IPv6"];

function sliceErrors(slice: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const { addressType } = slice;
  // Addresses that were stored before may be written in a form that is refused now.
  const isChanged = !equalJson(slice["endpoints"], old?.["endpoints"]);
  const ports = items(slice, "ports").flatMap(({ name }, index) =>
    name ? dnsLabelErrors(`ports[${index}].name`, textOf(name)) : [],
  );
  return [
    ...(addressType ? wordErrors("addressType", addressType, families) : [required("addressType")]),
    ...listErrors(items(slice, "endpoints"), "endpoints", {
      most: mostEndpoints,
      itemErrors: (endpoint, at) => endpointErrors(endpoint, `${at}.addresses`, { addressType, isChanged }),
    }),
    ...ports,
  ];
}

interface Expected {
  readonly addressType: unknown;
  readonly isChanged: boolean;
}

function endpointErrors({ addresses }: Fields, at: string, { addressType, isChanged }: Expected): FieldError[] {
  if (!Array.isArray(addresses) || addresses.length === 0) return [required(at, "must contain at least 1 address")];
  const count = addresses.length > mostAddresses ? [tooMany(at, addresses.length, mostAddresses)] : [];
  const each = addresses.flatMap((value, index) => {
    const [field, address] = [`${at}[${index}]`, textOf(value)];
    if (addressType === "FQDN") return dnsSubdomainErrors(field, address);
    if (addressType !== "IPv4" && addressType !== "IPv6") return [];
    const isOther = `IPv${readAddress(address)?.family}` !== addressType;
    const check = addressType === "IPv6" && !isOther ? canonicalAddressErrors : addressErrors;
    const errors = isChanged ? check(field, address) : [];
    if (errors.length > 0) return errors;
    return [
      ...(isOther ? [invalid(at, address, `must be an ${addressType} address`)] : []),
      ...reachErrors(field, address),
    ];
  });
  return [...count, ...each];
}
