import { join, resolve } from "node:path";
import { Command } from "commander";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import { relativePath } from "../../files/slashes.ts";
import { applyAndReport, writing, changeFolder, type WriteFlags } from "../steps/apply-plan.ts";
import type { Io } from "../io.ts";

interface PackageFlags extends WriteFlags {
  readonly outputDir: string;
  readonly imageTagBase?: string;
  readonly buildCmd?: string;
}

/** `tsop pkgman-to-bundle` */
export function pkgmanToBundleCommand(io: Io): Command {
  const command = new Command("pkgman-to-bundle")
    .description("convert package manifests, the older format of operators for OLM, to bundles")
    .argument("<folder>", "folder with NAME.package.yaml and a folder for each version")
    .option("--output-dir <folder>", "folder of the bundles, which must not exist", "bundles")
    .option("--image-tag-base <image>", "also build an image of each bundle, with the version's folder as its tag")
    .option("--build-cmd <command>", "command that builds an image, to which its name is added (default: docker build)")
    .addHelpText(
      "after",
      `
Examples:
  tsop pkgman-to-bundle packagemanifests
  tsop pkgman-to-bundle packagemanifests --image-tag-base registry.example.com/team/name-bundle \\
    --build-cmd "podman build -f bundle.Dockerfile . -t"
Without Docker, in the folder of a bundle:
  tsop bundle build --push registry.example.com/team/name-bundle:v0.0.1`,
    )
    .action(async (folder: string, flags: PackageFlags) => {
      if (flags.buildCmd && !flags.imageTagBase) throw new UsageError("--build-cmd needs --image-tag-base");
      const { convertPackage } = await import("../../olm/generate/convert-package.ts");
      const root = io.cwd;
      const outputDir = relativePath(root, resolve(root, flags.outputDir));
      const work = async (): Promise<void> => {
        if ((await io.disk.list(join(root, outputDir))).length > 0) {
          throw new TsopError("TSOP_OUTPUT_EXISTS", { folder: flags.outputDir });
        }
        const warn = (text: string): void => io.stderr.write(`warning: ${text}\n`);
        const converted = await convertPackage({ folder: resolve(root, folder), root, outputDir, warn }, io.disk);
        await applyAndReport(io, converted.plan, flags);
        if (flags.dryRun || !flags.imageTagBase) return;
        for (const bundle of converted.bundles) {
          await buildImage(io, join(root, bundle.folder), `${flags.imageTagBase}:${bundle.version}`, flags.buildCmd);
        }
      };
      await changeFolder(io, { root, command: "tsop pkgman-to-bundle", flags }, work);
    });
  return writing(command);
}

async function buildImage(io: Io, cwd: string, image: string, custom: string | undefined): Promise<void> {
  const words = custom
    ? [...custom.trim().split(/ +/), image]
    : ["docker", "build", "-f", dockerfile, "-t", image, "."];
  const [program, ...args] = words as [string, ...string[]];
  const { exitCode } = await io.run(program, args, { cwd, output: "show", signal: io.signal });
  if (io.signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
  if (exitCode !== 0) {
    throw new TsopError("TSOP_IMAGE_BUILD", { command: words.join(" "), code: exitCode, folder: cwd, image });
  }
  io.stderr.write(`  built    ${image}\n`);
}

const dockerfile = "bundle.Dockerfile";
