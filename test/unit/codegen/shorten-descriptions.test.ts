import { expect, it } from "vitest";
import { generate } from "../../../src/codegen/run-generators.ts";
import { shortenDescriptions } from "../../../src/codegen/shorten-descriptions.ts";
import { memoryDisk } from "../../../src/files/memory-disk.ts";

it.each([
  ["Short.", 10, "Short."],
  ["One sentence. Another one that is too long", 30, "One sentence."],
  ["No sentence ends in these words", 20, "No sentence ends in..."],
  ["Unbreakable", 5, "Unbre..."],
  ["Ends. in the middle", 9, "Ends."],
  ["Größe der Instanz", 3, "Gr..."],
])("%j of at most %i bytes is %j", (description, bytes, expected) => {
  expect(shortenDescriptions({ description, type: "string" }, bytes)).toEqual({
    description: expected,
    type: "string",
  });
});

it("reaches properties, items and values, and keeps a property named description", () => {
  const leaf = { description: "Leaf.", type: "string" } as const;
  const schema = {
    description: "Root.",
    type: "object",
    properties: {
      description: leaf,
      list: { type: "array", items: leaf },
      map: { type: "object", additionalProperties: leaf },
    },
  } as const;
  const text = { type: "string" };
  expect(shortenDescriptions(schema, 0)).toEqual({
    type: "object",
    properties: {
      description: text,
      list: { type: "array", items: text },
      map: { type: "object", additionalProperties: text },
    },
  });
});

it("follows the marker of the folder", async () => {
  const types = `
    // +groupName=example.com
    // +tsop:maxDescLen=0
    /**
     * A cache.
     *
     * +kubebuilder:object:root=true
     */
    export interface Cache {
      metadata: import("tsop").ObjectMeta;
      spec: {
        /** The size. */
        size: number;
      };
    }`;
  const disk = memoryDisk({ "/p/api/v1/types.ts": types });
  const { plan } = await generate({ root: "/p", disk, outputs: ["crd"], version: "1.2.3" });
  const [change] = plan.changes;
  expect(change && "text" in change ? change.text : "").not.toContain("description");
});
