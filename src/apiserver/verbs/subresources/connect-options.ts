import type { Call } from "../request/call.ts";
import { isTrue } from "../request/query.ts";
import { dropUndefined } from "../object/part.ts";

/**
 * The options of a connection to a pod, which come as query parameters, and are the object that policies and webhooks
 * see.
 */
export interface ConnectOptions {
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  readonly container?: string;
  readonly command?: readonly string[] | null;
  readonly ports?: readonly number[];
}

/** Reads the options of an `exec`, `attach` or `portforward`. False and empty ones are absent, but for the command. */
export function readConnectOptions({ query, subresource }: Pick<Call, "query" | "subresource">): ConnectOptions {
  if (subresource === "portforward") {
    const ports = query.getAll("ports").map(Number);
    return ports.length > 0 ? { ports } : {};
  }
  const flags = ["stdin", "stdout", "stderr", "tty"].map((name) => [name, isTrue(query.get(name)) || undefined]);
  const command = query.getAll("command");
  return {
    ...dropUndefined(Object.fromEntries(flags) as Record<string, unknown>),
    ...dropUndefined({ container: query.get("container") || undefined }),
    ...(subresource === "exec" && { command: command.length > 0 ? command : null }),
  };
}
