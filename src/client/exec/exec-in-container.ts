import { defineKind } from "../../apimachinery/kind.ts";
import type { Status } from "../../apimachinery/status.ts";
import { commandChannels, commandProtocols } from "../../apimachinery/streaming/command-channels.ts";
import { WebSocketPeer } from "../../apimachinery/streaming/web-socket.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { requestPath } from "../calls/request-path.ts";
import type { ClientConfig } from "../config/config.ts";
import { openWebSocket, type OpenedWebSocket } from "./open-web-socket.ts";

/** A command for a container that runs. */
export interface ContainerCommand {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

/** All that a command has printed, and how it ended. */
export interface CommandOutput {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** The text of the server if the command failed; it names the exit code. */
  readonly failure: string | undefined;
}

const Pod = defineKind({ group: "", version: "v1", kind: "Pod", plural: "pods" });

/** Far more than a command prints that is read as a whole. */
const mostBytes = 512 * 1024 * 1024;

/**
 * Runs a command in a container, without input, and returns its output. The user needs `create` and `get` on pods/exec.
 *
 * @example
 * const target = { namespace: "default", pod: "redis-0", container: "redis", command: ["redis-cli", "INFO"] };
 * const { stdout, failure } = await execInContainer(mgr.config, target, ctx.signal);
 * if (failure !== undefined) throw new Error(failure);
 * const isMaster = stdout.toString().includes("role:master");
 */
export async function execInContainer(
  config: ClientConfig,
  target: ContainerCommand,
  signal: AbortSignal,
): Promise<CommandOutput> {
  const { namespace, pod, container, command } = target;
  const query = new URLSearchParams({ container, stdout: "true", stderr: "true" });
  for (const word of command) query.append("command", word);
  const path = `${requestPath(Pod, { namespace, name: pod, subresource: "exec" })}?${query.toString()}`;
  const { socket, head } = await openWebSocket(config, { path, protocols: commandProtocols, signal });
  const stop = (): void => void socket.destroy();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const { stdout, stderr, end, size } = await receive({ socket, head });
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  const name = `${command[0]} in container ${container} of pod ${pod}`;
  if (size > mostBytes) throw new TsopError("TSOP_EXEC_OUTPUT", { name, mebibytes: mostBytes / 1024 / 1024 });
  return { stdout, stderr, failure: readEnd(end, name) };
}

interface Received extends Pick<CommandOutput, "stdout" | "stderr"> {
  /** The Status at the end; empty if the connection was lost before. */
  readonly end: string;
  readonly size: number;
}

function receive({ socket, head }: OpenedWebSocket): Promise<Received> {
  const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let [size, end] = [0, ""];
  const onMessage = (message: Buffer): void => {
    const [channel, body] = [message[0], message.subarray(1)];
    size += body.length;
    if (size > mostBytes) socket.destroy();
    else if (channel === commandChannels.stdout) parts.stdout.push(body);
    else if (channel === commandChannels.stderr) parts.stderr.push(body);
    else if (channel === commandChannels.error) end = body.toString();
  };
  return new Promise((resolve) => {
    const onEnd = (): void =>
      resolve({ stdout: Buffer.concat(parts.stdout), stderr: Buffer.concat(parts.stderr), end, size });
    return new WebSocketPeer(socket, head, { isClient: true, onMessage, onEnd });
  });
}

function readEnd(text: string, name: string): string | undefined {
  try {
    const { status, message = "it failed" } = JSON.parse(text) as Partial<Status>;
    return status === "Success" ? undefined : message;
  } catch (cause) {
    throw new TsopError("TSOP_EXEC_LOST", { name }, { cause });
  }
}
