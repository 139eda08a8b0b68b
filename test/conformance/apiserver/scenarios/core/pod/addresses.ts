import { addresses } from "../../../addresses.ts";
import { type RequestStep, type Scenarios } from "../../../scenario.ts";
import { core, dry } from "../../../steps.ts";

const container = { name: "c", image: "i" };
const pod = (spec: object): RequestStep => dry(`${core}/pods`, { spec: { containers: [container], ...spec } });

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
};
