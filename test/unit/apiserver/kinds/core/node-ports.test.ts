import { expect, it } from "vitest";
import type { UnstructuredObject } from "../../../../../src/apimachinery/meta.ts";
import { service } from "../../../../../src/apiserver/kinds/core/service/service.ts";

it("gives each port of a service a node port of its own, also if chance repeats itself", () => {
  const numbers = [0, 0, 0, 0, 0.5];
  const [first, second] = ports(numbers, [{ port: 80 }, { port: 81 }]);
  expect(second).not.toBe(first);
});

it("does not choose a node port that another port of the service asks for", () => {
  const numbers = [0, 0, 0, 0.5];
  expect(ports(numbers, [{ port: 80 }, { port: 81, nodePort: 30086 }])).not.toEqual([30086, 30086]);
});

function ports(numbers: number[], wanted: object[]): unknown[] {
  const created = {
    metadata: { name: "a" },
    spec: { type: "NodePort", ports: wanted },
  } as unknown as UnstructuredObject;
  service.prepareCreate?.(created, { now: () => "", random: () => numbers.shift() ?? 0.75, list: () => [] });
  return (created["spec"] as { ports: { nodePort: unknown }[] }).ports.map(({ nodePort }) => nodePort);
}
