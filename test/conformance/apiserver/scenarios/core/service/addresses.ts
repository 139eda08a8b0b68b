import { addresses, change, ranges, special } from "../../../addresses.ts";
import type { RequestStep, Scenarios } from "../../../scenario.ts";
import { core, dry, refusal } from "../../../steps.ts";
import { POST } from "../../../requests.ts";

const service = (spec: object): RequestStep => dry(`${core}/services`, { spec: { ports: [{ port: 80 }], ...spec } });

export const scenarios: Scenarios = {
  "addresses-services": [
    // Clusters differ in the range of these addresses.
    ...addresses.slice(1).map((clusterIP) => service({ clusterIP })),
    ...addresses.map((externalIP) => service({ externalIPs: [externalIP] })),
    ...addresses.map((loadBalancerIP) => service({ type: "LoadBalancer", loadBalancerIP })),
    ...ranges.map((range) => service({ type: "LoadBalancer", loadBalancerSourceRanges: [range] })),
    service({ loadBalancerSourceRanges: ["10.0.0.0/8"] }),
    ...special.map((externalIP) => service({ externalIPs: [externalIP] })),
    service({ clusterIP: "None", externalIPs: ["2001:DB8::1"] }),
    service({ type: "ExternalName", externalName: "a.b", externalIPs: ["2001:DB8::1", "010.0.0.3"] }),
    service({ clusterIPs: ["010.0.0.3"] }),
    service({
      clusterIP: "10.0.0.3",
      clusterIPs: ["10.0.0.3", "::ffff:10.0.0.3"],
      ipFamilyPolicy: "PreferDualStack",
    }),
    POST(
      `${core}/services`,
      { metadata: { name: "s" }, spec: { ports: [{ port: 80 }], externalIPs: ["2001:DB8::1"] } },
      { pick: refusal },
    ),
    change(`${core}/services/s`, { metadata: { labels: { a: "b" } } }),
    change(`${core}/services/s`, { spec: { sessionAffinity: "ClientIP" } }),
    change(`${core}/services/s`, { spec: { externalIPs: ["2001:DB8::2", "::ffff:10.0.0.3"] } }),
  ],
};
