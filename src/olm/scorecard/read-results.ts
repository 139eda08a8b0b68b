import { messageOf } from "../../errors/message-of.ts";
import { readShape, type Shape } from "../../apimachinery/read-shape.ts";
import type { TestResult } from "./built-in-tests.ts";

const shape: Shape = {
  "results!": [{ name: "text", log: "text", "state!": "text", errors: ["text"], suggestions: ["text"] }],
};

/** Reads the results that a test has printed. If it printed something else, this is its result. */
export function readResults(log: string): readonly TestResult[] {
  try {
    const { results } = readShape(JSON.parse(log), shape, "the output") as { results: readonly TestResult[] };
    if (results.length > 0) return results.map(inOrder);
    return [failedResult('the test printed no results: {"results":[…]} has none', log)];
  } catch (error) {
    const reason = error instanceof SyntaxError ? "" : `; ${messageOf(error)}`;
    return [failedResult(`the test did not print its results as JSON: {"results":[…]}${reason}`, log)];
  }
}

/** Returns the result of a test that could not say it itself. */
export function failedResult(error: string, log?: string): TestResult {
  return { ...(log && { log }), state: "fail", errors: [error], creationTimestamp: null };
}

/** The fields in the order of Go, which leaves out empty ones. */
function inOrder({
  name,
  log,
  state,
  errors = [],
  suggestions = [],
  creationTimestamp,
}: Partial<TestResult> & Pick<TestResult, "state">): TestResult {
  return {
    ...(name && { name }),
    ...(log && { log }),
    state,
    ...(errors.length > 0 && { errors }),
    ...(suggestions.length > 0 && { suggestions }),
    creationTimestamp: creationTimestamp ?? null,
  };
}
