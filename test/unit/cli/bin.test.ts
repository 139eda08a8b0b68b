import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const checkout = mkdtempSync(join(tmpdir(), "tsop-checkout-"));
const repository = fileURLToPath(new URL("../../../", import.meta.url));
for (const name of ["bin", "package.json"]) cpSync(join(repository, name), join(checkout, name), { recursive: true });
afterAll(() => rmSync(checkout, { recursive: true }));

describe("bin/tsop.js", () => {
  it.each([["init"], ["version"]])("says how to build a checkout without dist: %s", (word) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(checkout, "bin/tsop.js"), word], {
      encoding: "utf8",
    });
    const lines = ["error: this checkout of tsop is not built", `hint: cd ${checkout}/ && npm ci && npm run build`, ""];
    expect([status, stdout, stderr.split("\n")]).toEqual([1, "", lines]);
  });
});
