import { realDisk } from "../../files/real-disk.ts";
import type { Io, Output } from "../io.ts";

/** The real terminal, process and disk. */
export function realIo(): Io {
  const isTTY = process.stdin.isTTY && process.stderr.isTTY;
  let signal: AbortSignal | undefined;
  return {
    cwd: process.cwd(),
    env: process.env,
    nodeVersion: process.versions.node,
    get stdin() {
      return process.stdin;
    },
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    isTTY,
    now: () => new Date(),
    disk: realDisk(),
    run: async (program, args, options) => (await import("./run-program.ts")).runProgram(program, args, options),
    pack: async (root, tarball) => (await import("../package/pack-package.ts")).packPackage(root, tarball),
    prompt: {
      confirm: async (question) => (await import("./terminal-prompt.ts")).confirm(question),
      input: async (question) => (await import("./terminal-prompt.ts")).input(question),
    },
    get signal() {
      return (signal ??= signalOfProcess());
    },
  };
}

function outputTo(stream: NodeJS.WriteStream): Output {
  // A reader that has seen enough (`tsop … | head`) is no failure, nor is a terminal that was closed.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
  });
  return {
    write: (text) => void stream.write(text),
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns || 100;
    },
  };
}

function signalOfProcess(): AbortSignal {
  const controller = new AbortController();
  // Not once(): execa's exit handler takes a process without listeners for one that should die of the signal.
  const onInterrupt = (): void => {
    if (controller.signal.aborted) return dieOf("SIGINT");
    controller.abort();
  };
  // Both the kernel and the shell tell of a closed terminal, so a second SIGHUP is nobody's impatience.
  let hungUp = false;
  const onHangup = (): void => {
    // At a usual end Node would restore the settings of a terminal that is gone, and abort because it can't.
    if (!hungUp) process.once("exit", () => dieOf("SIGHUP"));
    hungUp = true;
    controller.abort();
  };
  process.on("SIGINT", onInterrupt);
  // `timeout` tells its child, and then the group that the child is in: a second SIGTERM is nobody's impatience either.
  process.on("SIGTERM", () => controller.abort());
  // A closed terminal ends a command as Ctrl-C does; without one, as under nohup, it is to live on.
  if (process.stderr.isTTY) process.on("SIGHUP", onHangup);
  return controller.signal;
}

function dieOf(name: NodeJS.Signals): void {
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}
