import { type Fields, fill, items, child } from "../../../apimachinery/fields.ts";
import { targetErrors, canonicalAddressErrors, readAddress } from "../rules/address-errors.ts";
import { format, ifParent, must, anyText, maxItems } from "../rules/field-rules.ts";
import { kindRules } from "../rules/immutable.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, numberAt, textAt, textsAt } from "../printing/field-access.ts";
import { firstThree, printer } from "../printing/printer.ts";

/** Endpoints. */
export const endpoints: BuiltinKind = {
  createsOnUpdate: true,
  applyDefaults(endpoints) {
    for (const subset of items(endpoints, "subsets"))
      for (const port of items(subset, "ports")) fill(port, { protocol: "TCP" });
  },
  printer: printer("Endpoints|Age", (object) => {
    const all = listAt(object, "subsets").flatMap((subset) => {
      const ips = listAt(subset, "addresses").map((address) => textAt(address, "ip"));
      const ports = listAt(subset, "ports").map((port) => numberAt(port, "port"));
      return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => hostPort(ip, port)));
    });
    return [firstThree(all) || "<none>"];
  }),
};

function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** EndpointSlice. */
export const endpointSlice: BuiltinKind = {
  generationOf: ({ metadata: _metadata, ...content }) => content,
  validate: kindRules({
    endpoints: maxItems(1000),
    "endpoints[].addresses": must(areOfType, "must be of the `addressType`"),
    "endpoints[].addresses[]": [
      ifParent((_endpoint, { addressType }) => addressType === "IPv4" || addressType === "IPv6", anyText(targetErrors)),
      ifParent((_endpoint, { addressType }) => addressType === "IPv6", anyText(canonicalAddressErrors)),
    ],
    "ports[].name": format("k8s-short-name"),
  }),
  applyDefaults(slice) {
    for (const port of items(slice, "ports")) fill(port, { name: "", protocol: "TCP" });
    for (const endpoint of items(slice, "endpoints")) child(endpoint, "conditions");
    // Go always writes both.
    for (const list of ["endpoints", "ports"]) if (slice[list] === undefined) slice[list] = null;
  },
  printer: printer("AddressType|Ports|Endpoints|Age", (object) => [
    textAt(object, "addressType"),
    firstThree(listAt(object, "ports").map((port) => textAt(port, "port") || textAt(port, "name") || "*")) || "<unset>",
    firstThree(listAt(object, "endpoints").flatMap((endpoint) => textsAt(endpoint, "addresses"))) || "<unset>",
  ]),
};

/** Reports whether addresses are of the type of their slice; those that are wrong have errors of their own. */
function areOfType(addresses: string[], _endpoint: Fields, { addressType }: Fields): boolean {
  const read = addresses.flatMap((address) => readAddress(address) ?? []);
  return addressType === "FQDN" || read.every(({ family }) => `IPv${family}` === addressType);
}
