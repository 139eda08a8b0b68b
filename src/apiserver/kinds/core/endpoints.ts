import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, fill, items, textOf } from "../../../apimachinery/fields.ts";
import { invalid, required, type FieldError } from "../../../apimachinery/field-error.ts";
import { addressErrors, reachErrors } from "../rules/address-errors.ts";
import { readAddress } from "../rules/read-address.ts";
import { dnsLabelErrors, portNumberErrors } from "../rules/name-errors.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, numberAt, textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { firstThree, printer } from "../printing/printer.ts";

/** Endpoints. */
export const endpoints: BuiltinKind = {
  unconditionalUpdate: true,
  createsOnUpdate: true,
  deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  applyDefaults(endpoints) {
    for (const subset of items(endpoints, "subsets"))
      for (const port of items(subset, "ports")) fill(port, { protocol: "TCP" });
  },
  validate(endpoints, old) {
    const isChanged = !equalJson(endpoints["subsets"], old?.["subsets"]);
    return items(endpoints, "subsets").flatMap((subset, index) => subsetErrors(subset, `subsets[${index}]`, isChanged));
  },
  printer: printer("Endpoints|Age", (object, now) => {
    const all = listAt(object, "subsets").flatMap((subset) => {
      const ips = listAt(subset, "addresses").map((address) => textAt(address, "ip"));
      const ports = listAt(subset, "ports").map((port) => numberAt(port, "port"));
      return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => hostPort(ip, port)));
    });
    return [firstThree(all) || "<none>", creationAge(object, now)];
  }),
};

function subsetErrors(subset: Fields, at: string, isChanged: boolean): FieldError[] {
  const [ports, addresses] = [items(subset, "ports"), addressesOf(subset, at)];
  return [
    ...(addresses.length > 0 ? [] : [required(at, "must specify `addresses` or `notReadyAddresses`")]),
    ...addresses.flatMap(([field, ip]) => ipErrors(ip, field, isChanged)),
    ...ports.flatMap(({ name, port }, index) => [
      ...(name || ports.length === 1 ? [] : [required(`${at}.ports[${index}].name`)]),
      ...(name ? dnsLabelErrors(`${at}.ports[${index}].name`, textOf(name)) : []),
      ...portNumberErrors(`${at}.ports[${index}].port`, port ?? 0),
    ]),
  ];
}

/** Returns the addresses of a subset with the names of their fields. */
function addressesOf(subset: Fields, at: string): (readonly [string, string])[] {
  return ["addresses", "notReadyAddresses"].flatMap((list) =>
    items(subset, list).map(({ ip }, index) => [`${at}.${list}[${index}].ip`, textOf(ip)] as const),
  );
}

/** Checks an address; a text that is not an address has two errors, as on a real server. */
function ipErrors(ip: string, field: string, isChanged: boolean): FieldError[] {
  return [
    ...(readAddress(ip) ? reachErrors(field, ip) : [invalid(field, ip, "must be a valid IP address")]),
    // Addresses that were stored before may be written in a form that is refused now.
    ...addressErrors(field, ip, isChanged ? [] : [ip]),
  ];
}

function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}
