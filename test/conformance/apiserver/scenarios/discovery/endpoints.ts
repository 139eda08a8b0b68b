import { addresses, special } from "../../addresses.ts";
import type { RequestStep, Scenarios } from "../../scenario.ts";
import { dry, slices, tryPatch } from "../../steps.ts";
import { POST } from "../../requests.ts";

const slice = (addressType: string, list: readonly string[]): RequestStep =>
  dry(slices, { addressType, endpoints: [{ addresses: list }] });
const many = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `10.0.${Math.floor(at / 250)}.${(at % 250) + 1}`);

export const scenarios: Scenarios = {
  "addresses-endpoints": [
    ...addresses.map((address) => slice("IPv4", [address])),
    ...addresses.map((address) => slice("IPv6", [address])),
    ...special.flatMap((address) => [slice("IPv4", [address]), slice("IPv6", [address])]),
  ],
  "endpoint-values": [
    POST(slices, {
      metadata: { name: "a" },
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.1.1.1"] }],
      ports: [{ port: 80 }],
    }),
    POST(slices, { metadata: { name: "b" }, addressType: "IPv4", endpoints: [] }, { unrecorded: true }),
    tryPatch(`${slices}/b`, { addressType: "IPv6" }),
    tryPatch(`${slices}/b`, { addressType: null }),
    ...["169.254.1.1", "224.0.0.1", "0.0.0.0"].map((ip) => slice("IPv4", [ip])),
    ...["a.example.com", "1.2.3.4"].map((name) => slice("FQDN", [name])),
    slice("IPv4", ["a.example.com"]),
    slice("IPv4", ["1.2.3.4", "1.2.3.4"]),
    slice("IPv4", many(101)),
    dry(slices, { addressType: "IPv4", endpoints: many(1001).map((address) => ({ addresses: [address] })) }),
    dry(slices, { endpoints: [], addressType: "Nope" }),
    dry(slices, { endpoints: [] }),
    dry(slices, { endpoints: [{ addresses: [] }], addressType: "IPv4" }),
    dry(slices, { endpoints: [], addressType: "IPv4", ports: [{ name: "A_B", port: 70_000 }] }),
  ],
};
