import { messageOf } from "../../errors/message-of.ts";
import { readShape, type Shape } from "../../apimachinery/read-shape.ts";
import type { TestResult } from "./built-in-tests.ts";
import { posix } from "node:path";
import type { CommandOutput } from "../../client/exec/exec-in-container.ts";
import { readTarMembers } from "../../files/tar.ts";
import type { TestSpec } from "./configuration.ts";

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

/** A file that a test has written, by its path in the folder of all tests. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The files of a test, and those that are neither regular files nor folders. */
interface Storage {
  readonly files: readonly StoredFile[];
  readonly skipped: readonly string[];
}

/** Reads the archive of a test's files. Messages of tar become a file, too. */
export function readStorage({ stdout, stderr }: CommandOutput, { labels = {} }: TestSpec, path: string): Storage {
  // A label with `..` must not lead out of the folder of all tests.
  const folder = posix.join("/", labels["suite"] ?? "", labels["test"] ?? "").slice(1);
  const root = posix.relative("/", posix.resolve("/", path));
  const members = stdout.length === 0 ? [] : readTarMembers(stdout);
  const stray = members.find((member) => !`${member.path}/`.startsWith(`${root}/`));
  if (stray) throw new Error(`the archive has ${stray.path}, which is not in ${path}`);
  const below = (member: string): string => posix.join(folder, posix.relative(root, member));
  const files = members
    .filter(({ type }) => type === "file")
    .map((member) => ({ path: below(member.path), bytes: member.body }));
  const words = stderr.length === 0 ? [] : [{ path: posix.join(folder, "tar_stderr"), bytes: stderr }];
  const skipped = members.filter(({ type }) => type === "link" || type === "other").map((member) => member.path);
  return { files: [...files, ...words], skipped };
}
