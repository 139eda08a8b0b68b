import { isIP } from "node:net";
import { type Fields, fill, items, textOf } from "../../../apimachinery/fields.ts";
import { invalid, required, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { addressErrors } from "../rules/address-errors.ts";
import { dnsLabelErrors, portNumberErrors } from "../rules/name-errors.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, numberAt, textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { firstThree, printer } from "../printing/printer.ts";

/** Endpoints. */
export const endpoints: BuiltinKind = {
  unconditionalUpdate: true,
  createsOnUpdate: true,
  checksUpdateAsNew: true,
  deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  applyDefaults(endpoints) {
    for (const subset of items(endpoints, "subsets"))
      for (const port of items(subset, "ports")) fill(port, { protocol: "TCP" });
  },
  validate: (endpoints) =>
    items(endpoints, "subsets").flatMap((subset, index) => subsetErrors(subset, `subsets[${index}]`)),
  printer: printer("Endpoints|Age", (object, now) => {
    const all = listAt(object, "subsets").flatMap((subset) => {
      const ips = listAt(subset, "addresses").map((address) => textAt(address, "ip"));
      const ports = listAt(subset, "ports").map((port) => numberAt(port, "port"));
      return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => hostPort(ip, port)));
    });
    return [firstThree(all) || "<none>", creationAge(object, now)];
  }),
};

function subsetErrors(subset: Fields, at: string): FieldError[] {
  const lists = ["addresses", "notReadyAddresses"];
  const [ports, hasSome] = [items(subset, "ports"), lists.some((list) => items(subset, list).length > 0)];
  return [
    ...(hasSome ? [] : [required(at, "must specify `addresses` or `notReadyAddresses`")]),
    ...lists.flatMap((list) =>
      items(subset, list).flatMap(({ ip }, index) => ipErrors(textOf(ip ?? ""), `${at}.${list}[${index}].ip`)),
    ),
    ...ports.flatMap(({ name, port }, index) => [
      ...(name || ports.length === 1 ? [] : [required(`${at}.ports[${index}].name`)]),
      ...(name ? dnsLabelErrors(`${at}.ports[${index}].name`, textOf(name)) : []),
      ...portNumberErrors(`${at}.ports[${index}].port`, port ?? 0),
    ]),
  ];
}

/** Checks an address; one that is none has two errors, as on a real server. */
function ipErrors(ip: string, field: string): FieldError[] {
  return [...(isIP(ip) ? [] : [invalid(field, ip, "must be a valid IP address")]), ...addressErrors(field, ip)];
}

function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}
