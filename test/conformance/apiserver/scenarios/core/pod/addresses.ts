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
  "addresses-status": [
    POST(`${core}/pods`, { metadata: { name: "p" }, spec: { containers: [container] } }, { pick: refusal }),
    ...addresses.map((ip) => change(`${core}/pods/p/status`, { status: { podIP: ip, podIPs: [{ ip }] } })),
    ...addresses.map((ip) => change(`${core}/pods/p/status`, { status: { hostIP: ip, hostIPs: [{ ip }] } })),
    change(`${core}/pods/p/status`, { status: { hostIPs: [{ ip: "10.0.0.3" }] } }),
    change(`${core}/pods/p/status`, { status: { hostIP: "10.0.0.4", hostIPs: [{ ip: "10.0.0.3" }] } }),
    change(`${core}/pods/p/status`, { status: { hostIP: "10.0.0.4" } }),
    change(`${core}/pods/p/status`, { status: { podIP: "010.0.0.4" } }),
    PATCH(`${core}/pods/p/status`, merge, { status: { podIP: "10.0.0.3" } }, { pick: podAddresses }),
    ...[{ podIP: "10.0.0.4" }, { podIPs: [{ ip: "10.0.0.4" }] }, { podIP: null }].map((status) => ({
      ...change(`${core}/pods/p/status`, { status }),
      pick: podAddresses,
    })),
    ...[
      ["10.0.0.3", "10.0.0.4"],
      ["10.0.0.3", "2001:db8::1"],
      ["2001:db8::1", "10.0.0.3"],
      ["10.0.0.3", "2001:db8::1", "2001:db8::2"],
      ["10.0.0.3", "10.0.0.3"],
    ].flatMap((list) => [
      change(`${core}/pods/p/status`, { status: { podIP: list[0], podIPs: list.map((ip) => ({ ip })) } }),
      change(`${core}/pods/p/status`, { status: { hostIP: list[0], hostIPs: list.map((ip) => ({ ip })) } }),
    ]),
    POST(
      `${core}/services`,
      { metadata: { name: "s" }, spec: { type: "LoadBalancer", ports: [{ port: 80 }] } },
      { pick: refusal },
    ),
    ...addresses.map((ip) => change(`${core}/services/s/status`, { status: { loadBalancer: { ingress: [{ ip }] } } })),
    POST(
      "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses",
      {
        metadata: { name: "i" },
        spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
      },
      { pick: refusal },
    ),
    ...addresses.map((ip) =>
      change("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses/i/status", {
        status: { loadBalancer: { ingress: [{ ip }] } },
      }),
    ),
  ],
};
