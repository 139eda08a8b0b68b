import type { CheckOptions, Progress } from "../../src/check/run-check.ts";

/** Returns options that end a check by its progress, however slow the machine is. */
export function until(
  isEnough: (progress: Progress) => boolean,
): Pick<CheckOptions, "budgetMs" | "signal" | "onProgress"> {
  const end = new AbortController();
  return {
    budgetMs: Infinity,
    signal: AbortSignal.any([end.signal, AbortSignal.timeout(850_000)]),
    onProgress: (progress) => {
      if (isEnough(progress)) end.abort();
    },
  };
}
