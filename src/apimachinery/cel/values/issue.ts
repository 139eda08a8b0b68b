/**
 * An error without a stack, which would say nothing about the expression: it takes most of the time of a loop whose
 * errors do not count, and of an expression with thousands of errors.
 */
class ErrorWithoutStack extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The place of an error in an expression as a whole. */
export const nowhere = -1;

/** An error in an expression, with its offset in UTF-16 units of the source. */
export class CelIssue extends ErrorWithoutStack {
  override readonly name: string = "CelIssue";
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** An error during an evaluation, such as `no such key: x`. */
export class CelError extends ErrorWithoutStack {
  override readonly name: string = "CelError";
}

/** Formats issues as cel-go prints them: position, message, the source line and a mark below it. */
export function formatIssues(source: string, issues: readonly CelIssue[]): string {
  const shown = issues.slice(0, mostShown).map((issue) => formatIssue(source, issue));
  if (issues.length > mostShown) shown.push(`${issues.length - mostShown} more errors were truncated`);
  return shown.join("\n");
}

/** The limit of cel-go: each issue repeats its line. */
const mostShown = 100;

function formatIssue(source: string, { at, message }: CelIssue): string {
  if (at === nowhere) return `ERROR: <input>:-1:0: ${message}`;
  const before = source.slice(0, at);
  const line = before.split("\n").length;
  const column = Array.from(before.slice(before.lastIndexOf("\n") + 1)).length;
  const text = source.split("\n")[line - 1] ?? "";
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${".".repeat(column)}^`;
}
