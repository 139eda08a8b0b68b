import { TsopError } from "../../errors/tsop-error.ts";
import type { CheckResult } from "../run-check.ts";

/** Throws if a check has found nothing because it has judged no run. */
export function refuseNothingJudged({ findings, judged, notes, done, planned }: CheckResult): void {
  if (findings.length > 0 || judged.length > 0) return;
  const [note] = notes;
  if (note)
    throw new TsopError("TSOP_CHECK_NOTHING_JUDGED", {
      why: note.why,
      fix: "run the operator with tsop sandbox first, and see that it works there",
    });
  if (done < planned)
    throw new TsopError("TSOP_CHECK_NOTHING_JUDGED", {
      why: "the budget ended before that",
      fix: "give it more time: --budget 5m, or budgetMs in a test",
    });
  throw new TsopError("TSOP_CHECK_NOTHING_JUDGED", {
    why: "no run reached its fault: the operator does not make that write, or does not use a Lease",
    fix: "list the runs: tsop check --list",
  });
}
