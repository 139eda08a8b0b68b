import { SelectorError, labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import type { LabelSelector } from "../../../apimachinery/meta.ts";

/** Does a selector find these labels? One that can't be read finds nothing here: what is wrong with it is told elsewhere. */
export function matchesSelector(selector: LabelSelector | null | undefined, labels: unknown): boolean {
  if (selector === undefined || selector === null) return false;
  try {
    return labelSelectorMatcher(selector).matches((labels ?? {}) as Record<string, string>);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
