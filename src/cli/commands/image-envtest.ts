import { Command } from "commander";
import { nodeImage } from "../../project/scaffold/init/node-image.ts";
import { collectOption } from "../flags/collect-option.ts";
import { withRegistry } from "../flags/registry-flags.ts";
import type { EnvtestImageFlags } from "../steps/build-envtest-image.ts";
import type { Io } from "../io.ts";

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
      const { buildEnvtest } = await import("../steps/build-envtest-image.ts");
      await buildEnvtest(io, flags);
    });
  return withRegistry(command);
}
