import { basename, dirname, join, resolve } from "node:path";
import { Command } from "commander";
import { catalogDockerfile, opmImage } from "../../olm/catalog/opm-image.ts";
import type { BundleInImage } from "../../olm/catalog/make-catalog.ts";
import { UsageError } from "../../errors/tsop-error.ts";
import { relativePath } from "../../files/slashes.ts";
import { changeAndReport, writing, type WriteFlags } from "../steps/apply-plan.ts";
import { collectOption } from "../flags/parse-values.ts";
import type { Io } from "../io.ts";
import { registrySettings, withRegistry, type RegistryFlags } from "../flags/registry-flags.ts";

interface CatalogFlags extends RegistryFlags, WriteFlags {
  readonly image: string[];
  readonly outputDir: string;
  readonly push?: string;
  readonly base?: string;
}

/** `tsop bundle catalog` */
export function bundleCatalogCommand(io: Io): Command {
  const command = new Command("catalog")
    .description("write a file-based catalog of bundles, and push the image that serves it or write its Dockerfile")
    .argument("<bundles...>", "images of bundles, or folders, each with an --image")
    .option(
      "--image <image>",
      "the image of a folder's bundle; repeat for each folder, in the same order",
      collectOption,
      [],
    )
    .option("--output-dir <folder>", "folder of the catalog", "catalog")
    .option("--push <image>", "image to push, without Docker, such as registry.example.com/team/name-catalog:v0.0.1")
    .option("--base <image>", `image with opm that the pushed one is built on (default: ${opmImage})`)
    .addHelpText(
      "after",
      `
Examples:
  tsop bundle catalog registry.example.com/team/memcached-operator-bundle:v0.0.1
  tsop bundle catalog ./bundle --image registry.example.com/team/memcached-operator-bundle:v0.0.1
  tsop bundle catalog registry.example.com/team/memcached-operator-bundle:v0.0.1 \\
    --push registry.example.com/team/memcached-operator-catalog:v0.0.1
  docker build -f catalog.Dockerfile -t registry.example.com/team/memcached-operator-catalog:v0.0.1 .`,
    )
    .action(async (names: string[], flags: CatalogFlags) => {
      const { loadBundle } = await import("../../olm/bundle/load-bundle.ts");
      const { openBundle } = await import("../../olm/registry/open-bundle.ts");
      const { makeCatalog } = await import("../../olm/catalog/make-catalog.ts");
      const { parseImageReference } = await import("../../oci/registry/image-reference.ts");
      const images = [...flags.image];
      for (const image of [...images, ...(flags.push === undefined ? [] : [flags.push])]) parseImageReference(image);
      const bundles: BundleInImage[] = [];
      for (const name of names) {
        const folder = resolve(io.cwd, name);
        const isFolder = (await io.disk.list(folder)).length > 0;
        const image = isFolder ? images.shift() : name;
        if (image === undefined) throw new UsageError(`${name} is a folder: give the image of its bundle with --image`);
        if (bundles.some((other) => other.image === image)) throw new UsageError(`two bundles have the image ${image}`);
        bundles.push({ bundle: loadBundle(await openBundle({ name, folder }, registrySettings(io, flags))), image });
      }
      if (images.length > 0) throw new UsageError(`no folder has the image ${images.join(", ")}: give one for each`);
      const { packageName, text } = makeCatalog(bundles);
      const output = resolve(io.cwd, flags.outputDir);
      const root = dirname(output);
      const folder = basename(output);
      const at = (path: string): string => relativePath(io.cwd, path);
      const changes = [
        { type: "create", path: at(join(output, packageName, "catalog.yaml")), text, ifExists: "overwrite" },
        {
          type: "create",
          path: at(join(root, `${folder}.Dockerfile`)),
          text: catalogDockerfile(folder),
          ifExists: "keep",
        },
      ] as const;
      const change = { root: io.cwd, command: "tsop bundle catalog", flags };
      await changeAndReport(io, change, () => ({ root: io.cwd, outside: [at(root)], changes }));
      const { push } = flags;
      if (push === undefined || flags.dryRun) return;
      const { pushCatalogImage } = await import("../steps/push-and-print.ts");
      await pushCatalogImage(io, output, { ...flags, push });
    });
  return withRegistry(writing(command));
}
