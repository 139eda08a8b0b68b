import { fill, items } from "../../../apimachinery/fields.ts";
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
  printer: printer("Endpoints|Age", (object, now) => {
    const all = listAt(object, "subsets").flatMap((subset) => {
      const ips = listAt(subset, "addresses").map((address) => textAt(address, "ip"));
      const ports = listAt(subset, "ports").map((port) => numberAt(port, "port"));
      return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => hostPort(ip, port)));
    });
    return [firstThree(all) || "<none>", creationAge(object, now)];
  }),
};

function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}
