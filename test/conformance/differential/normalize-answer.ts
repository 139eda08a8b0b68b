import { withoutKnownWords } from "../apiserver/recorded.ts";
import type { RecordedAnswer } from "../apiserver/run-scenario.ts";

/**
 * Returns a response as text, without the parts that the embedded server is known to omit (see known-differences.ts):
 * Go's own structs, printed whole or as a difference. The order of problems of an applied object is random, so they are
 * sorted.
 */
export function normalizeAnswer(answer: RecordedAnswer): string {
  return JSON.stringify(withoutKnownWords([answer]), sortProblems)
    .replace(/\\n@@ (\\.|[^"\\])*/g, "")
    .replace(/("field":"spec\.template","message":"Invalid value: ){(\\.|[^"\\])*}(: field is immutable")/g, "$1{…}$3");
}

export function sortProblems(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || !value.includes(": errors:\n")) return value;
  const [head = "", ...problems] = value.split("\n");
  return [head, ...problems.toSorted()].join("\n");
}
