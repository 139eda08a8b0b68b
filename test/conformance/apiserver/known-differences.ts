/** Steps in which the embedded server differs from the real one, and why. The list may only shrink. */
export interface KnownDifference {
  readonly scenario: string;
  /** Positions of the recorded answers. */
  readonly answers: readonly number[];
  readonly reason: string;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    scenario: "meta",
    answers: [9],
    reason: "the real server prunes by a version that does not exist and warns of every field",
  },
  {
    scenario: "representations",
    answers: [4, 5],
    reason: "columns of built-in kinds have no description here: a longer table that nobody reads",
  },
  {
    scenario: "watch-list",
    answers: [2],
    reason: "columns of built-in kinds have no description here: a longer table that nobody reads",
  },
  {
    scenario: "crd",
    answers: [3, 4],
    reason: "no storageVersionHash in discovery; the Table has an empty continue",
  },
  { scenario: "deployment", answers: [6], reason: "Go prints the strategy with the field names of its internal type" },
  {
    scenario: "pod",
    answers: [3, 4, 7],
    reason: "another order of supported policies; no diff of the changed spec in the text; no generation at the end",
  },
  {
    scenario: "configuration",
    answers: [10, 11],
    reason: "no protection finalizer on claims, which nobody would remove; no diff of the changed spec in the text",
  },
  { scenario: "job", answers: [2], reason: "the text of a changed template shows the template in another form" },
];
