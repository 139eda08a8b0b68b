import { resolve } from "node:path";
import type { Command } from "commander";
import type { RegistrySettings } from "../../olm/registry/connect-registry.ts";
import type { Io } from "../io.ts";

/** Flags of every command that connects to registries. */
export interface RegistryFlags {
  readonly plainHttp?: boolean;
  readonly caFile?: string;
}

/** Adds these flags to a command. */
export function withRegistry(command: Command): Command {
  return command
    .option("--plain-http", "connect to registries without TLS (always done for registries on this machine)")
    .option("--ca-file <file>", "trust registry certificates signed by this authority (PEM)");
}

/** Returns the registry settings of the flags and the environment. */
export function registrySettings(
  io: Pick<Io, "cwd" | "env" | "disk">,
  flags: RegistryFlags,
): RegistrySettings & Pick<Io, "disk"> {
  const caFile = flags.caFile === undefined ? undefined : resolve(io.cwd, flags.caFile);
  return { plainHttp: flags.plainHttp, caFile, env: io.env, disk: io.disk };
}
