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
    .option("--plain-http", "speak to registries without TLS (those on this machine: always)")
    .option("--ca-file <file>", "trust registries whose certificates this authority signed (PEM)");
}

/** Returns the registry settings of the flags and the environment. */
export function registrySettings(
  io: Pick<Io, "cwd" | "env" | "disk">,
  flags: RegistryFlags,
): RegistrySettings & Pick<Io, "disk"> {
  const caFile = flags.caFile === undefined ? undefined : resolve(io.cwd, flags.caFile);
  return { plainHttp: flags.plainHttp, caFile, env: io.env, disk: io.disk };
}
