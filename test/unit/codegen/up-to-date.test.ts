import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generate, type Output } from "../../../src/codegen/run-generators.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { projectNames, writeProject } from "../../golden/stored-projects.mjs";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const { version } = JSON.parse(readFileSync(`${repository}package.json`, "utf8")) as { version: string };
const examples = readdirSync(`${repository}examples`).filter((name) =>
  existsSync(`${repository}examples/${name}/PROJECT`),
);
const root = mkdtempSync(join(tmpdir(), "tsop-up-to-date-"));
beforeAll(() => {
  for (const name of projectNames) writeProject(name, join(root, name));
});
afterAll(() => rmSync(root, { recursive: true }));

describe("make manifests generate", () => {
  const projects = [
    ...projectNames.map((name) => [`test/golden/${name}`, join(root, name)] as const),
    ...examples.map((name) => [`examples/${name}`, `${repository}examples/${name}`] as const),
  ];

  it("covers projects", () => {
    expect(projectNames.length).toBeGreaterThan(8);
    expect(examples).not.toEqual([]);
  });

  it.each(projects)("changes nothing in %s", async (_name, root) => {
    const outputs: readonly Output[] = ["crd", "rbac", "webhook", "kinds"];
    const { plan } = await generate({ root, disk: realDisk(), outputs, version });
    expect(plan.changes).toEqual([]);
  });
});
