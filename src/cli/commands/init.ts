import { dirname } from "node:path";
import { Command } from "commander";
import { applyAndReport, writing, changeFolder, type WriteFlags } from "../steps/apply-plan.ts";
import { addFlags } from "../flags/add-flags.ts";
import { parsePlugins, refuseGoFlags } from "../flags/go-words.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "../package/tsop-spec.ts";
import { initFlags, type InitFlags } from "../../project/scaffold/init/init-flags.ts";
import { packageManagerWords } from "../../project/scaffold/init/package-manager.ts";
import { licenseOptions } from "../flags/license-options.ts";

/** `tsop init` */
export function initCommand(io: Io): Command {
  const command = addFlags(new Command("init"), initFlags)
    .description("start a project in the current folder")
    .addHelpText(
      "after",
      `
Examples:
  tsop init --domain example.com
  tsop init --domain example.com --project-name my-operator --owner "The Authors"
  tsop init --domain example.com --multigroup --skip-install --dry-run`,
    )
    .action(async (flags: InitFlags & WriteFlags) => {
      const { tsopSource, packIntoVendor } = await import("../package/tsop-spec.ts");
      const { planInit } = await import("../../project/scaffold/init/plan-init.ts");
      parsePlugins(flags.plugins);
      const root = io.cwd;
      const own = await loadOwnPackage(io.disk);
      const source = tsopSource(own, flags.tsop);
      const packageManagerVersion = await managerVersion(io, flags);
      const recorded = { tsopVersion: own.version, tsopSpec: source.spec, packageManagerVersion };
      const options = { ...flags, ...licenseOptions(io, flags), root, ...recorded };
      const applied = await changeFolder(io, { root, command: "tsop init", flags }, async () => {
        const plan = await planInit(options, io.disk);
        const apply = (): ReturnType<typeof applyAndReport> => applyAndReport(io, plan, flags);
        return source.pack && !flags.dryRun ? packIntoVendor(io, { own, root }, apply) : apply();
      });
      if (!applied) return;
      await warnOfOuterProject(io);
      if (!flags.skipInstall) {
        const { installDependencies } = await import("../package/install-dependencies.ts");
        await installDependencies(io, root, flags.packageManager);
      }
      const install = flags.skipInstall ? `  ${flags.packageManager} install\n` : "";
      const { exec } = packageManagerWords[flags.packageManager];
      io.stderr.write(
        `\nNext: define a kind with\n${install}  ${exec} tsop create api --group <group> --kind <Kind>\n`,
      );
    });
  return refuseGoFlags(writing(command), {
    "fetch-deps": "use --skip-install to skip the installation",
    "skip-go-version-check": "omit it: Go is not needed",
    "component-config": "omit it: main.ts is configured by flags",
  });
}

/** A project in a folder of another one is a slip more often than a plan. */
async function warnOfOuterProject({ cwd, disk, stderr }: Io): Promise<void> {
  const { outerProjectRoot } = await import("../../project/load-project.ts");
  const outer = await outerProjectRoot(dirname(cwd), disk);
  if (outer === undefined || outer === cwd) return;
  stderr.write(`warning: this folder is inside of the project ${outer}; commands here work on the new project\n`);
}

/** Returns the version to pin. npm comes with Node, and its version is seldom pinned. */
async function managerVersion(io: Io, { packageManager, skipInstall }: InitFlags): Promise<string | undefined> {
  if (packageManager === "npm" || skipInstall) return undefined;
  const { packageManagerVersion } = await import("../package/install-dependencies.ts");
  return packageManagerVersion(io, io.cwd, packageManager);
}
