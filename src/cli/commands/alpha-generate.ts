import { readdir, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Command } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "../package/tsop-spec.ts";

interface AlphaGenerateFlags {
  readonly inputDir: string;
  readonly outputDir: string;
}

/** `tsop alpha generate` */
export function alphaGenerateCommand(io: Io): Command {
  return new Command("generate")
    .description("scaffold the project that PROJECT records again, in another folder")
    .option("--input-dir <dir>", "folder of the project", ".")
    .requiredOption("--output-dir <dir>", "folder for the new project; it must be empty or absent")
    .addHelpText(
      "after",
      `
Examples:
  tsop alpha generate --output-dir ../fresh
  tsop alpha generate --input-dir ../memcached-operator --output-dir fresh`,
    )
    .action(async ({ inputDir, outputDir }: AlphaGenerateFlags) => {
      const { makeFolder } = await import("../../files/make-folder.ts");
      const { loadProject } = await import("../../project/load-project.ts");
      const { projectCommands } = await import("../../project/scaffold/update/project-commands.ts");
      const { runTsop } = await import("../steps/run-tsop.ts");
      const loaded = await loadProject(resolve(io.cwd, inputDir), io.disk);
      const folder = resolve(io.cwd, outputDir);
      const created = await makeFolder(folder);
      if ((await readdir(folder)).length > 0) throw new TsopError("TSOP_OUTPUT_NOT_EMPTY", { folder });
      const own = await loadOwnPackage(io.disk);
      const commands = await projectCommands(loaded, io.disk);
      try {
        await runTsop(io, own, { folder, commands });
      } catch (error) {
        await rm(created ?? folder, { recursive: true, force: true });
        if (created === undefined) await makeFolder(folder);
        throw error;
      }
      const count = commands.length;
      io.stderr.write(`Scaffolded ${folder} by ${count} commands. Next:\n  npm install && make generate manifests\n`);
    });
}
