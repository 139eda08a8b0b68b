import { describe, expect, it } from "vitest";
import { applyPlan } from "../../../src/files/apply.ts";
import { memoryDisk } from "../../../src/files/memory-disk.ts";
import type { FileChange, Plan } from "../../../src/files/plan.ts";
import { joinPlans, withPlan } from "../../../src/files/with-plan.ts";

const files = { "/p/a": "a", "/p/b": "b", "/p/keep": "mine" };
const first: Plan = {
  root: "/p",
  changes: [
    { type: "update", path: "a", text: "a2", before: "a" },
    { type: "remove", path: "b", before: "b" },
    { type: "create", path: "dir/c", text: "c" },
    { type: "create", path: "keep", text: "yours", ifExists: "keep" },
  ],
};

describe("withPlan", () => {
  it("reads as the disk after the plan", async () => {
    const disk = withPlan(memoryDisk(files), first);
    const after = memoryDisk(files);
    await applyPlan(first, after);
    expect(await disk.list("/p")).toEqual(await after.list("/p"));
    for (const path of ["/p/a", "/p/b", "/p/dir/c", "/p/keep"])
      expect(await disk.read(path)).toBe(await after.read(path));
    expect(await disk.list("/p", { skip: (name) => name === "dir" })).toEqual(["a", "keep"]);
  });

  it("rejects writes", async () => {
    await expect(withPlan(memoryDisk(files), first).write("/p/x", "")).rejects.toThrow("read-only");
  });
});

describe("joinPlans", () => {
  it.each<[string, FileChange[]]>([
    ["update an updated file", [{ type: "update", path: "a", text: "a3", before: "a2" }]],
    ["update a created file", [{ type: "update", path: "dir/c", text: "c2", before: "c" }]],
    ["remove a created file", [{ type: "remove", path: "dir/c", before: "c" }]],
    ["remove an updated file", [{ type: "remove", path: "a", before: "a2" }]],
    ["create a removed file", [{ type: "create", path: "b", text: "b2" }]],
    ["touch another file", [{ type: "create", path: "d", text: "d" }]],
  ])("combines two steps into one: %s", async (_name, changes) => {
    const second: Plan = { root: "/p", changes };
    const [twice, once] = [memoryDisk(files), memoryDisk(files)];
    await applyPlan(first, twice);
    await applyPlan(second, twice);
    await applyPlan(joinPlans(first, second), once);
    expect(Object.fromEntries(once.files)).toEqual(Object.fromEntries(twice.files));
  });
});
