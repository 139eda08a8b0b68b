import { describe, expect, it } from "vitest";
import { findRecordedPackage } from "../../../src/cli/package/recorded-package.ts";
import { projectCommands } from "../../../src/project/scaffold/update/project-commands.ts";
import { main } from "../../../src/cli/main.ts";
import { loadProject } from "../../../src/project/load-project.ts";
import { memoryIo, type MemoryIoOptions } from "./memory-io.ts";

const manifest = (version: string): string => JSON.stringify({ name: "tsop", version });

async function find(options: MemoryIoOptions, version = "0.1.0"): Promise<{ root: string; ran: string[] }> {
  const io = memoryIo(options);
  const { root } = await findRecordedPackage(io, { root: "/p", version, temporary: "/p/tmp" });
  return { root, ran: io.ran };
}

/** An npm that installs a tsop into the temporary folder. */
const installed = { "/p/tmp/node_modules/tsop/package.json": manifest("0.1.0") };

describe("findRecordedPackage", () => {
  it("finds the recorded version in node_modules", async () => {
    const files = { "/p/node_modules/tsop/package.json": manifest("0.1.0") };
    expect(await find({ files })).toEqual({ root: "/p/node_modules/tsop", ran: [] });
  });

  it.each([
    ["its registry", { "/p/node_modules/tsop/package.json": manifest("0.2.0") }, "tsop@0.1.0"],
    ["vendor/", { "/p/vendor/tsop-0.1.0.tgz": "…" }, "/p/vendor/tsop-0.1.0.tgz"],
  ])("installs it from %s otherwise, without scripts", async (_source, files, spec) => {
    const { root, ran } = await find({ files: { ...installed, ...files } });
    expect(root).toBe("/p/tmp/node_modules/tsop");
    expect(ran).toEqual([expect.stringMatching(/^npm install --prefix \/p\/tmp --no-save --ignore-scripts /)]);
    expect(ran[0]).toMatch(new RegExp(` ${spec}$`));
  });

  it("names a package.json that is no JSON", async () => {
    const failure = find({ files: { "/p/node_modules/tsop/package.json": "{" } });
    await expect(failure).rejects.toThrow("/p/node_modules/tsop/package.json is not the JSON of an object: ");
  });

  it.each([
    ["npm fails", { run: () => ({ exitCode: 1, stderr: "npm error 404\nmore" }) }, "0.1.0", "npm error 404"],
    ["another version arrives", { files: installed }, "0.1.1", "tsop 0.1.1, which wrote it, can't be installed"],
    ["PROJECT names something else", {}, "npm:left-pad@1.0.0", "cliVersion npm:left-pad@1.0.0 is not a version"],
  ])("fails if %s", async (...[, options, version, message]) => {
    const failure = find(options, version);
    await expect(failure).rejects.toMatchObject({ code: "TSOP_BASE_UNKNOWN" });
    await expect(failure).rejects.toThrow(message);
  });
});

describe("projectCommands", () => {
  it("keeps the package manager and the licence of a project", async () => {
    const io = memoryIo();
    const flags = "--domain example.com --project-name demo --skip-install --tsop ^1.0.0 --package-manager pnpm";
    expect(await main(`init ${flags} --license none`.split(" "), io)).toBe(0);
    expect(await projectCommands(await loadProject("/p", io.disk), io.disk)).toEqual([
      [
        "init",
        "--domain=example.com",
        "--project-name=demo",
        "--repo=demo",
        "--license",
        "none",
        "--package-manager=pnpm",
        "--skip-install",
      ],
    ]);
  });
});
