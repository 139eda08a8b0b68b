import { Command } from "commander";
import { collectOption } from "../flags/parse-values.ts";
import { withRegistry } from "../flags/registry-flags.ts";
import type { ImageFlags } from "../steps/build-operator-image.ts";
import type { Io } from "../io.ts";
import { nodeImage } from "../../project/scaffold/init/node-image.ts";
import type { VerifyFlags } from "../steps/verify-operator-image.ts";
import type { EnvtestImageFlags } from "../steps/write-image.ts";

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

/** `tsop image envtest` */
export function imageEnvtestCommand(io: Io): Command {
  const command = new Command("envtest")
    .description("build an image of the embedded API server, for Testcontainers and services of workflows")
    .option("--push <image>", "image to push, such as registry.example.com/team/tsop-envtest:v0.1")
    .option("--output <output>", "write the image to oci:FOLDER or docker:FILE; can be repeated", collectOption, [])
    .option("-t, --tag <image>", "name of the image in the output, if it is not the pushed one")
    .option("--base <image>", "base image with Node", nodeImage)
    .addHelpText(
      "after",
      `
The image listens on port 6443, and writes a kubeconfig to /tmp/kubeconfig. Examples:
  tsop image envtest --push registry.example.com/team/tsop-envtest:v0.1
  tsop image envtest --output docker:envtest.tar --tag tsop-envtest:dev && docker load --input envtest.tar`,
    )
    .action(async (flags: EnvtestImageFlags) => {
      const { buildEnvtest } = await import("../steps/write-image.ts");
      await buildEnvtest(io, flags);
    });
  return withRegistry(command);
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
