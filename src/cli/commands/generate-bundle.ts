import { Command } from "commander";
import { writing } from "../steps/apply-plan.ts";
import type { GenerateBundleFlags } from "../steps/write-bundle.ts";
import type { Io } from "../io.ts";
import { collectList, parseBoolean } from "../flags/parse-values.ts";
import { withRegistry } from "../flags/registry-flags.ts";

/** `tsop generate bundle` */
export function generateBundleCommand(io: Io): Command {
  const command = new Command("bundle")
    .description("write the OLM bundle of the operator: ClusterServiceVersion, manifests, metadata and Dockerfile")
    .option("-v, --version <version>", "version of the operator, such as 1.2.3 (default: the version of the base)")
    .option("--package <name>", "name of the package (default: the project's name)")
    .option("--channels <list>", "channels of the bundle, separated by commas", "alpha")
    .option("--default-channel <channel>", "the package's default channel")
    .option("--input-dir <folder>", "read the operator's manifests from this folder; - means stdin")
    .option("--deploy-dir <folder>", "read the operator's manifests from this folder")
    .option("--crds-dir <folder>", "with --deploy-dir: also read CRDs from this folder")
    .option(
      "--kustomize-dir <folder>",
      "folder that contains bases/<package>.clusterserviceversion.yaml",
      "config/manifests",
    )
    .option("--output-dir <folder>", "folder of the bundle (default: bundle)")
    .option(
      "--extra-service-accounts <names>",
      "additional service accounts whose roles are included in the CSV",
      collectList,
      [],
    )
    .option("--manifests", "write only the manifests")
    .option("--metadata", "write only metadata and Dockerfile")
    .option("--overwrite [bool]", "overwrite existing metadata and Dockerfile", parseBoolean, true)
    .option("--use-image-digests", "refer to images by digest; the registries are asked for the digests")
    .option(
      "--image-digest-map <file>",
      "with --use-image-digests: a map from images to digests, instead of asking registries",
    )
    .option("--stdout", "print the manifests and write nothing")
    .option("-q, --quiet", "print errors only")
    .addHelpText(
      "after",
      `
Examples:
  kubectl kustomize config/manifests | tsop generate bundle --version 0.0.1
  tsop generate bundle --deploy-dir deploy --crds-dir config/crd/bases --channels stable,fast`,
    )
    .action(async (flags: GenerateBundleFlags) => {
      const { generateBundle } = await import("../steps/write-bundle.ts");
      await generateBundle(io, flags);
    });
  return withRegistry(writing(command));
}
