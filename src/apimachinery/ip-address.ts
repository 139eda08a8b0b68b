import { isIP } from "node:net";

/** An IP address as a number. */
export interface Address {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

/** A network: an address, and the length of the prefix that its addresses have in common. */
export interface Network {
  readonly address: Address;
  readonly length: number;
}

/** Returns an address from its text, which is valid. */
export function parseAddress(text: string): Address {
  if (isIP(text) === 4)
    return { family: 4, bits: text.split(".").reduce((bits, part) => (bits << 8n) | BigInt(part), 0n) };
  const [head = "", tail] = text.split("::");
  const [left, right] = [head, tail ?? ""].map(words);
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left!.length - right!.length }, () => 0n);
  return { family: 6, bits: [...left!, ...zeros, ...right!].reduce((bits, word) => (bits << 16n) | word, 0n) };
}

/** Returns the 16-bit words of one side of an IPv6 address; the last two can be written as IPv4. */
function words(text: string): bigint[] {
  if (text === "") return [];
  return text.split(":").flatMap((word) => {
    if (!word.includes(".")) return [BigInt(`0x${word}`)];
    const { bits } = parseAddress(word);
    return [bits >> 16n, bits & 0xffffn];
  });
}

/** Returns the canonical text of an address. */
export function formatAddress({ family, bits }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join(".");
  // The URL parser formats IPv6 canonically.
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - index * 16)) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(":")}]/`).hostname.slice(1, -1);
}

/** Returns the number of bits of an address. */
export function widthOf({ family }: Address): number {
  return family === 4 ? 32 : 128;
}

/** Returns a network without the bits beyond its prefix. */
export function mask({ address, length }: Network): Network {
  const rest = BigInt(widthOf(address) - length);
  return { address: { ...address, bits: (address.bits >> rest) << rest }, length };
}

/** Reports whether an address lies in a network. */
export function contains(network: Network, address: Address): boolean {
  if (network.address.family !== address.family) return false;
  const rest = BigInt(widthOf(address) - network.length);
  return network.address.bits >> rest === address.bits >> rest;
}
