import { parseLabelSelector, SelectorError, type LabelMatcher } from "../apimachinery/selectors.ts";
import { TsopError } from "../errors/tsop-error.ts";

/** Parses a label selector from the command line. */
export function readSelector(text: string): LabelMatcher {
  try {
    return parseLabelSelector(text);
  } catch (cause) {
    if (!(cause instanceof SelectorError)) throw cause;
    throw new TsopError("TSOP_SELECTOR_INVALID", { reason: cause.message }, { cause });
  }
}
