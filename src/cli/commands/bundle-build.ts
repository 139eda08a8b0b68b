import { resolve } from "node:path";
import { Command } from "commander";
import { relativePath } from "../../files/slashes.ts";
import { registrySettings, withRegistry, type RegistryFlags } from "../flags/registry-flags.ts";
import type { Io } from "../io.ts";

interface BuildFlags extends RegistryFlags {
  readonly push: string;
  readonly file: string;
}

/** `tsop bundle build` */
export function bundleBuildCommand(io: Io): Command {
  const command = new Command("build")
    .description("build the image of a bundle and push it to its registry, without Docker")
    .argument("[bundle]", "the bundle's folder", "bundle")
    .requiredOption("--push <image>", "image to push, such as registry.example.com/team/name-bundle:v0.0.1")
    .option("-f, --file <file>", "the bundle's Dockerfile", "bundle.Dockerfile")
    .addHelpText(
      "after",
      `
The credentials of docker login are used. Examples:
  tsop bundle build --push registry.example.com/team/memcached-operator-bundle:v0.0.1
  tsop bundle validate registry.example.com/team/memcached-operator-bundle:v0.0.1`,
    )
    .action(async (bundle: string, flags: BuildFlags) => {
      const { buildBundleImage } = await import("../../olm/registry/bundle-image.ts");
      const { connectRegistry } = await import("../../oci/registry/connect-registry.ts");
      const { pushAndPrint } = await import("../steps/push-and-print.ts");
      const root = io.cwd;
      const folder = relativePath(root, resolve(root, bundle));
      const image = await buildBundleImage({ root, folder, dockerfile: flags.file }, io.disk);
      await pushAndPrint(io, flags.push, image, await connectRegistry(registrySettings(io, flags)));
    });
  return withRegistry(command);
}
