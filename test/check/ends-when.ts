import type { CheckOptions, Progress } from "../../src/check/check-options.ts";

/** The options that decide when a check ends. */
export type End = Pick<CheckOptions, "budgetMs" | "signal" | "onProgress">;

/** Ends a check by its progress, however slow the machine is. */
export function endsWhen(isEnough: (progress: Progress) => boolean): End {
  const end = new AbortController();
  return {
    budgetMs: Infinity,
    signal: AbortSignal.any([end.signal, AbortSignal.timeout(850_000)]),
    onProgress: (progress) => {
      if (isEnough(progress)) end.abort();
    },
  };
}
