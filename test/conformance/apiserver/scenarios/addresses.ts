import { merge, type RequestStep, type Scenario } from "../scenario.ts";
import { dry, ns, refusal } from "./refused-in-dry-run.ts";

const addresses = [
  "10.0.0.3",
  "010.0.0.3",
  "10.0.00.3",
  "::ffff:10.0.0.3",
  "::FFFF:0a00:0003",
  "::ffff:010.0.0.3",
  "2001:db8::1",
  "2001:DB8::1",
  "2001:db8:0:0::1",
  "fe80::1%eth0",
  "10.0.3",
  " 10.0.0.3",
  "",
];
const ranges = [
  "10.0.0.0/8",
  "10.1.2.3/8",
  "010.0.0.0/8",
  "10.0.0.0/08",
  "010.1.0.0/08",
  "::ffff:10.0.0.0/104",
  "::ffff:10.1.2.3/104",
  "2001:db8::/64",
  "2001:DB8::/64",
  "2001:db8::1/64",
  "2001:DB8::1/64",
  "2001:db8::/064",
  "10.0.0.0/33",
  "10.0.0.0/+8",
  "10.0.0.0",
  " 10.0.0.0/8 ",
  "",
];

/** Addresses that lead nowhere. */
const special = ["127.0.0.1", "127.0.0.01", "FE80::1", "0::0", "::ffff:127.0.0.1"];

const change = (path: string, body: object): RequestStep => ({
  request: `PATCH ${path}?dryRun=All`,
  headers: merge,
  body,
  pick: refusal,
});
const service = (spec: object): RequestStep => dry(`${ns}/services`, { spec: { ports: [{ port: 80 }], ...spec } });
const slice = (addressType: string, list: readonly string[]): RequestStep =>
  dry("/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices", { addressType, endpoints: [{ addresses: list }] });
const endpoints = (subset: object): RequestStep =>
  dry(`${ns}/endpoints`, { subsets: [{ ports: [{ port: 80 }], ...subset }] });
const policy = (ipBlock: object): RequestStep =>
  dry("/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies", {
    spec: { podSelector: {}, ingress: [{ from: [{ ipBlock }] }] },
  });
const container = { name: "c", image: "i" };
const pod = (spec: object): RequestStep => dry(`${ns}/pods`, { spec: { containers: [container], ...spec } });
const node = (spec: object, status: object = {}): RequestStep => dry("/api/v1/nodes", { spec, status });

/** The addresses of a pod, which recordings would not show. */
const podAddresses = ({ status: { podIP, podIPs } }: any): string[] =>
  [podIP, ...podIPs.map(({ ip }: any) => ip)].map((ip) => ip.replaceAll(".", "-"));

