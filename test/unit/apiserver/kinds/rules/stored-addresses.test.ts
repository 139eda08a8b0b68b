import { describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../../../../src/apimachinery/meta.ts";
import type { StatusCause } from "../../../../../src/apimachinery/status.ts";
import type { BuiltinKind } from "../../../../../src/apiserver/kinds/builtin-kind.ts";
import { endpoints } from "../../../../../src/apiserver/kinds/core/endpoints.ts";
import { service } from "../../../../../src/apiserver/kinds/core/service/service.ts";
import { endpointSlice } from "../../../../../src/apiserver/kinds/discovery/endpoint-slice.ts";
import { networkPolicy } from "../../../../../src/apiserver/kinds/networking/network-policy.ts";

// Objects of a server that took these addresses, which a server that refuses them reads; the answers are those of a
// real server that was started again with StrictIPCIDRValidation.

const metadata = { name: "a" };
const serviceOf = (externalIPs: string[], loadBalancerSourceRanges: string[], ingress: object[] = []) => ({
  metadata,
  spec: { type: "LoadBalancer", ports: [{ port: 80, targetPort: 80 }], externalIPs, loadBalancerSourceRanges },
  status: { loadBalancer: { ingress } },
});
const policyOf = (spec: object) => ({ metadata, spec: { podSelector: {}, ...spec } });
const blocks = (cidr: string, except: string) => [{ ipBlock: { cidr, except: [except] } }];
const endpointsOf = (subset: object) => ({ metadata, subsets: [{ ports: [{ port: 80 }], ...subset }] });
const sliceOf = (...addresses: string[]) => ({
  metadata,
  addressType: "IPv4",
  endpoints: addresses.map((address) => ({ addresses: [address] })),
});

const storedService = serviceOf(["010.0.0.3", "::ffff:10.0.0.4"], ["10.1.2.3/8"], [{ ip: "010.0.0.9" }]);
const storedPolicy = policyOf({ ingress: [{ from: blocks("10.1.2.3/8", "10.2.3.4/16") }] });
const storedEndpoints = endpointsOf({ addresses: [{ ip: "010.0.0.3" }] });

interface Update {
  readonly what: string;
  readonly kind: BuiltinKind;
  readonly old: object;
  readonly object: object;
  readonly subresource?: string;
  readonly refused: string[];
}

const updates: Update[] = [
  { what: "a service that stays", kind: service, old: storedService, object: storedService, refused: [] },
  {
    what: "a service that loses an address",
    kind: service,
    old: storedService,
    object: serviceOf(["::ffff:10.0.0.4"], []),
    refused: [],
  },
  {
    what: "a service that gains addresses",
    kind: service,
    old: storedService,
    object: serviceOf(["010.0.0.3", "010.0.0.9"], ["10.1.2.3/8", "10.1.2.4/8"]),
    refused: ["spec.externalIPs[1]", "spec.LoadBalancerSourceRanges[1]"],
  },
  {
    what: "the status of a service",
    kind: service,
    old: storedService,
    object: serviceOf([], [], [{ ip: "010.0.0.9" }, { ip: "010.0.0.3" }]),
    subresource: "status",
    refused: ["status.loadBalancer.ingress[1].ip"],
  },
  {
    what: "ranges that move in a policy",
    kind: networkPolicy,
    old: storedPolicy,
    object: policyOf({ egress: [{ to: blocks("10.1.2.3/8", "10.2.3.4/16") }] }),
    refused: [],
  },
  {
    what: "a new range in a policy",
    kind: networkPolicy,
    old: storedPolicy,
    object: policyOf({ egress: [{ to: blocks("10.2.3.4/16", "10.2.3.4/24") }] }),
    refused: ["spec.egress[0].to[0].ipBlock.except[0]"],
  },
  { what: "endpoints that stay", kind: endpoints, old: storedEndpoints, object: storedEndpoints, refused: [] },
  {
    what: "an address that moves in endpoints",
    kind: endpoints,
    old: storedEndpoints,
    object: endpointsOf({ notReadyAddresses: [{ ip: "010.0.0.3" }] }),
    refused: ["subsets[0].notReadyAddresses[0].ip"],
  },
  {
    what: "a slice that stays",
    kind: endpointSlice,
    old: sliceOf("010.0.0.3"),
    object: sliceOf("010.0.0.3"),
    refused: [],
  },
  {
    what: "a slice that changes",
    kind: endpointSlice,
    old: sliceOf("010.0.0.3"),
    object: sliceOf("10.0.0.9", "010.0.0.3"),
    refused: ["endpoints[1].addresses[0]"],
  },
];

describe("addresses that were stored before they were refused", () => {
  it.each(updates)("$what", ({ kind, old, object, subresource, refused }) => {
    const errors = kind.validate?.(object as UnstructuredObject, old as UnstructuredObject, subresource);
    expect((errors as StatusCause[]).map(({ field }) => field)).toEqual(refused);
  });
});
