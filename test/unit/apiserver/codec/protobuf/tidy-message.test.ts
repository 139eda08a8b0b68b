import { describe, expect, it } from "vitest";
import { asker } from "../../ask.ts";

const pods = "/api/v1/namespaces/default/pods";

describe("a null in a list of a built-in kind", () => {
  it("is the zero of its type, and refused as such", async () => {
    const spec = { containers: [null, { name: "c", image: "i" }] };
    const { status, body } = await asker().ask("POST", pods, { metadata: { name: "a" }, spec });
    expect(status).toBe(422);
    const fields = body.details.causes.map(({ field }: { field: string }) => field);
    expect(fields).toContain("spec.containers[0].name");
  });

  it("is an empty text in a list of texts", async () => {
    const spec = { containers: [{ name: "c", image: "i", args: ["x", null] }] };
    const { status, body } = await asker().ask("POST", pods, { metadata: { name: "a" }, spec });
    expect([status, body.spec.containers[0].args]).toEqual([201, ["x", ""]]);
  });
});
