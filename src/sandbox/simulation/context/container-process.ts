import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { tmpdir } from "node:os";
import type { Container } from "./simulated-kinds.ts";

/** Starts a program on this machine in the environment of a container: its variables, but neither its image nor its files. */
export function spawnInContainer(
  container: Pick<Container, "env">,
  [program = "", ...args]: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  const { PATH, HOME } = process.env;
  return spawn(program, args, { cwd: tmpdir(), env: { PATH, HOME, ...variablesOf(container) }, stdio });
}

/** Returns the variables of a container that have a value of their own. */
export function variablesOf({ env = [] }: Pick<Container, "env">): Record<string, string> {
  return Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}
