import { expect, it } from "vitest";
import { packEndpoints, type Endpoint } from "../../../../../src/sandbox/simulation/services/pack-endpoints.ts";

const endpointsOf = (names: string): Endpoint[] =>
  Array.from(names, (name) => ({ addresses: [`ip-${name}`], targetRef: { namespace: "default", name } }));
const slice = (name: string, endpoints: string) => ({
  metadata: { name },
  endpoints: endpointsOf(endpoints),
});

// Slices of up to four endpoints, whose names are letters.
it.each<[string, Record<string, string>, string, string[]]>([
  ["an empty service has a slice without endpoints", {}, "", ["new:"]],
  ["which is the one that it had", { a: "xyz" }, "", ["a:"]],
  ["and the others go", { a: "wxyz", b: "v" }, "", ["a:"]],
  ["a full slice is followed by another", {}, "abcdefghi", ["new:abcd", "new:efgh", "new:i"]],
  ["endpoints stay where they are", { a: "ab", b: "cd" }, "dcba", ["a:ab", "b:cd"]],
  ["a slice that changes takes new ones", { a: "abcd", b: "ef" }, "abcefgh", ["a:abcg", "b:efh"]],
  ["the fuller one of two first", { a: "abc", b: "efg" }, "aefxy", ["b:efxy", "a:a"]],
  ["another takes them if it has room for all", { a: "abc", b: "ef" }, "abcefxy", ["a:abc", "b:efxy"]],
  ["the fullest of these", { a: "a", b: "bc" }, "abcx", ["b:bcx", "a:a"]],
  ["or else a new one does", { a: "abc", b: "efg" }, "abcefgxy", ["a:abc", "b:efg", "new:xy"]],
  ["a slice that becomes empty goes", { a: "abcd", b: "e" }, "abcd", ["a:abcd"]],
  ["or is not filled again", { a: "abcd" }, "wxyz", ["new:wxyz"]],
])("%s", (_, stored, wanted, expected) => {
  const live = Object.entries(stored).map(([name, endpoints]) => slice(name, endpoints));
  const packed = packEndpoints(live, endpointsOf(wanted), 4);
  const nameOf = ({ targetRef }: Endpoint): string => (targetRef as { name: string }).name;
  const texts = packed.map(
    ({ live, endpoints }) => `${live?.metadata.name ?? "new"}:${endpoints.map(nameOf).join("")}`,
  );
  expect(texts).toEqual(expected);
});
