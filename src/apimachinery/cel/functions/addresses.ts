import { BlockList, isIP } from "node:net";
import { type Address, type Network, contains, formatAddress, mask, parseAddress, widthOf } from "../../ip-address.ts";
import { CelError } from "../values/issue.ts";
import type { Run } from "../values/overload.ts";
import { CelOpaque } from "../values/values.ts";

const ip = "net.IP";
const cidr = "net.CIDR";

/** Kubernetes' libraries of IP addresses and networks. */
export const addressFunctions: Readonly<Record<string, Run>> = {
  [`ip(string): ${ip}`]: (text: string) => wrapAddress(readAddress(text)),
  "isIP(string): bool": isAddress,
  "ip.isCanonical(string): bool": (text: string) => formatAddress(readAddress(text)) === text,
  [`${ip} -> family(): int`]: (a: CelOpaque) => BigInt(addressOf(a).family),
  ...Object.fromEntries(
    Object.entries(ranges()).map(([name, contains]): [string, Run] => [
      `${ip} -> ${name}(): bool`,
      (a: CelOpaque) => contains(a.key, addressOf(a).family === 4 ? "ipv4" : "ipv6"),
    ]),
  ),

  [`cidr(string): ${cidr}`]: (text: string) => wrapNetwork(readNetwork(text)),
  "isCIDR(string): bool": (text: string) => parseNetwork(text) !== undefined,
  [`${cidr} -> ip(): ${ip}`]: (a: CelOpaque) => wrapAddress(networkOf(a).address),
  [`${cidr} -> masked(): ${cidr}`]: (a: CelOpaque) => wrapNetwork(mask(networkOf(a))),
  [`${cidr} -> prefixLength(): int`]: (a: CelOpaque) => BigInt(networkOf(a).length),
  [`${cidr} -> containsIP(${ip}): bool`]: (a: CelOpaque, b: CelOpaque) => contains(networkOf(a), addressOf(b)),
  [`${cidr} -> containsIP(string): bool`]: (a: CelOpaque, b: string) => contains(networkOf(a), readAddress(b)),
  [`${cidr} -> containsCIDR(${cidr}): bool`]: (a: CelOpaque, b: CelOpaque) =>
    containsNetwork(networkOf(a), networkOf(b)),
  [`${cidr} -> containsCIDR(string): bool`]: (a: CelOpaque, b: string) => containsNetwork(networkOf(a), readNetwork(b)),
};

function ranges(): Record<string, (key: string, family: "ipv4" | "ipv6") => boolean> {
  const list = (...subnets: [string, number][]): BlockList => {
    const blocks = new BlockList();
    for (const [net, length] of subnets) blocks.addSubnet(net, length, net.includes(":") ? "ipv6" : "ipv4");
    return blocks;
  };
  const unspecified = list(["0.0.0.0", 32], ["::", 128]);
  const loopback = list(["127.0.0.0", 8], ["::1", 128]);
  const localMulticast = list(["224.0.0.0", 24], ["ff02::", 16]);
  const localUnicast = list(["169.254.0.0", 16], ["fe80::", 10]);
  const multicast = list(["224.0.0.0", 4], ["ff00::", 8], ["255.255.255.255", 32]);
  const special = [unspecified, loopback, localUnicast, multicast];
  return {
    isUnspecified: (key, family) => unspecified.check(key, family),
    isLoopback: (key, family) => loopback.check(key, family),
    isLinkLocalMulticast: (key, family) => localMulticast.check(key, family),
    isLinkLocalUnicast: (key, family) => localUnicast.check(key, family),
    isGlobalUnicast: (key, family) => !special.some((blocks) => blocks.check(key, family)),
  };
}

function isAddress(text: string): boolean {
  // Zones and IPv4 in IPv6 are rejected: programs interpret them differently.
  return isIP(text) !== 0 && !text.includes("%") && !/^::ffff:\d+\./i.test(text);
}

function readAddress(text: string): Address {
  if (isAddress(text)) return parseAddress(text);
  const shown = JSON.stringify(text);
  throw new CelError(
    `IP Address ${shown} parse error during conversion from string: ParseAddr(${shown}): unable to parse IP`,
  );
}

function wrapAddress(address: Address): CelOpaque {
  return new CelOpaque(ip, formatAddress(address), address);
}

function addressOf(value: CelOpaque): Address {
  return value.content as Address;
}

function readNetwork(text: string): Network {
  const network = parseNetwork(text);
  if (network) return network;
  const reason = text.includes("/") ? "unable to parse" : "no '/'";
  const problem = "network address parse error during conversion from string: ";
  throw new CelError(`${problem}${problem}netip.ParsePrefix(${JSON.stringify(text)}): ${reason}`);
}

function parseNetwork(text: string): Network | undefined {
  const [host = "", bits = "", ...rest] = text.split("/");
  if (rest.length > 0 || !isAddress(host) || !/^(0|[1-9]\d{0,2})$/.test(bits)) return undefined;
  const address = parseAddress(host);
  return Number(bits) <= widthOf(address) ? { address, length: Number(bits) } : undefined;
}

function wrapNetwork(network: Network): CelOpaque {
  return new CelOpaque(cidr, `${formatAddress(network.address)}/${network.length}`, network);
}

function networkOf(value: CelOpaque): Network {
  return value.content as Network;
}

function containsNetwork(outer: Network, inner: Network): boolean {
  return outer.length <= inner.length && contains(outer, inner.address);
}
