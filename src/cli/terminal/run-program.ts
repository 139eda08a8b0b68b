import { execa } from "execa";
import type { RunOptions, RunResult } from "../io.ts";

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const { exitCode, code, stdout, stderr } = await execa(program, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
    reject: false,
    stdio: options.output === "show" ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  return {
    exitCode: exitCode ?? (code === "ENOENT" ? 127 : 1),
    stdout: typeof stdout === "string" ? stdout : "",
    stderr: typeof stderr === "string" ? stderr : "",
  };
}
