import { defaultService } from "../defaults/network-defaults.ts";
import { items, type Fields, textOf } from "../../../apimachinery/fields.ts";
import { allocate } from "../service-addresses.ts";
import { serviceErrors } from "../rules/service-errors.ts";
import type { Strategy } from "../strategy.ts";

/** Services get their cluster IP and node ports from the server. */
export const serviceStrategy: Strategy = {
  unconditionalUpdate: true,
  createsOnUpdate: true,
  returnsDeleted: true,
  nameRule: "label",
  applyDefaults: defaultService,
  prepareCreate(service, context) {
    service["status"] = { loadBalancer: {} };
    allocate(service, undefined, context);
  },
  prepareUpdate(service, old, context) {
    const [spec, oldSpec] = [service["spec"] as Fields, old["spec"] as Fields];
    keepAddresses(spec, oldSpec);
    keepNodePorts(spec, oldSpec);
    allocate(service, old, context);
  },
  validate: serviceErrors,
  warn({ spec }) {
    const { type, externalName, clusterIP, externalIPs = [] } = (spec ?? {}) as { externalIPs?: string[] } & Fields;
    const warnings: string[] = [];
    if (externalIPs.length > 0)
      warnings.push(
        clusterIP === "None"
          ? "spec.externalIPs is ignored for headless services"
          : "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
      );
    if (externalName && type !== "ExternalName")
      warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
    return warnings;
  },
};

const addressFields = ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"];

/** A client that does not know the addresses keeps them; a name outside of the cluster has none. */
function keepAddresses(spec: Fields, oldSpec: Fields): void {
  if (spec["type"] !== "ExternalName") {
    if (spec["clusterIP"] === "") delete spec["clusterIP"];
    for (const field of addressFields)
      if (spec[field] === undefined && oldSpec[field] !== undefined) spec[field] = oldSpec[field];
    return;
  }
  if (oldSpec["type"] === "ExternalName") return;
  // What was given to it before is taken back, unless the client has changed it.
  for (const field of [...addressFields, "internalTrafficPolicy"])
    if (JSON.stringify(spec[field]) === JSON.stringify(oldSpec[field])) delete spec[field];
}

function keepNodePorts(spec: Fields, oldSpec: Fields): void {
  const isNodePort = spec["type"] === "NodePort" || spec["type"] === "LoadBalancer";
  const key = (port: Fields): string => `${textOf(port["protocol"])}/${JSON.stringify(port["port"])}`;
  const known = new Map(items(oldSpec, "ports").map((port) => [key(port), port["nodePort"]]));
  const wasNodePort = oldSpec["type"] === "NodePort" || oldSpec["type"] === "LoadBalancer";
  for (const port of items(spec, "ports")) {
    const old = known.get(key(port));
    if (old === undefined) continue;
    if (isNodePort) port["nodePort"] ??= old;
    else if (wasNodePort && port["nodePort"] === old) delete port["nodePort"];
  }
  if (wasNodePort && !isNodePort && spec["externalTrafficPolicy"] === oldSpec["externalTrafficPolicy"])
    delete spec["externalTrafficPolicy"];
}
