import { untilAborted } from "../../client/transport/abortable.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { NamespaceKind } from "../../sandbox/simulation/context/simulated-kinds.ts";
import type { OlmHost } from "../../olm/cluster/olm-host.ts";
import type { ClusterFlags } from "../flags/cluster-flags.ts";
import type { Io } from "../io.ts";
import type { Installation } from "./install-bundle.ts";

/** The flags of a run without a cluster. */
export interface LocalBundleFlags extends Pick<ClusterFlags, "namespace" | "timeout"> {
  readonly replace?: true;
  readonly port?: number;
  readonly runCommands?: true;
  readonly logFormat: "pretty" | "json";
}

/** Installs a bundle in a sandbox of its own, and runs the project's operator until Ctrl-C. */
export async function runBundleLocally(
  io: Io,
  { flags, ...installation }: Installation & { readonly flags: LocalBundleFlags },
): Promise<void> {
  const { openBundleSandbox } = await import("../../local/bundle/open-bundle-sandbox.ts");
  const { showLocal } = await import("./show-local.ts");
  const { installBundle } = await import("./install-bundle.ts");
  const { cwd, env, disk, signal } = io;
  const emit = showLocal(io, flags.logFormat);
  const sandbox = await openBundleSandbox(flags, { cwd, env, disk, signal, emit });
  let isInstalled = false;
  const namespace = flags.namespace ?? sandbox.config.namespace;
  try {
    const host = {
      client: sandbox.client,
      namespace,
      signal,
      timeoutMs: flags.timeout,
      emit: (line: string): void => io.stderr.write(`${line}\n`),
    };
    await createNamespaces(host, [namespace, ...(installation.options.installMode?.namespaces ?? [])]);
    const csv = await installBundle(io, host, { ...installation, flags });
    isInstalled = true;
    io.stderr.write(`${csv} is installed and runs; Ctrl-C stops it and the server\n`);
    await untilAborted(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    // An interruption is not a failure, once all is done that was asked for.
    if (!isInstalled) throw new TsopError("TSOP_INTERRUPTED", {}, { cause: error });
  } finally {
    await sandbox.close();
  }
}

/** Creates namespaces that are absent: nobody could create them before, as the server is new. */
async function createNamespaces({ client, emit }: OlmHost, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (await client.getOrUndefined(NamespaceKind, { name })) continue;
    await client.create(NamespaceKind, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    emit(`created Namespace ${name}`);
  }
}
