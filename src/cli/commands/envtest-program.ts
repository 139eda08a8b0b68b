import { messageOf } from "../../errors/message-of.ts";
import type { Io } from "../io.ts";
import { runApiServer } from "../../sandbox/envtest/run-api-server.ts";

/** Runs `kube-apiserver` of the folder that `tsop envtest` prints, and returns its exit code. */
export async function runEnvtestProgram(args: readonly string[], { env, signal, stderr }: Io): Promise<number> {
  const emit = (line: string): void => stderr.write(`${line}\n`);
  try {
    await runApiServer(args, { env, signal, emit });
    return 0;
  } catch (error) {
    emit(`Error: ${messageOf(error)}`);
    return 1;
  }
}
