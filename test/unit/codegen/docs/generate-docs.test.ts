import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { generate } from "../../../../src/codegen/run-generators.ts";
import { applyPlan } from "../../../../src/files/apply.ts";
import { memoryDisk, type MemoryDisk } from "../../../../src/files/memory-disk.ts";
import { realDisk } from "../../../../src/files/real-disk.ts";

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const options = { outputs: ["docs"], version: "1.2.3" } as const;

/** Compares a page with the recorded one, which TSOP_RECORD=1 writes: review the difference. */
function expectPage(text: string | undefined, name: string): void {
  const path = pathOf(`pages/${name}.md`);
  if (process.env["TSOP_RECORD"] === "1") writeFileSync(path, text ?? "");
  expect(text).toBe(readFileSync(path, "utf8"));
}

async function write(disk: MemoryDisk, docsFolder?: string): Promise<string[]> {
  const { plan } = await generate({ root: "/p", disk, ...options, ...(docsFolder ? { docsFolder } : {}) });
  await applyPlan(plan, disk);
  return plan.changes.map(({ type, path }) => `${type} ${path}`);
}

const boat = `// +groupName=sea.example.com
/** +kubebuilder:object:root=true */
export interface Boat { metadata: import("tsop").ObjectMeta; spec: { crew?: number } }
`;

describe("generate docs", () => {
  it("writes the page of the Memcached example, with its sample", async () => {
    const root = pathOf("../../../../examples/memcached-operator");
    const { plan } = await generate({ root, disk: realDisk(), ...options });
    expect(plan.changes.map(({ path }) => path)).toEqual(["docs/api/cache.example.com-v1alpha1.md"]);
    const [change] = plan.changes;
    expectPage(change?.type === "create" ? change.text : undefined, "memcached");
  });

  it("describes unions, rules, maps, generics, foreign types and types without a name", async () => {
    const disk = memoryDisk({ "/p/api/v1/ship_types.ts": readFileSync(pathOf("pages/exotic.ts"), "utf8") });
    await write(disk);
    const text = disk.files.get("/p/docs/api/example.com-v1.md");
    expectPage(text, "exotic");
    const anchors = new Set([...text!.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => slug(heading)));
    const targets = [...text!.matchAll(/\]\(#([^)]*)\)/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter((target) => !anchors.has(target!))).toEqual([]);
  });

  it("writes a page for each version, nothing in a second run, and removes only its own pages", async () => {
    const disk = memoryDisk({
      "/p/api/v1/boat.ts": boat,
      "/p/api/v2/boat.ts": boat.replace("root=true", "root=true\n* +kubebuilder:storageversion"),
    });
    expect(await write(disk)).toEqual([
      "create docs/api/sea.example.com-v1.md",
      "create docs/api/sea.example.com-v2.md",
    ]);
    expect(await write(disk)).toEqual([]);
    await disk.write("/p/docs/api/by-hand.md", "# Notes\n");
    await disk.remove("/p/api/v1/boat.ts");
    expect(await write(disk)).toEqual(["remove docs/api/sea.example.com-v1.md"]);
    expect([...disk.files.keys()].filter((path) => path.endsWith(".md"))).toEqual([
      "/p/docs/api/sea.example.com-v2.md",
      "/p/docs/api/by-hand.md",
    ]);
  });

  it("uses the given folder, and the samples of the version", async () => {
    const sample = (version: string): string =>
      `apiVersion: sea.example.com/${version}\nkind: Boat\nspec: {crew: 3} # all\n`;
    const disk = memoryDisk({
      "/p/api/v1/boat.ts": boat,
      "/p/config/samples/a.yaml": sample("v1"),
      "/p/config/samples/b.yaml": sample("v2"),
      "/p/config/samples/broken.yaml": "a: [",
    });
    await write(disk, "reference");
    const text = disk.files.get("/p/reference/sea.example.com-v1.md")!;
    expect(text).toContain(`\`\`\`yaml\n${sample("v1")}\`\`\``);
    expect(text).not.toContain("example.com/v2");
  });
});

/** The anchor of a heading as GitHub derives it. */
function slug(heading: string): string {
  const plain = heading.replaceAll("&lt;", "<").replaceAll("&gt;", ">").toLowerCase();
  return plain.replace(/[^a-z0-9 _-]/g, "").replaceAll(" ", "-");
}
