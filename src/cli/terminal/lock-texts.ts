import type { Recovered } from "../../files/change-record.ts";
import type { LockHolder } from "../../files/take-lock.ts";

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
