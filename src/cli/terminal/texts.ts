import type { Recovered } from "../../files/change-record.ts";
import type { LockHolder } from "../../files/take-lock.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** Names the command that has the lock of a project. */
export function waitingText({ pid, purpose }: LockHolder): string {
  return `waiting for ${purpose || "another command"} (process ${pid})`;
}

/** Lists the repairs after a command that was killed. */
export function recoveryText({ restored, kept }: Recovered): string {
  return [
    "a command was killed while it wrote; its changes were undone",
    ...restored.map((path) => `  restored ${path}`),
    ...kept.map((path) => `  kept     ${path} (edited since; the previous text is in ${path}.tsop-old)`),
  ].join("\n");
}

/** Returns the line that names the cluster that a command uses. */
export function clusterText({ server, source }: Pick<ClientConfig, "server" | "source">): string {
  return `Using the cluster at ${server}, ${source}`;
}

/** Formats an error for the terminal: with its code and hint if it has them, else as its message. */
export function problemText(error: unknown): string {
  if (error instanceof TsopError) return `error: ${error.message}  [${error.code}]\nhint: ${error.hint}`;
  return messageOf(error);
}
