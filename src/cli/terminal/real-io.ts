import { realDisk } from "../../files/real-disk.ts";
import type { Io } from "../io.ts";
import { isTerminal, realOutput } from "./real-output.ts";
import { watchNpm } from "./watch-npm.ts";

/** The terminal, process and disk of this machine. Parts that a short command does not use are not loaded. */
export function realIo(): Io {
  let signal: AbortSignal | undefined;
  return {
    cwd: process.cwd(),
    env: process.env,
    nodeVersion: process.versions.node,
    get stdin() {
      return process.stdin;
    },
    stdout: realOutput(1),
    stderr: realOutput(2),
    get isTTY() {
      return isTerminal(2) && isTerminal(0);
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
  // A closed terminal ends a command as Ctrl-C does. So does a SIGHUP under nohup: Node undoes that it is ignored.
  process.on("SIGHUP", onHangup);
  watchNpm(process.env, () => controller.abort());
  return controller.signal;
}

function dieOf(name: NodeJS.Signals): void {
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}
