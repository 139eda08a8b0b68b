import { addresses, change } from "../../../addresses.ts";
import { merge, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { core, dry, refusal } from "../../../steps.ts";
import { PATCH, POST } from "../../../requests.ts";

const container = { name: "c", image: "i" };
const pod = (spec: object): RequestStep => dry(`${core}/pods`, { spec: { containers: [container], ...spec } });

/** The addresses of a pod, which recordings would not show. */
const podAddresses = ({ status: { podIP, podIPs } }: any): string[] =>
  [podIP, ...podIPs.map(({ ip }: any) => ip)].map((ip) => ip.replaceAll(".", "-"));

export const scenarios: Scenarios = {
  "addresses-pods": [
    ...addresses.map((ip) => pod({ hostAliases: [{ ip, hostnames: ["a"] }] })),
    ...addresses.map((server) => pod({ dnsConfig: { nameservers: [server] } })),
    ...addresses.map((hostIP) =>
      pod({ containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 80, hostIP }] }] }),
    ),
    ...addresses.map((hostIP) => pod({ containers: [{ ...container, ports: [{ containerPort: 80, hostIP }] }] })),
    dry("/apis/apps/v1/namespaces/{ns}/deployments", {
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { containers: [container], hostAliases: [{ ip: "::ffff:10.0.0.3" }, { ip: "2001:DB8::1" }] },
        },
      },
    }),
  ],
  "addresses-written-twice": [
    POST(`${core}/pods`, { metadata: { name: "p" }, spec: { containers: [container] } }, { pick: refusal }),
    PATCH(`${core}/pods/p/status`, merge, { status: { podIP: "10.0.0.3" } }, { pick: podAddresses }),
    ...[{ podIP: "10.0.0.4" }, { podIPs: [{ ip: "10.0.0.4" }] }, { podIP: null }].map((status) => ({
      ...change(`${core}/pods/p/status`, { status }),
      pick: podAddresses,
    })),
  ],
};
