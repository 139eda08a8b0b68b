import { setTimeout as wait } from "node:timers/promises";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import type { Client } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { CsvKind } from "../../manifests/olm-kinds.ts";

/** A cluster with OLM, as the commands see it. */
export interface OlmHost {
  readonly client: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Time for all of a command, in milliseconds. */
  readonly timeoutMs: number;
  /** Shows a line of progress. */
  readonly emit: (line: string) => void;
}

/** Field owner of what the commands create; cleanup removes only such catalogs. */
export const fieldOwner = "operator-sdk";

const pauseMs = 100;

/** Asks until there is an answer. At the deadline it throws what `explain` says. */
export async function poll<T>(
  { signal }: Pick<OlmHost, "signal">,
  deadline: number,
  { ask, explain }: { ask: () => Promise<T | undefined>; explain: () => Promise<Error> },
): Promise<T> {
  for (;;) {
    if (signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw await explain();
    await wait(pauseMs, undefined, { signal }).catch(() => {});
  }
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
