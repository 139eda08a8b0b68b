import { resolve } from "node:path";
import { Command } from "commander";
import { findKubernetesVersion, kubernetesVersion, kubernetesVersions } from "../../apimachinery/kubernetes-version.ts";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import { collectPaths, parsePath, parsePort } from "../flags/parse-values.ts";
import type { Address } from "../../sandbox/envtest/serve-envtest.ts";
import type { Io } from "../io.ts";

interface EnvtestFlags {
  readonly serve?: true;
  readonly apply?: readonly string[];
  readonly listen?: Address;
  readonly kubeconfig?: string;
  /** True without a version. */
  readonly kubernetesVersion?: string | true;
}

/** `tsop envtest` */
export function envtestCommand(io: Io): Command {
  return new Command("envtest")
    .description("print a folder for KUBEBUILDER_ASSETS, whose programs start the embedded API server for tests in Go")
    .option("--serve", "serve for tests in other languages: print the path of a kubeconfig, and end with the caller")
    .option(
      "--apply <path>",
      "with --serve: file or folder to apply before the path is printed; repeatable",
      collectPaths,
    )
    .option("--listen <address>", "with --serve: listen on this address and port: 0.0.0.0:6443", parseAddress)
    .option("--kubeconfig <file>", "with --serve: write the kubeconfig to this file", parsePath)
    .option("--kubernetes-version [version]", "serve this version; without one, print the newest that is served")
    .addHelpText(
      "after",
      '\nExamples:\n  export KUBEBUILDER_ASSETS="$(npx tsop envtest)" && go test ./...\n  tsop envtest --serve --apply config/crd/bases',
    )
    .action(async ({ serve, apply, listen, kubeconfig, kubernetesVersion: wanted }: EnvtestFlags) => {
      for (const [name, value] of Object.entries({ apply, listen, kubeconfig }))
        if (value !== undefined && !serve) throw new UsageError(`--${name} needs --serve`);
      if (wanted === true) return io.stdout.write(`${kubernetesVersion}\n`);
      const version = wanted === undefined ? kubernetesVersion : findKubernetesVersion(wanted);
      if (version === undefined)
        throw new TsopError("TSOP_ENVTEST_VERSION", {
          served: kubernetesVersions.join(" and "),
          wanted: String(wanted),
        });
      const emit = (line: string): void => io.stdout.write(`${line}\n`);
      if (serve) {
        const { serveEnvtest } = await import("../../sandbox/envtest/serve-envtest.ts");
        const file = kubeconfig === undefined ? undefined : resolve(io.cwd, kubeconfig);
        return serveEnvtest(
          { apply: apply ?? [], kubernetesVersion: version, listen, kubeconfig: file },
          { ...io, signal: io.signal, emit },
        );
      }
      const { writePrograms } = await import("../../sandbox/envtest/write-programs.ts");
      emit(await writePrograms(io.env, version));
    });
}

function parseAddress(text: string): Address {
  const [, host = "", port = ""] = /^(.*):(.*)$/.exec(text) ?? [];
  return { host: host.replace(/^\[(.*)\]$/, "$1") || "0.0.0.0", port: parsePort(port) };
}
