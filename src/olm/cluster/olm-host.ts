import { setTimeout as wait } from "node:timers/promises";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import type { Client } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { CsvKind } from "../../client/manifests/olm-kinds.ts";

/** A cluster with OLM, as the commands see it. */
export interface OlmHost {
  readonly client: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Time for all of a command, in milliseconds. */
  readonly timeoutMs: number;
  /** Shows a line of progress. */
  readonly emit: (line: string) => void;
  /** Shows the table of the objects that the command waits for, in place of the one before. */
  readonly show?: (rows: readonly PendingRow[]) => void;
}

/** An object that the command waits for. */
export interface PendingRow {
  readonly name: string;
  readonly state: string;
}

/** Returns how a host shows rows: by its table, or by a line for each new state. */
export function pendingOf({ show, emit }: Pick<OlmHost, "show" | "emit">): (rows: readonly PendingRow[]) => void {
  const shown = new Map<string, string>();
  const emitChanges = (rows: readonly PendingRow[]): void => {
    for (const { name, state } of rows) {
      if (shown.get(name) !== state) emit(`${name}: ${state}`);
      shown.set(name, state);
    }
  };
  return show ?? emitChanges;
}

/** Field owner of the objects that the commands create; cleanup removes only such catalogs. */
export const fieldOwner = "operator-sdk";

const pauseMs = 100;

/** Asks until there is an answer. At the deadline it throws the error of `explain`. */
export async function poll<T>(
  { signal, show }: Pick<OlmHost, "signal" | "show">,
  deadline: number,
  { ask, explain }: { ask: () => Promise<T | undefined>; explain: () => Promise<Error> },
): Promise<T> {
  try {
    for (;;) {
      if (signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
      const answer = await ask();
      if (answer !== undefined) return answer;
      if (Date.now() > deadline) throw await explain();
      await wait(pauseMs, undefined, { signal }).catch(() => {});
    }
  } finally {
    show?.([]);
  }
}

/** Returns a handler that takes a value in place of an error of one kind: `.catch(instead(isForbidden, undefined))`. */
export function instead<T>(isExpected: (error: unknown) => boolean, value: T): (error: unknown) => T {
  return (error) => {
    if (isExpected(error)) return value;
    throw error;
  };
}

/** Throws unless OLM's kinds are served. */
export async function requireOlm({ client, namespace }: OlmHost): Promise<void> {
  try {
    await client.list(CsvKind, { namespace, limit: 1 });
  } catch (error) {
    if (!isKindNotServed(error)) throw error;
    throw new TsopError("TSOP_OLM_ABSENT", {}, { cause: error });
  }
}
