import { expect, it } from "vitest";
import type { Kind } from "../../../../src/apimachinery/kind.ts";
import { isBadRequest } from "../../../../src/apimachinery/status.ts";
import { Job } from "../../../../src/k8s/batch/v1.ts";
import { ConfigMap, Pod } from "../../../../src/k8s/core/v1.ts";
import { embeddedClient } from "../../runtime/embedded-client.ts";

const { client } = embeddedClient();

it.each<[Kind, string, string]>([
  [Job, ".metadata.controller", "field label not supported: .metadata.controller"],
  [Pod, "spec.owner", "field label not supported: spec.owner"],
  [ConfigMap, "data.size", '"data.size" is not a known field selector'],
])("a client without a cache explains where a list of %o finds an index by %s", async (kind, field, message) => {
  const error: unknown = await client.list(kind, { namespace: "default", fields: { [field]: "a" } }).catch(String);
  expect(error).toContain(message);
  expect(error).toContain("this client reads from the server, not from a cache with an index of the field");
  expect(error).toContain(`mgr.indexField(${kind.kind}, "${field}", …)`);
});

it("is still the server's refusal, and other refusals are unchanged", async () => {
  await expect(client.list(Job, { fields: { "spec.unknown": "a" } })).rejects.toSatisfy(isBadRequest);
  const wrong = client.list(Job, { fields: { "metadata.name": "a" }, labels: "a in (" });
  await expect(wrong).rejects.toThrow(
    expect.not.objectContaining({ message: expect.stringContaining("mgr.") as string }),
  );
});
