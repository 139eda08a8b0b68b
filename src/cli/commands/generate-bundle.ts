import { Command } from "commander";
import { writing } from "../steps/apply-plan.ts";
import type { GenerateBundleFlags } from "../steps/write-bundle.ts";
import type { Io } from "../io.ts";
import { withRegistry } from "../flags/registry-flags.ts";

/** `tsop generate bundle` */
export function generateBundleCommand(io: Io): Command {
  const command = new Command("bundle")
    .description("write the OLM bundle of the operator: ClusterServiceVersion, manifests, metadata and Dockerfile")
    .option("-v, --version <version>", "version of the operator, as in 1.2.3 (default: that of the base)")
    .option("--package <name>", "name of the package (default: the project's name)")
    .option("--channels <list>", "channels the bundle belongs to, separated by commas", "alpha")
    .option("--default-channel <channel>", "the package's default channel")
    .option("--input-dir <folder>", "read the operator's manifests here; - is stdin")
    .option("--deploy-dir <folder>", "read the operator's manifests here")
    .option("--crds-dir <folder>", "with --deploy-dir: read CRDs here, too")
    .option("--kustomize-dir <folder>", "holds bases/<package>.clusterserviceversion.yaml", "config/manifests")
    .option("--output-dir <folder>", "write the bundle here (default: bundle)")
    .option("--extra-service-accounts <names>", "more accounts whose roles go into the CSV", splitAtCommas, [])
    .option("--manifests", "write only the manifests")
    .option("--metadata", "write only metadata and Dockerfile")
    .option("--overwrite [bool]", "overwrite existing metadata and Dockerfile", (text) => text !== "false", true)
    .option("--use-image-digests", "name images by their digests, which are asked of their registries")
    .option("--image-digest-map <file>", "with --use-image-digests: digests by image, so that no registry is asked")
    .option("--stdout", "print the manifests and write nothing")
    .option("-q, --quiet", "print errors only")
    .addHelpText(
      "after",
      `
Examples:
  kustomize build config/manifests | tsop generate bundle --version 0.0.1
  tsop generate bundle --deploy-dir deploy --crds-dir config/crd/bases --channels stable,fast`,
    )
    .action(async (flags: GenerateBundleFlags) => {
      const { generateBundle } = await import("../steps/write-bundle.ts");
      await generateBundle(io, flags);
    });
  return withRegistry(writing(command));
}

function splitAtCommas(text: string, before: string[]): string[] {
  return [...before, ...text.split(",").filter(Boolean)];
}
