import { BlockList, isIP } from "node:net";

/** Networks that only this machine or its neighbours reach; https://www.iana.org/assignments/iana-ipv4-special-registry */
const networks: readonly (readonly [address: string, prefix: number, family: "ipv4" | "ipv6"])[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["::", 127, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
];

/** Reports whether an IP address is one of this machine, of its link or of a private network. */
export function isPrivateAddress(address: string): boolean {
  const [bare = ""] = address.split("%");
  if (isIP(bare) === 0) return false;
  const list = new BlockList();
  for (const network of networks) list.addSubnet(...network);
  // An address of IPv4 that is written as one of IPv6 is recognized, too.
  return list.check(bare, isIP(bare) === 6 ? "ipv6" : "ipv4");
}
