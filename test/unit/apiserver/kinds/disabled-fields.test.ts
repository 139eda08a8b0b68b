import { expect, it } from "vitest";
import { asker, merge } from "../ask.ts";

const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

it("keeps a field of a disabled feature that a stored object has already", async () => {
  const first = asker();
  await first.ask("POST", leases, { metadata: { name: "a" }, spec: {} });
  const { objects, ...rest } = first.server.snapshot();
  const text = JSON.stringify(objects).replace('"spec":{}', '"spec":{"strategy":"OldestEmulationVersion"}');
  const second = asker({ restore: { ...rest, objects: JSON.parse(text) } });
  const changed = { spec: { strategy: "Other", preferredHolder: "b" } };
  const { body } = await second.ask("PATCH", `${leases}/a`, changed, merge);
  expect(body.spec).toEqual({ strategy: "Other" });
});
