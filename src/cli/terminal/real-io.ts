import { realDisk } from "../../files/real-disk.ts";
import type { Io, Output } from "../io.ts";

/** The terminal, process and disk of this machine. Each stream that is used costs a short command some milliseconds. */
export function realIo(): Io {
  let signal: AbortSignal | undefined;
  let stdout: Output | undefined;
  let stderr: Output | undefined;
  return {
    cwd: process.cwd(),
    env: process.env,
    nodeVersion: process.versions.node,
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return (stdout ??= outputTo(process.stdout));
    },
    get stderr() {
      return (stderr ??= outputTo(process.stderr));
    },
    get isTTY() {
      return process.stderr.isTTY && process.stdin.isTTY;
    },
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
  // A reader that stops reading (`tsop … | head`) and a closed terminal are not failures.
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
  // Not once(): execa's exit handler would end a process that has no listener for the signal.
  const onInterrupt = (): void => {
    if (controller.signal.aborted) return dieOf("SIGINT");
    controller.abort();
  };
  // The kernel and the shell both report a closed terminal, so a second SIGHUP does not mean impatience.
  let hungUp = false;
  const onHangup = (): void => {
    // At a normal exit, Node would restore the settings of a closed terminal, fail, and abort.
    if (!hungUp) process.once("exit", () => dieOf("SIGHUP"));
    hungUp = true;
    controller.abort();
  };
  process.on("SIGINT", onInterrupt);
  // `timeout` signals its child and then the child's process group, so a second SIGTERM does not mean impatience.
  process.on("SIGTERM", () => controller.abort());
  // A closed terminal ends a command as Ctrl-C does. Without a terminal, as under nohup, the command continues.
  if (process.stderr.isTTY) process.on("SIGHUP", onHangup);
  return controller.signal;
}

function dieOf(name: NodeJS.Signals): void {
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}
