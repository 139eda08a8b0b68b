import { expect, it } from "vitest";
import { generate } from "../../../src/codegen/run-generators.ts";
import { shortenDescriptions } from "../../../src/codegen/generate-crds.ts";
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

const cache = (markers: string, description: string): string => `
    // +groupName=example.com
    ${markers}
    /**
     * A cache.
     *
     * +kubebuilder:object:root=true
     */
    export interface Cache {
      metadata: import("tsop").ObjectMeta;
      spec: {
        /** ${description} */
        size: number;
      };
    }`;

function generateCrd(types: string): ReturnType<typeof generate> {
  const disk = memoryDisk({ "/p/api/v1/types.ts": types });
  return generate({ root: "/p", disk, outputs: ["crd"], version: "1.2.3" });
}

it("follows the marker of the folder", async () => {
  const { plan } = await generateCrd(cache("// +tsop:maxDescLen=0", "The size."));
  const [change] = plan.changes;
  expect(change && "text" in change ? change.text : "").not.toContain("description");
});

it("names the marker that makes a large CRD fit make install, and the command that applies it as it is", async () => {
  const long = "Too long. ".repeat(30_000);
  const { warnings } = await generateCrd(cache("", long));
  expect(warnings).toMatchObject([{ code: "TSOP_CRD_ADVICE", message: expect.stringMatching(/29\d KiB large/) }]);
  const [marker] = /\/\/ \+tsop:\S+/.exec(warnings[0]?.hint ?? "") ?? [""];
  expect((await generateCrd(cache(marker, long))).warnings).toEqual([]);
  expect(warnings[0]?.hint).toContain("so that make install and make deploy work");
  expect(warnings[0]?.hint).toContain("kubectl kustomize config/crd | kubectl apply --server-side -f -");
});
