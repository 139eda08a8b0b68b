/** Steps in which the embedded server differs from the real one, and why. The list may only shrink. */
export interface KnownDifference {
  readonly scenario: string;
  /** Positions of the recorded answers. */
  readonly answers: readonly number[];
  readonly reason: string;
}

export const knownDifferences: readonly KnownDifference[] = [
  { scenario: "apply", answers: [16], reason: "another YAML parser tells what is wrong with a text in other words" },
  {
    scenario: "pod",
    answers: [4],
    reason: "no diff of Go structs in the text about a changed spec",
  },
  {
    scenario: "configuration",
    answers: [11],
    reason: "no diff of Go structs in the text",
  },
  { scenario: "job", answers: [2], reason: "Go prints the template with the field names of its internal types" },
];
