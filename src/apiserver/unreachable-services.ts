import { childIf, items, textOf } from "../apimachinery/fields.ts";
import type { ServiceResolver } from "./call-webhook.ts";
import type { Store } from "./storage/store.ts";

/** Returns a resolver for a server that reaches no service: it says what a real server would say of each. */
export function unreachableServices(store: Store): ServiceResolver {
  const services = store.collection({ group: "", plural: "services" });
  return ({ namespace, name, port = 443 }) => {
    const spec = childIf(services.get(`${namespace}/${name}`), "spec");
    if (!spec) return { problem: `service "${name}" not found` };
    if (!items(spec, "ports").some((each) => each["port"] === port))
      return { problem: `no service port ${port} found for service "${name}"` };
    const address = textOf(spec["clusterIP"]);
    if (address === "None") return { problem: `dial tcp: lookup ${name}.${namespace}.svc: no such host` };
    return { problem: `dial tcp ${address}:${port}: connect: connection refused` };
  };
}
