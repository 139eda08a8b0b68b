import { Command } from "commander";
import { collectOption } from "../flags/collect-option.ts";
import { withRegistry } from "../flags/registry-flags.ts";
import type { ImageFlags } from "../steps/build-operator-image.ts";
import type { Io } from "../io.ts";

/** `tsop image build` */
export function imageBuildCommand(io: Io): Command {
  const command = new Command("build")
    .description("build the operator's image for all platforms of its base, without a container tool")
    .option("--push <image>", "image to push, such as registry.example.com/team/memcached-operator:v0.0.1")
    .option("--output <output>", "write the image to oci:FOLDER or docker:FILE; can be repeated", collectOption, [])
    .option("-t, --tag <image>", "name of the image in the output, if it is not the pushed one")
    .option("--base <image>", "base image, instead of the one in the Dockerfile")
    .option("-f, --file <file>", "Dockerfile with the settings of the image", "Dockerfile")
    .option("--sbom <file>", "write the bill of materials: CycloneDX, or SPDX if the name ends in .spdx.json")
    .option("--sign", "sign the pushed image and its documents with cosign")
    .addHelpText(
      "after",
      `
The image is the one that docker build makes of the Dockerfile, and has the same digest on every machine. The credentials
of docker login and podman login are used. Examples:
  tsop image build --push registry.example.com/team/memcached-operator:v0.0.1
  tsop image build --output docker:dist/image.tar --tag memcached-operator:dev && kind load image-archive dist/image.tar`,
    )
    .action(async (flags: ImageFlags) => {
      const { buildOperatorImage } = await import("../steps/build-operator-image.ts");
      await buildOperatorImage(io, flags);
    });
  return withRegistry(command);
}
