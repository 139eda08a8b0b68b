import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { applyManifests } from "../../client/manifests/apply-manifests.ts";
import { readManifestsToApply } from "../../client/manifests/read-manifests.ts";
import { startHttp } from "../../apiserver/http/start-http.ts";
import { startSandbox, type SandboxOptions } from "../start-sandbox.ts";
import { logRefusals, type ProgramHost } from "./run-api-server.ts";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isAlive } from "../../files/is-alive.ts";

export interface ServeHost extends ProgramHost {
  readonly cwd: string;
}

export interface ServeOptions {
  /** Files and folders to apply. */
  readonly apply: readonly string[];
  readonly kubernetesVersion?: string | undefined;
  /** The address to listen on, instead of a free port of loopback. */
  readonly listen?: Address | undefined;
  /** The kubeconfig to write, instead of a temporary file. */
  readonly kubeconfig?: string | undefined;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves as kube-apiserver does in envtest, and emits the path of an administrator's kubeconfig as its only line. Ends
 * when the signal aborts, and with the process that has started this one.
 */
export async function serveEnvtest(
  { apply, kubernetesVersion, listen, kubeconfig: wanted }: ServeOptions,
  { cwd, env, signal, emit }: ServeHost,
): Promise<void> {
  const manifests = (await Promise.all(apply.map((path) => readManifestsToApply(resolve(cwd, path))))).flat();
  const until = AbortSignal.any([signal, untilStarterEnds(env)]);
  const stopping = new AbortController();
  const folder = await mkdtemp(join(tmpdir(), "tsop-envtest-"));
  const options: SandboxOptions = {
    simulate: false,
    kubernetesVersion,
    rbac: true,
    ...logRefusals(env),
    ...(listen && { listen: (server, http) => startHttp(server, { ...http, ...listen }) }),
  };
  try {
    const { client, kubeconfig, done } = await startSandbox(options, AbortSignal.any([until, stopping.signal]));
    await applyManifests({ client, namespace: "default" }, manifests);
    const file = wanted ?? join(folder, "kubeconfig");
    await writeFile(file, kubeconfig, { mode: 0o600 });
    emit(file);
    await done;
  } finally {
    stopping.abort();
    await rm(folder, { recursive: true, force: true });
  }
}

const intervalMs = 500;

/**
 * Aborts once the process that has started this one has ended. If npm runs this one, as with npx, that is the process that
 * has started npm, which would survive it.
 */
function untilStarterEnds(env: Readonly<Record<string, string | undefined>>): AbortSignal {
  const ending = new AbortController();
  const { ppid } = process;
  const starters = [ppid];
  if (/^'?tsop\b/.test(env["npm_lifecycle_script"] ?? "")) {
    // npm may have started a shell.
    const [npm, name] = parentOf(ppid);
    starters.push(npm, ...(/^[a-z]*sh$/.test(name) ? [parentOf(npm)[0]] : []));
  }
  const timer = setInterval(() => {
    if (process.ppid === ppid && starters.every(isAlive)) return;
    clearInterval(timer);
    ending.abort();
  }, intervalMs).unref();
  return ending.signal;
}

/** Returns the parent of a process, and the name of the process itself. Linux may lack `ps`, others lack /proc. */
function parentOf(pid: number): [ppid: number, name: string] {
  const text =
    process.platform === "linux"
      ? readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^\d+ \(([^]*)\) \S (\d+)[^]*$/, "$2 $1")
      : execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" });
  const [, ppid = "", name = ""] = /^\s*(\d+) (?:.*\/)?-?(.*?)\s*$/.exec(text) ?? [];
  return [Number(ppid), name];
}
