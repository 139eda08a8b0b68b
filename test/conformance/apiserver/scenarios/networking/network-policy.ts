import { change, ranges } from "../../addresses.ts";
import type { RequestStep, Scenarios } from "../../scenario.ts";
import { dry, refusal } from "../../steps.ts";
import { POST } from "../../requests.ts";

const policies = "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies";
const tried = (spec: object): RequestStep => dry(policies, { spec: { podSelector: {}, ...spec } });
const policy = (ipBlock: object): RequestStep => tried({ ingress: [{ from: [{ ipBlock }] }] });

export const scenarios: Scenarios = {
  "addresses-policies": [
    ...ranges.map((cidr) => policy({ cidr })),
    ...ranges.map((except) => policy({ cidr: "10.0.0.0/7", except: [except] })),
    ...ranges.map((except) => policy({ cidr: "2001:db8::/32", except: [except] })),
    policy({ cidr: "10.1.2.3/8", except: ["10.1.0.0/16"] }),
    ...["10.1.0.0/08", "010.1.2.3/8", "::ffff:010.0.0.3/120"].map((cidr) => policy({ cidr })),
    POST(
      policies,
      {
        metadata: { name: "n" },
        spec: {
          podSelector: {},
          egress: [{ to: [{ ipBlock: { cidr: "2001:DB8::/32", except: ["2001:DB8::/64"] } }] }],
        },
      },
      { pick: refusal },
    ),
    change(`${policies}/n`, { metadata: { labels: { a: "b" } } }),
  ],
  "network-policies": [
    POST(policies, { metadata: { name: "a" }, spec: { ingress: [{ ports: [{ port: 80 }] }] } }),
    tried({
      podSelector: { matchExpressions: [{ key: "a", operator: "In" }] },
      ingress: [{ ports: [{ port: 0 }, { port: "é" }], from: [{}, { ipBlock: { cidr: "x" } }] }],
    }),
    ...[{ endPort: 3 }, { port: 5, endPort: 3 }, { port: "a", endPort: 3 }, { port: 5, endPort: 70_000 }].map((port) =>
      tried({ ingress: [{ ports: [port] }] }),
    ),
    ...[["11.0.0.0/8"], ["10.0.0.0/8"], ["10.1.0.0/16", "x"], ["::/0"]].map((except) =>
      tried({ egress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/8", except } }] }] }),
    ),
  ],
};
