import { useEffect, useState } from "preact/hooks";
import { ask } from "./ask.ts";

/** An answer of the server, or the reason why it is missing. */
export interface Asked<T> {
  readonly value?: T;
  readonly error?: string;
}

/** Asks the server again whenever the parameters or `tick` change; the last answer stays until the next. */
export function useAnswer<T>(
  path: string,
  params: Readonly<Record<string, string | number | undefined>>,
  tick: unknown = 0,
): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({});
  useEffect(() => {
    const leaving = new AbortController();
    ask<T>(path, params, leaving.signal).then(
      (value) => setAsked({ value }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setAsked({ error: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => leaving.abort();
  }, [path, JSON.stringify(params), tick]);
  return asked;
}
