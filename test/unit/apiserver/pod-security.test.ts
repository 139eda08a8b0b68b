import { expect, it } from "vitest";
import { asker, merge } from "./ask.ts";

const prefix = "pod-security.kubernetes.io/";
const namespace = "/api/v1/namespaces/default";
const pods = `${namespace}/pods`;
const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});
const labelled = (modes: Readonly<Record<string, string>>) => ({
  metadata: { labels: Object.fromEntries(Object.entries(modes).map(([mode, value]) => [prefix + mode, value])) },
});
const warningsOf = ({ warning = [] }: Readonly<Record<string, string | readonly string[]>>): readonly string[] =>
  [warning].flat();

it("checks the first 3,000 pods of a namespace that gets a level", async () => {
  const first = asker();
  const { body } = await first.ask("POST", pods, pod("a", { hostPID: true }));
  const names = Array.from({ length: 3001 }, (_, at) => `p-${String(at).padStart(4, "0")}`);
  const many = names.map((name) => [`default/${name}`, { ...body, metadata: { ...body.metadata, name } }]);
  const { objects, ...rest } = first.server.snapshot();
  const second = asker({ restore: { ...rest, objects: { ...objects, "/pods": Object.fromEntries(many) } } });
  const { headers } = await second.ask("PATCH", namespace, labelled({ enforce: "baseline" }), merge);
  expect(warningsOf(headers)).toEqual(
    [
      'existing pods in namespace \\"default\\" violate the new PodSecurity enforce level \\"baseline:latest\\"',
      "p-0000 (and 2999 other pods): host namespaces",
    ].map((text) => `299 - "${text}"`),
  );
});
