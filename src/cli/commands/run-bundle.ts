import { Command, Option } from "commander";
import type { RegistryPodOptions } from "../../olm/cluster/registry-objects.ts";
import { withNamespace, type ClusterFlags } from "../flags/cluster-flags.ts";
import { collectPaths, parsePort } from "../flags/parse-values.ts";
import { refusingFlags, withRegistry, registrySettings, type RegistryFlags } from "../flags/registry-flags.ts";
import type { Io } from "../io.ts";
import { opmImage } from "../../olm/catalog/opm-image.ts";
import { loadProject } from "../../project/load-project.ts";
import { namesCluster } from "../../local/target/named-cluster.ts";
import { confirmBundle } from "../steps/confirm-bundle.ts";
import { connectCluster } from "../steps/open-cluster.ts";
import { runCommandsHelp, warnOfCommands } from "../flags/server-flags.ts";
import { runBundleLocally, type LocalBundleFlags } from "../steps/run-bundle-locally.ts";
import { resolve } from "node:path";
import type { RunnableBundle } from "../../olm/cluster/run-catalog.ts";

interface PodFlags {
  readonly indexImage: string;
  readonly decompressionImage: string;
  readonly serviceAccount?: string;
  readonly imagePullPolicy: string;
  readonly pullSecretName?: string;
  readonly securityContextConfig: "legacy" | "restricted";
}

interface RunBundleFlags extends ClusterFlags, RegistryFlags, PodFlags, LocalBundleFlags {
  readonly installMode?: string;
  readonly apply?: readonly string[];
  readonly force?: true;
  readonly yes?: true;
}

const yesHelp = "run a bundle that is not the project's own without a question";

/** `tsop run bundle` */
export function runBundleCommand(io: Io): Command {
  const command = withNamespace(new Command("bundle"))
    .description("install an operator from its bundle by OLM: on a cluster, or on your machine without one")
    .argument("<bundle>", "the bundle's folder, or its image")
    .option("--install-mode <mode>", "AllNamespaces, OwnNamespace, SingleNamespace=NS or MultiNamespace=NS,NS")
    .option("--replace", "remove what an earlier run has installed, and its custom resources, first")
    .option("--apply <path>", "file or folder to apply once the operator runs; repeatable", collectPaths)
    .option("-y, --yes", yesHelp)
    .option("--port <number>", "without a cluster: port of the embedded API server", parsePort)
    .option("--run-commands", `without a cluster: ${runCommandsHelp}`)
    .addOption(
      new Option("--log-format <format>", "without a cluster: form of the operator's log")
        .choices(["pretty", "json"])
        .default("pretty"),
    )
    .addHelpText("after", examples)
    .action(async (name: string, flags: RunBundleFlags) => {
      const { parseInstallMode } = await import("../../olm/cluster/install-mode.ts");
      const installMode = flags.installMode === undefined ? undefined : parseInstallMode(flags.installMode);
      const { readGiven } = await import("../../local/apply-changed.ts");
      // A wrong path must neither start a server nor leave the operator installed.
      const manifests = await readGiven(io.cwd, flags.apply ?? []);
      const host = namesCluster(flags) ? await connectCluster(io, flags) : undefined;
      if (!host) await loadProject(io.cwd, io.disk);
      const runnable = await loadRunnable(io, name, flags);
      await confirmBundle(io, { runnable, name, command: "run bundle", yes: flags.yes });
      const installation = { runnable, options: { ...podOptions(flags), installMode }, manifests, flags };
      if (!host) {
        if (flags.runCommands) warnOfCommands(io);
        return runBundleLocally(io, installation);
      }
      const { installBundle } = await import("../steps/install-bundle.ts");
      const csv = await installBundle(io, host, installation);
      io.stdout.write(`${csv} is installed\n`);
    });
  return withRegistry(withPod(command));
}

/** `tsop run bundle-upgrade` */
export function runBundleUpgradeCommand(io: Io): Command {
  const command = withNamespace(new Command("bundle-upgrade"))
    .description("upgrade an operator that run bundle has installed")
    .argument("<bundle>", "the folder or the image of the new bundle")
    .option("-y, --yes", yesHelp)
    .option("--force", "replace the installed operator by an older version, or by another bundle of the same one, too")
    .addHelpText("after", "\nExample:\n  KUBECONFIG=.tsop/kubeconfig tsop run bundle-upgrade ./bundle")
    .action(async (name: string, flags: RunBundleFlags) => {
      const host = await connectCluster(io, flags);
      const runnable = await loadRunnable(io, name, flags);
      await confirmBundle(io, { runnable, name, command: "run bundle-upgrade", yes: flags.yes });
      const { upgradeBundle } = await import("../../olm/cluster/upgrade-bundle.ts");
      const csv = await upgradeBundle(host, runnable, { ...podOptions(flags), force: flags.force });
      io.stdout.write(`${csv} is installed\n`);
    });
  return withRegistry(withPod(command));
}

/** Adds the flags of the pod that serves the catalog. */
function withPod(command: Command): Command {
  return refusingFlags(command)
    .option("--index-image <image>", "image with opm, which serves the catalog", opmImage)
    .option(
      "--decompression-image <image>",
      "image with cat and gzip, which unpacks the catalog",
      "registry.access.redhat.com/ubi9/ubi:9.8",
    )
    .option("--service-account <name>", "service account of the registry pod")
    .addOption(
      new Option("--image-pull-policy <policy>", "pull policy of the index image")
        .choices(["Always", "IfNotPresent", "Never"])
        .default("Always"),
    )
    .option(
      "--pull-secret-name <name>",
      "secret in the namespace, with credentials to pull the bundle and the index image",
    )
    .addOption(
      new Option("--security-context-config <kind>", "security context of the registry pod")
        .choices(["legacy", "restricted"])
        .default("legacy"),
    );
}

function podOptions(flags: PodFlags): RegistryPodOptions {
  const { indexImage, decompressionImage, serviceAccount, imagePullPolicy: pullPolicy } = flags;
  const { pullSecretName: pullSecret, securityContextConfig: securityContext } = flags;
  return { indexImage, decompressionImage, serviceAccount, pullPolicy, pullSecret, securityContext };
}

const examples = `
Without --kubeconfig and --context, an embedded API server with a simulated OLM is started, and the operator of this project
runs as a process under the permissions of the bundle, until Ctrl-C. A folder needs no registry. KUBECONFIG is ignored.

Examples:
  tsop run bundle ./bundle --apply config/samples
  tsop run bundle registry.example.com/team/memcached-operator-bundle:v0.0.1 --context staging --yes
`;

/** Loads a bundle from its folder or its image. */
async function loadRunnable(io: Io, name: string, flags: RegistryFlags): Promise<RunnableBundle> {
  const { loadBundle } = await import("../../olm/bundle/load-bundle.ts");
  const { openBundle } = await import("../../olm/registry/open-bundle.ts");
  const folder = resolve(io.cwd, name);
  const isFolder = (await io.disk.list(folder)).length > 0;
  const bundle = loadBundle(await openBundle({ name, folder }, registrySettings(io, flags)));
  return { bundle, image: isFolder ? "" : name };
}
