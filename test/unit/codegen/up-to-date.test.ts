import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { generate, type Output } from "../../../src/codegen/run-generators.ts";
import { realDisk } from "../../../src/files/real-disk.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const { version } = JSON.parse(readFileSync(`${repository}package.json`, "utf8")) as { version: string };
const projects = ["test/golden", "examples"].flatMap((folder) =>
  readdirSync(repository + folder)
    .map((name) => `${folder}/${name}`)
    .filter((path) => existsSync(`${repository}${path}/PROJECT`)),
);

describe("make manifests generate", () => {
  it("covers projects", () => {
    expect(projects.length).toBeGreaterThan(8);
  });

  it.each(projects)("changes nothing in %s", async (path) => {
    const outputs: readonly Output[] = ["crd", "rbac", "webhook", "kinds"];
    const { plan } = await generate({ root: repository + path, disk: realDisk(), outputs, version });
    expect(plan.changes).toEqual([]);
  });
});
