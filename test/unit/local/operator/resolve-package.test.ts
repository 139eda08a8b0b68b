import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolvePackage } from "../../../../src/local/operator/package-imports.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

it.skipIf(process.platform === "win32")(
  "resolves a linked package to its real path after the process has examined a pipe",
  () => {
    const folder = temporaryFolder();
    const target = join(folder, "store/boat/index.js");
    mkdirSync(join(folder, "store/boat"), { recursive: true });
    writeFileSync(target, "");
    const projects = ["a", "b"].map((name) => {
      mkdirSync(join(folder, name, "node_modules"), { recursive: true });
      symlinkSync("../../store/boat", join(folder, name, "node_modules/boat"));
      return join(folder, name);
    });
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const resolved = projects.map((project) => {
      lstatSync(join(folder, "pipe"));
      return resolvePackage(project, "boat");
    });
    expect(resolved).toEqual([target, target]);
  },
);
