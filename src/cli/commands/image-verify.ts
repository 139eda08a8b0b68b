import { Command } from "commander";
import { withRegistry, type RegistryFlags } from "../flags/registry-flags.ts";
import type { Io } from "../io.ts";

interface VerifyFlags extends RegistryFlags {
  readonly base?: string;
  readonly file: string;
  readonly rebuild: boolean;
}

/** `tsop image verify` */
export function imageVerifyCommand(io: Io): Command {
  const command = new Command("verify")
    .description("compare an operator's image with its bill of materials, its provenance and its sources")
    .argument("<image>", "the image")
    .option("--base <image>", "base image that it was built with, if it is not the one in the Dockerfile")
    .option("-f, --file <file>", "Dockerfile with the settings of the image", "Dockerfile")
    .option("--no-rebuild", "do not build the image again from its commit")
    .addHelpText(
      "after",
      `
The image is built again in a clone of this repository, with the packages of the lock file. Example:
  tsop image verify registry.example.com/team/memcached-operator:v0.0.1`,
    )
    .action(async (image: string, flags: VerifyFlags) => {
      const { verifyOperatorImage } = await import("../steps/verify-operator-image.ts");
      await verifyOperatorImage(io, image, flags);
    });
  return withRegistry(command);
}
