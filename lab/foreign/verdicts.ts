/** The failure of each test of a suite by the test's name, "" if it passed. */
export type Verdicts = ReadonlyMap<string, string>;

/** What a suite says about both servers. */
export interface Comparison {
  readonly both: readonly string[];
  readonly onlyReal: readonly string[];
  readonly onlyEmbedded: readonly string[];
  readonly neither: readonly string[];
}

/** Compares the verdicts on both servers; a test that did not run has not passed. */
export function compareVerdicts(real: Verdicts, embedded: Verdicts): Comparison {
  const names = [...new Set([...real.keys(), ...embedded.keys()])].toSorted();
  const select = (onReal: boolean, onEmbedded: boolean): string[] =>
    names.filter((name) => (real.get(name) === "") === onReal && (embedded.get(name) === "") === onEmbedded);
  return {
    both: select(true, true),
    onlyReal: select(true, false),
    onlyEmbedded: select(false, true),
    neither: select(false, false),
  };
}

/** Renders a row for each suite, and below them the names that differ. */
export function formatComparisons(comparisons: ReadonlyMap<string, Comparison>): string {
  const header = ["suite", "both", "only real", "only embedded", "neither"];
  const rows = [...comparisons].map(([suite, { both, onlyReal, onlyEmbedded, neither }]) => [
    suite,
    ...[both, onlyReal, onlyEmbedded, neither].map(({ length }) => String(length)),
  ]);
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column].length)));
  const lines = [header, ...rows].map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  "),
  );
  return [
    ...lines,
    ...formatNames("only on the real server", comparisons, ({ onlyReal }) => onlyReal),
    ...formatNames("only on the embedded server", comparisons, ({ onlyEmbedded }) => onlyEmbedded),
    ...formatNames("on neither", comparisons, ({ neither }) => neither),
  ].join("\n");
}

function formatNames(
  title: string,
  comparisons: ReadonlyMap<string, Comparison>,
  select: (comparison: Comparison) => readonly string[],
): string[] {
  const lines = [...comparisons].flatMap(([suite, comparison]) =>
    select(comparison).map((name) => `  ${suite}: ${name}`),
  );
  return lines.length > 0 ? ["", `${title}:`, ...lines] : [];
}
