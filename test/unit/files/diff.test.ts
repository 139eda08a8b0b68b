import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diffPlan, diffTexts } from "../../../src/files/diff.ts";
import { memoryDisk } from "../../../src/files/memory-disk.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

describe("diffPlan", () => {
  it("shows new, changed and removed files, and no unchanged ones", async () => {
    const disk = memoryDisk({ "/p/a": "1\n2\n", "/p/b": "x\n", "/p/same": "s\n" });
    const diff = await diffPlan(
      {
        root: "/p",
        changes: [
          { type: "create", path: "same", text: "s\n" },
          { type: "create", path: "new", text: "n\n" },
          { type: "update", path: "a", text: "1\n3\n", before: "1\n2\n" },
          { type: "remove", path: "b", before: "x\n" },
        ],
      },
      disk,
    );
    expect(diff).toBe(
      `--- a/a
+++ b/a
@@ -1,2 +1,2 @@
 1
-2
+3
--- a/b
+++ /dev/null
@@ -1 +0,0 @@
-x
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+n
`,
    );
  });
});

describe("diffTexts", () => {
  const numbers = Array.from({ length: 40 }, (_, index) => `${index}\n`);
  const edit = (edits: Record<number, string>): string => numbers.map((line, index) => edits[index] ?? line).join("");
  it.each([
    ["two hunks", edit({ 3: "three\n", 30: "thirty\nand more\n" })],
    ["changes that share a hunk", edit({ 10: "ten\n", 16: "" })],
    ["an insertion at the top", `top\n${numbers.join("")}`],
    ["a missing newline at the end", numbers.join("").trimEnd()],
    ["a replaced text", "nothing\nleft\n"],
    ["a removed text", ""],
  ])("writes a diff for patch(1): %s", (_name, after) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "f"), numbers.join(""));
    execFileSync("git", ["apply", "--unidiff-zero", "-"], {
      cwd: folder,
      input: diffTexts("f", numbers.join(""), after),
    });
    expect(readFileSync(join(folder, "f"), "utf8")).toBe(after);
  });
});
