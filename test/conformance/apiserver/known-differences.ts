/** Steps in which the embedded server differs from the real one, and why. The list may only shrink. */
export interface KnownDifference {
  readonly scenario: string;
  /** Positions of the recorded answers. */
  readonly answers: readonly number[];
  readonly reason: string;
}

export const knownDifferences: readonly KnownDifference[] = [
  { scenario: "apply", answers: [16], reason: "another YAML parser tells what is wrong with a text in other words" },
  { scenario: "deployment", answers: [6], reason: "Go prints the strategy with the field names of its internal type" },
  {
    scenario: "pod",
    answers: [3, 4],
    reason: "restart policies are listed in another order; no diff of Go structs in the text about a changed spec",
  },
  {
    scenario: "configuration",
    answers: [11],
    reason: "no diff of Go structs in the text",
  },
  {
    scenario: "apply-versions",
    answers: [7, 8],
    reason: "who owned a list as a whole in another version keeps it when a version that owns its items changes one",
  },
  { scenario: "job", answers: [2], reason: "Go prints the template with the field names of its internal types" },
];
