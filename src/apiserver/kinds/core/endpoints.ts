import { type Fields, fill, items } from "../../../apimachinery/fields.ts";
import { required as missing } from "../../../apimachinery/field-error.ts";
import { targetErrors } from "../rules/address-errors.ts";
import { type FieldRule, format, ifParent, maximum, minimum, must, text } from "../rules/field-rules.ts";
import { kindRules } from "../rules/immutable.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, numberAt, textAt } from "../printing/field-access.ts";
import { firstThree, printer } from "../printing/printer.ts";

/** Requires names for the ports of a subset with several. */
const portNames: FieldRule = (ports, at) =>
  (ports as Fields[]).flatMap(({ name }, index) => (name ? [] : [missing(`${at}[${index}].name`)]));

/** Endpoints. */
export const endpoints: BuiltinKind = {
  createsOnUpdate: true,
  deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  applyDefaults(endpoints) {
    for (const subset of items(endpoints, "subsets"))
      for (const port of items(subset, "ports")) fill(port, { protocol: "TCP" });
  },
  validate: kindRules({
    "subsets[]": {
      ".": must(
        (subset: Fields) => [...items(subset, "addresses"), ...items(subset, "notReadyAddresses")].length > 0,
        "must specify `addresses` or `notReadyAddresses`",
      ),
      "(addresses|notReadyAddresses)[].ip": text(targetErrors),
      ports: ifParent((subset) => items(subset, "ports").length > 1, portNames),
      "ports[].name": format("k8s-short-name"),
      "ports[].port": [minimum(1), maximum(65_535)],
    },
  }),
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
