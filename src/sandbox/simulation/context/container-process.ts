import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Variables } from "./container-environment.ts";

/**
 * Starts a program on this machine in the environment of a container: its variables, but neither its image nor its
 * files. It leads a group of its own, to which the programs belong that it starts.
 */
export function spawnInContainer(
  variables: Variables,
  [program = "", ...args]: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  const { PATH, HOME } = process.env;
  return spawn(program, args, { cwd: tmpdir(), env: { PATH, HOME, ...variables }, stdio, detached: true });
}

/** Sends a signal to a program and to those that it has started. */
export function signalGroup({ pid }: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // It has ended; macOS answers EPERM if only its exit code remains.
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Reports whether this machine has a program of this name or path. */
export function hasProgram(program: string): boolean {
  const folders = program.includes("/") ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  return folders.some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
