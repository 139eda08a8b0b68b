import { useEffect, useState } from "preact/hooks";
import type { PastState } from "../../window/contract.ts";
import { ask } from "../state/ask.ts";

/** The time to wait for the slider to rest. */
const restMs = 80;

/** Returns the objects at an earlier time, which `undefined` turns off; the last answer stays until the next. */
export function usePast(at: number | undefined): PastState | undefined {
  const [past, setPast] = useState<PastState>();
  useEffect(() => {
    if (at === undefined) {
      setPast(undefined);
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      ask<PastState>("past", { at }, leaving.signal).then(setPast, () => {}); // a lost connection is shown by itself
    }, restMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [at]);
  return past;
}