export const addressScenarios: readonly Scenario[] = [
  {
    name: "addresses-services",
    steps: [
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
      {
        request: `POST ${ns}/services`,
        body: { metadata: { name: "s" }, spec: { ports: [{ port: 80 }], externalIPs: ["2001:DB8::1"] } },
        pick: refusal,
      },
      change(`${ns}/services/s`, { metadata: { labels: { a: "b" } } }),
      change(`${ns}/services/s`, { spec: { sessionAffinity: "ClientIP" } }),
      change(`${ns}/services/s`, { spec: { externalIPs: ["2001:DB8::2", "::ffff:10.0.0.3"] } }),
    ],
  },
  {
    name: "addresses-endpoints",
    steps: [
      ...addresses.map((address) => slice("IPv4", [address])),
      ...addresses.map((address) => slice("IPv6", [address])),
      ...special.flatMap((address) => [slice("IPv4", [address]), slice("IPv6", [address])]),
      ...addresses.map((ip) => endpoints({ addresses: [{ ip }] })),
      ...special.map((ip) => endpoints({ addresses: [{ ip }] })),
      endpoints({ notReadyAddresses: [{ ip: "::ffff:10.0.0.3" }, { ip: "010.0.0.3" }] }),
    ],
  },
  {
    name: "addresses-policies",
    steps: [
      ...ranges.map((cidr) => policy({ cidr })),
      ...ranges.map((except) => policy({ cidr: "10.0.0.0/7", except: [except] })),
      ...ranges.map((except) => policy({ cidr: "2001:db8::/32", except: [except] })),
      policy({ cidr: "10.1.2.3/8", except: ["10.1.0.0/16"] }),
      ...["10.1.0.0/08", "010.1.2.3/8", "::ffff:010.0.0.3/120"].map((cidr) => policy({ cidr })),
      policy({ cidr: "010.0.0.0/8", except: ["11.0.0.0/16"] }),
      {
        request: "POST /apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies",
        body: {
          metadata: { name: "n" },
          spec: {
            podSelector: {},
            egress: [{ to: [{ ipBlock: { cidr: "2001:DB8::/32", except: ["2001:DB8::/64"] } }] }],
          },
        },
        pick: refusal,
      },
      change("/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies/n", { metadata: { labels: { a: "b" } } }),
    ],
  },
  {
    name: "addresses-pods",
    steps: [
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
  },
  {
    name: "addresses-nodes",
    steps: [
      ...ranges.map((podCIDR) => node({ podCIDR, podCIDRs: [podCIDR] })),
      node({ podCIDRs: ["10.0.0.0/24", "2001:db8::/64"] }),
      node({ podCIDRs: ["10.0.0.0/24", "10.0.1.0/24"] }),
      node({ podCIDRs: ["10.0.0.0/24", "2001:db8::/64", "2001:db8:1::/64"] }),
      node({ podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.1.0/24"] }),
      node({ podCIDR: "10.1.2.3/8" }),
      ...[
        { podCIDR: "10.0.0.0/24" },
        { podCIDRs: ["10.0.0.0/24"] },
        { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.1.0/24", "2001:db8::/64"] },
      ].map((spec) => ({ ...node(spec), pick: ({ spec: { podCIDR, podCIDRs } }: any) => ({ podCIDR, podCIDRs }) })),
      { request: "POST /api/v1/nodes", body: { metadata: { name: "addresses" } }, pick: refusal },
      {
        request: "PATCH /api/v1/nodes/addresses",
        headers: merge,
        body: { spec: { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.0.0/24"] } },
        pick: refusal,
      },
      change("/api/v1/nodes/addresses", { spec: { podCIDR: "10.0.1.0/24", podCIDRs: ["10.0.1.0/24"] } }),
      change("/api/v1/nodes/addresses", { spec: { podCIDRs: ["10.0.0.0/24", "2001:db8::/64"] } }),
      { request: "DELETE /api/v1/nodes/addresses", unrecorded: true },
      ...addresses.map((address) => node({}, { addresses: [{ type: "InternalIP", address }] })),
    ],
  },
  {
    name: "addresses-status",
    steps: [
      {
        request: `POST ${ns}/pods`,
        body: { metadata: { name: "p" }, spec: { containers: [container] } },
        pick: refusal,
      },
      ...addresses.map((ip) => change(`${ns}/pods/p/status`, { status: { podIP: ip, podIPs: [{ ip }] } })),
      ...addresses.map((ip) => change(`${ns}/pods/p/status`, { status: { hostIP: ip, hostIPs: [{ ip }] } })),
      change(`${ns}/pods/p/status`, { status: { hostIPs: [{ ip: "10.0.0.3" }] } }),
      change(`${ns}/pods/p/status`, { status: { hostIP: "10.0.0.4", hostIPs: [{ ip: "10.0.0.3" }] } }),
      change(`${ns}/pods/p/status`, { status: { hostIP: "10.0.0.4" } }),
      change(`${ns}/pods/p/status`, { status: { podIP: "010.0.0.4" } }),
      {
        request: `PATCH ${ns}/pods/p/status`,
        headers: merge,
        body: { status: { podIP: "10.0.0.3" } },
        pick: podAddresses,
      },
      ...[{ podIP: "10.0.0.4" }, { podIPs: [{ ip: "10.0.0.4" }] }, { podIP: null }].map((status) => ({
        ...change(`${ns}/pods/p/status`, { status }),
        pick: podAddresses,
      })),
      ...[
        ["10.0.0.3", "10.0.0.4"],
        ["10.0.0.3", "2001:db8::1"],
        ["2001:db8::1", "10.0.0.3"],
        ["10.0.0.3", "2001:db8::1", "2001:db8::2"],
        ["10.0.0.3", "10.0.0.3"],
      ].flatMap((list) => [
        change(`${ns}/pods/p/status`, { status: { podIP: list[0], podIPs: list.map((ip) => ({ ip })) } }),
        change(`${ns}/pods/p/status`, { status: { hostIP: list[0], hostIPs: list.map((ip) => ({ ip })) } }),
      ]),
      {
        request: `POST ${ns}/services`,
        body: { metadata: { name: "s" }, spec: { type: "LoadBalancer", ports: [{ port: 80 }] } },
        pick: refusal,
      },
      ...addresses.map((ip) => change(`${ns}/services/s/status`, { status: { loadBalancer: { ingress: [{ ip }] } } })),
      {
        request: "POST /apis/networking.k8s.io/v1/namespaces/{ns}/ingresses",
        body: {
          metadata: { name: "i" },
          spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
        },
        pick: refusal,
      },
      ...addresses.map((ip) =>
        change("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses/i/status", {
          status: { loadBalancer: { ingress: [{ ip }] } },
        }),
      ),
    ],
  },
];
