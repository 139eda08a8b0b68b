import { resolve } from "node:path";
import { Option, type Command } from "commander";
import { UsageError } from "../../errors/tsop-error.ts";
import { parseImageReference } from "../../oci/registry/image-reference.ts";
import type { RegistrySettings } from "../../oci/registry/connect-registry.ts";
import type { Io } from "../io.ts";

/** Flags of every command that connects to registries. */
export interface RegistryFlags {
  readonly plainHttp?: boolean;
  readonly caFile?: string;
  readonly useHttp?: boolean;
}

/** Adds these flags to a command. */
export function withRegistry(command: Command): Command {
  return command
    .option("--plain-http", "connect to registries without TLS (always done for registries on this machine)")
    .option("--ca-file <file>", "trust registry certificates signed by this authority (PEM)")
    .addOption(new Option("--use-http", "operator-sdk's name of --plain-http").hideHelp());
}

/** Adds the flags of operator-sdk that have no counterpart, as errors that name the replacement. */
export function refusingFlags(command: Command): Command {
  const refuse = (flags: string, instead: string): Option =>
    new Option(flags)
      .hideHelp()
      .preset("")
      .argParser(() => {
        throw new UsageError(`${flags.split(" ")[0]}: ${instead}`);
      });
  const authority = "a certificate is always verified: name the registry's authority with --ca-file FILE.";
  return command
    .addOption(refuse("--skip-tls-verify [bool]", authority))
    .addOption(refuse("--skip-tls [bool]", authority))
    .addOption(refuse("--ca-secret-name <name>", "tsop pulls the bundle, not a pod: use --ca-file FILE."));
}

/**
 * Returns the settings of a command that pushes an image on a base: `--plain-http` is about the registries of images that
 * its flags name, and not of the usual base.
 */
export function pushSettings(
  io: Pick<Io, "cwd" | "env" | "disk">,
  flags: RegistryFlags & { readonly push?: string; readonly base?: string | undefined },
): RegistrySettings & Pick<Io, "disk"> {
  const named = [flags.push, flags.base].filter((name) => name !== undefined);
  return { ...registrySettings(io, flags), plainHosts: named.map((name) => parseImageReference(name).host) };
}

/** Returns the registry settings of the flags and the environment. */
export function registrySettings(
  io: Pick<Io, "cwd" | "env" | "disk">,
  flags: RegistryFlags,
): RegistrySettings & Pick<Io, "disk"> {
  const caFile = flags.caFile === undefined ? undefined : resolve(io.cwd, flags.caFile);
  return { plainHttp: flags.plainHttp ?? flags.useHttp, caFile, env: io.env, disk: io.disk };
}
