import type { Command } from "commander";
import { UsageError } from "../../errors/tsop-error.ts";
import { parsePort } from "./parse-port.ts";

export interface UiFlags {
  readonly ui?: true;
  readonly uiPort?: number;
  readonly uiReadOnly?: true;
}

/** Adds the flags of the window. */
export function addUiFlags(command: Command): Command {
  return command
    .option("--ui", "serve a page on 127.0.0.1 that shows objects, reconciles and requests, and print its URL")
    .option("--ui-port <number>", "with --ui: port of the page (default: a free one)", parsePort)
    .option("--ui-read-only", "with --ui: the page cannot write");
}

/** Returns the options of the page; `undefined` without `--ui`. */
export function uiOptions({ ui, uiPort, uiReadOnly }: UiFlags): { port?: number; readOnly?: boolean } | undefined {
  if (!ui && uiPort !== undefined) throw new UsageError("--ui-port needs --ui");
  if (!ui && uiReadOnly) throw new UsageError("--ui-read-only needs --ui");
  if (!ui) return undefined;
  return { ...(uiPort !== undefined && { port: uiPort }), ...(uiReadOnly && { readOnly: true }) };
}
