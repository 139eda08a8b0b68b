import type { RecordedAnswer } from "../apiserver/run-scenario.ts";

/**
 * An answer as text, without what the embedded server is known not to tell (see known-differences.ts): Go's own structs,
 * printed whole or as a difference. What is wrong with an applied object comes in an order of chance.
 */
export function comparable(answer: RecordedAnswer): string {
  return JSON.stringify(answer, sortedProblems)
    .replace(/\\n@@ (\\.|[^"\\])*/g, "")
    .replace(/("field":"spec\.template","message":"Invalid value: ){(\\.|[^"\\])*}(: field is immutable")/g, "$1{…}$3");
}

function sortedProblems(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || !value.includes(": errors:\n")) return value;
  const [head = "", ...problems] = value.split("\n");
  return [head, ...problems.toSorted()].join("\n");
}
