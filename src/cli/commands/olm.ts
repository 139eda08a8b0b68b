import { resolve } from "node:path";
import { Command, Option } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Manifest } from "../../client/manifests/read-manifests.ts";
import { defaultOlmVersion } from "../../olm/cluster/olm-release.ts";
import { withCluster, type ClusterFlags } from "../flags/cluster-flags.ts";
import { parsePath } from "../flags/parse-values.ts";
import type { Io } from "../io.ts";
import { formatTable } from "../terminal/format-table.ts";
import { connectCluster } from "../steps/open-cluster.ts";
import { confirmOrRefuse } from "../steps/confirm-or-refuse.ts";

const nothingRemoved = "OLM is not installed: nothing was removed\n";

interface OlmFlags extends ClusterFlags {
  readonly version: string;
  readonly manifests?: string;
  readonly force?: true;
}

/** `tsop olm install` */
export function olmInstallCommand(io: Io): Command {
  return withRelease(new Command("install"))
    .description("install the Operator Lifecycle Manager on a cluster, or complete what an earlier try has left")
    .addHelpText(
      "after",
      "\nExamples:\n  tsop olm install --context staging\n  tsop olm install --manifests ./olm-v0.38.0   without a network",
    )
    .action(async (flags: OlmFlags) => {
      const host = await connectCluster(io, flags);
      const release = await readRelease(io, flags);
      const { installOlm } = await import("../../olm/cluster/install-olm.ts");
      await installOlm(host, release);
      io.stdout.write("OLM is installed\n");
    });
}

/** `tsop olm status` */
export function olmStatusCommand(io: Io): Command {
  return withRelease(new Command("status"))
    .description("show which objects of OLM are on a cluster")
    .addHelpText("after", "\nExample:\n  tsop olm status --context staging")
    .action(async (flags: OlmFlags) => {
      const host = await connectCluster(io, flags);
      const { requireOlm } = await import("../../olm/cluster/olm-host.ts");
      const { olmStatus } = await import("../../olm/cluster/olm-status.ts");
      await requireOlm(host);
      const rows = await olmStatus(host, await readRelease(io, flags));
      const lines = rows.map(({ name, namespace, kind, status }) => [name, namespace, kind, status]);
      io.stdout.write(formatTable([["NAME", "NAMESPACE", "KIND", "STATUS"], ...lines]));
    });
}

/** `tsop olm uninstall` */
export function olmUninstallCommand(io: Io): Command {
  return withRelease(new Command("uninstall"))
    .description("remove the Operator Lifecycle Manager from a cluster")
    .addHelpText("after", "\nExample:\n  tsop olm uninstall --context staging")
    .option("--force", "remove the objects of its users as well")
    .action(async (flags: OlmFlags) => {
      const host = await connectCluster(io, flags);
      const { hasTracesOfOlm } = await import("../../olm/cluster/olm-status.ts");
      // The author of other manifests may have chosen other names.
      if (flags.manifests === undefined && !(await hasTracesOfOlm(host))) {
        io.stdout.write(nothingRemoved);
        return;
      }
      const release = await readRelease(io, flags);
      const { uninstallOlm } = await import("../../olm/cluster/uninstall-olm.ts");
      const { usersOfOlm } = await import("../../olm/cluster/olm-users.ts");
      const { objectTitle } = await import("../../olm/cluster/await-gone.ts");
      const { ApiCaller } = await import("../../client/calls/api-caller.ts");
      const { discoverAll, preferredKinds } = await import("../../client/discovery/discover-all.ts");
      const served = preferredKinds(await discoverAll(new ApiCaller(host.transport), io.signal));
      const users = await usersOfOlm(host, release, served);
      if (users.length > 0 && !flags.force) {
        const names = users.map(({ kind, object }) => objectTitle(kind.kind, object));
        const refuse = new TsopError("TSOP_OLM_IN_USE", { objects: names.join(", ") });
        await confirmOrRefuse(io, { lines: names, message: "Delete these as well?", flag: "--force", refuse });
      }
      const isRemoved = await uninstallOlm(host, release, users);
      io.stdout.write(isRemoved ? "OLM is uninstalled\n" : nothingRemoved);
    });
}

function withRelease(command: Command): Command {
  return withCluster(command)
    .option("--version <version>", "release of OLM", defaultOlmVersion)
    .addOption(
      new Option("--manifests <source>", "folder or URL with a release's crds.yaml and olm.yaml, instead of --version")
        .argParser(parsePath)
        .conflicts("version"),
    );
}

async function readRelease(io: Io, { version, manifests, timeout: timeoutMs }: OlmFlags): Promise<Manifest[]> {
  const { readRelease } = await import("../../olm/cluster/olm-release.ts");
  const isUrl = manifests !== undefined && /^https?:/.test(manifests);
  const source = manifests === undefined || isUrl ? manifests : resolve(io.cwd, manifests);
  return readRelease({ version, manifests: source }, { signal: io.signal, timeoutMs });
}
