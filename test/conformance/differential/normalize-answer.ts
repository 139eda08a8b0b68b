import { withoutKnownWords } from "../apiserver/recorded.ts";
import type { RecordedAnswer } from "../apiserver/run-scenario.ts";

/**
 * Returns a response as text, without the parts that the embedded server is known to omit (see known-differences.ts):
 * Go's own structs, printed whole or as a difference. The order of problems of an applied object is random, so they are
 * sorted.
 */
export function normalizeAnswer(answer: RecordedAnswer): string {
  const sort = ofNamespaces.test(answer.step) ? sortFinalizers : sortProblems;
  return JSON.stringify(withoutKnownWords([answer]), sort)
    .replace(/(ResourceVersion in precondition: )\d+/g, "$1<rv>")
    .replace(/\\n@@ (\\.|[^"\\])*/g, "")
    .replace(/("field":"spec\.template","message":"Invalid value: ){(\\.|[^"\\])*}(: field is immutable")/g, "$1{…}$3");
}

const ofNamespaces = / \/api\/v1\/namespaces(\/[^/?]+)?(\/(status|finalize))?(\?|$)/;

/** A real server marks an ending namespace with finalizers in a random order. */
function sortFinalizers(key: string, value: unknown): unknown {
  return key === "finalizers" && Array.isArray(value) ? value.toSorted() : sortProblems(key, value);
}

export function sortProblems(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || !value.includes(": errors:\n")) return value;
  const [head = "", ...problems] = value.split("\n");
  return [head, ...problems.toSorted()].join("\n");
}
