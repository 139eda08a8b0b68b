import { execFile } from "node:child_process";
import { createClient } from "../../../src/client/create-client.ts";
import type { ClientConfig } from "../../../src/client/config/config.ts";
import { HttpTransport } from "../../../src/client/transport/http-transport.ts";
import { cleanUp, planCleanup } from "../../../src/olm/cluster/cleanup.ts";
import type { OlmHost } from "../../../src/olm/cluster/olm-host.ts";
import { parseInstallMode } from "../../../src/olm/cluster/install-mode.ts";
import { runBundle } from "../../../src/olm/cluster/run-bundle.ts";
import type { RunnableBundle } from "../../../src/olm/cluster/run-catalog.ts";
import { upgradeBundle } from "../../../src/olm/cluster/upgrade-bundle.ts";

interface ToolFlags {
  readonly installMode?: string;
  readonly serviceAccount?: string;
  readonly pullSecret?: string;
  readonly securityContext?: "legacy" | "restricted";
}

/** A tool that installs bundles by OLM. Each action returns the error, or nothing. */
export interface Tool {
  /** The same tool, which waits only a short time for what does not happen. */
  readonly impatient: Pick<Tool, "run" | "upgrade">;
  run(bundle: RunnableBundle, flags?: ToolFlags): Promise<string>;
  upgrade(bundle: RunnableBundle): Promise<string>;
  cleanup(packageName: string, options?: { readonly keepCrds?: true }): Promise<string>;
}

/** How long a tool waits, in milliseconds: for what must happen, and for what does not. */
export interface Waits {
  readonly timeoutMs: number;
  readonly inVainMs: number;
}

export const sdkAgent = "operator-sdk/";
export const tsopAgent = "tsop-under-test";

/** Returns the real operator-sdk, which pulls bundles from a registry without TLS. */
export function operatorSdk({
  program,
  kubeconfig,
  namespace,
  home,
  proxy,
  waits: { timeoutMs, inVainMs },
}: {
  program: string;
  kubeconfig: string;
  namespace: string;
  home: string;
  /** Variables of the proxy in place of quay.io. */
  proxy: Readonly<Record<string, string>>;
  waits: Waits;
}): Tool {
  const call = (args: readonly string[], timeoutMs: number): Promise<string> =>
    new Promise((resolve) => {
      const all = [...args, "--namespace", namespace, "--timeout", `${timeoutMs / 1000}s`];
      const env = { PATH: process.env["PATH"], KUBECONFIG: kubeconfig, HOME: home, ...proxy };
      execFile(program, all, { env, cwd: home, timeout: timeoutMs + 60_000 }, (error, stdout, stderr) => {
        const fatal = /level=fatal msg=(.*)$/m.exec(`${stdout}${stderr}`)?.[1];
        resolve(error ? (fatal ?? `exit code ${error.code}: ${stdout}${stderr}`) : "");
      });
    });
  const installer = (limit: number): Pick<Tool, "run" | "upgrade"> => ({
    run: ({ image }, flags = {}) =>
      call(["run", "bundle", image, "--use-http", "--kubeconfig", kubeconfig, ...runFlags(flags)], limit),
    upgrade: ({ image }) => call(["run", "bundle-upgrade", image, "--use-http"], limit),
  });
  return {
    ...installer(timeoutMs),
    impatient: installer(inVainMs),
    cleanup: (packageName, { keepCrds } = {}) =>
      call(["cleanup", packageName, ...(keepCrds ? ["--delete-all=false"] : [])], timeoutMs),
  };
}

function runFlags({ installMode, serviceAccount, pullSecret, securityContext }: ToolFlags): string[] {
  return [
    ...(installMode === undefined ? [] : ["--install-mode", installMode]),
    ...(serviceAccount === undefined ? [] : ["--service-account", serviceAccount]),
    ...(pullSecret === undefined ? [] : ["--pull-secret-name", pullSecret]),
    ...(securityContext === undefined ? [] : ["--security-context-config", securityContext]),
  ];
}

/** Returns what tsop's commands do. */
export function tsop({
  config,
  namespace,
  waits: { timeoutMs, inVainMs },
}: {
  config: ClientConfig;
  namespace: string;
  waits: Waits;
}): Tool {
  const client = createClient({ transport: new HttpTransport(config, { userAgent: tsopAgent }) });
  const host = { client, namespace, timeoutMs, signal: new AbortController().signal, emit: () => {} };
  const pods = {
    indexImage: "quay.io/operator-framework/opm:latest",
    decompressionImage: "registry.access.redhat.com/ubi9/ubi:9.7",
    pullPolicy: "Always",
    securityContext: "legacy",
  } as const;
  const outcome = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "",
      (error: Error) => error.message,
    );
  const installer = (patient: OlmHost): Pick<Tool, "run" | "upgrade"> => ({
    async run(bundle, { installMode, ...flags } = {}) {
      const mode = installMode === undefined ? {} : { installMode: parseInstallMode(installMode) };
      return outcome(runBundle(patient, bundle, { ...pods, ...flags, ...mode }));
    },
    upgrade: (bundle) => outcome(upgradeBundle(patient, bundle, pods)),
  });
  return {
    ...installer(host),
    impatient: installer({ ...host, timeoutMs: inVainMs }),
    cleanup: (packageName, { keepCrds = false } = {}) =>
      outcome(
        planCleanup(host, packageName, { crds: !keepCrds, operatorGroups: !keepCrds }).then((doomed) =>
          cleanUp(host, doomed),
        ),
      ),
  };
}
