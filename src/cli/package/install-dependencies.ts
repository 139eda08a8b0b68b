import { join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { PackageManager } from "../../project/scaffold/init/package-manager.ts";
import type { Io, RunResult } from "../io.ts";
import { writeFirstLock } from "./write-first-lock.ts";

/** Returns the version of a package manager that corepack can pin; throws if it is not installed. */
export async function packageManagerVersion(io: Io, root: string, manager: PackageManager): Promise<string> {
  const { exitCode, stdout } = await io.run(manager, ["--version"], { cwd: root, signal: io.signal });
  if (exitCode === 127) throw new TsopError("TSOP_PACKAGE_MANAGER_MISSING", { manager });
  return stdout.trim();
}

/** Installs a project's dependencies and shows the progress on a terminal. */
export async function installDependencies(io: Io, root: string, manager: PackageManager): Promise<void> {
  const stop = io.stderr.isTTY ? showProgress(io, `${manager} install`) : () => {};
  const args = manager === "npm" ? ["install", "--no-fund", "--no-audit", "--loglevel=error"] : ["install"];
  const install = async (): Promise<RunResult> => {
    refuseIfInterrupted(io, manager);
    const result = await io.run(manager, args, { cwd: root, signal: io.signal });
    refuseIfInterrupted(io, manager);
    return result;
  };
  try {
    const isLocked = manager === "npm" && (await writeFirstLock(io, root));
    let result = await install();
    // A registry may lack one of the versions.
    if (result.exitCode !== 0 && isLocked) {
      await io.disk.remove(join(root, "package-lock.json"));
      result = await install();
    }
    const { exitCode, stdout, stderr } = result;
    if (exitCode !== 0) {
      const reason = (stderr.trim() || stdout.trim() || `exit ${exitCode}`).split("\n").slice(0, 12).join("\n");
      throw new TsopError("TSOP_INSTALL_FAILED", { manager, reason });
    }
  } finally {
    stop();
  }
}

function refuseIfInterrupted(io: Io, manager: PackageManager): void {
  if (io.signal.aborted) throw new TsopError("TSOP_INSTALL_INTERRUPTED", { manager });
}

/** Shows a line that counts the seconds; returns a function that removes it. */
function showProgress(io: Io, what: string): () => void {
  const start = io.now().getTime();
  const draw = (): void => {
    const seconds = Math.round((io.now().getTime() - start) / 1000);
    io.stderr.write(`\r  ${what} … ${seconds} s`);
  };
  draw();
  const timer = setInterval(draw, 1000);
  return () => {
    clearInterval(timer);
    io.stderr.write("\r\u001b[K");
  };
}
