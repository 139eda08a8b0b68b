/** Steps in which the embedded server differs from the real one, and why. The list may only shrink. */
export interface KnownDifference {
  readonly scenario: string;
  /** Positions of the recorded answers. */
  readonly answers: readonly number[];
  readonly reason: string;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    scenario: "validation",
    answers: [1, 9, 35],
    reason: "formats, oneOf members and embedded metadata are told in other words by the schema walker",
  },
  {
    scenario: "meta",
    answers: [9],
    reason: "the real server prunes by a version that does not exist and warns of every field",
  },
  {
    scenario: "patching",
    answers: [22, 23, 25, 26, 28],
    reason: "copy from a missing path and a path without a slash are no-ops here, and null or a root field there",
  },
  { scenario: "delete", answers: [7], reason: "the text of a DeleteOptions body that is not JSON differs" },
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
  { scenario: "crd-names", answers: [0], reason: "names without a conflict are not accepted one by one" },
  {
    scenario: "crd-structural",
    answers: [7, 11, 13],
    reason: "a $ref also lacks a type here; Go prints an absent map type as null; patterns are checked later",
  },
  {
    scenario: "deployment",
    answers: [2, 6, 15, 16],
    reason: "the real server checks templates that are missing, and counts generations of refused strategies",
  },
  {
    scenario: "pod",
    answers: [0, 3, 4, 5, 6, 7],
    reason: "no priority and toleration admission, and no diff of the changed spec in the text",
  },
  {
    scenario: "configuration",
    answers: [10, 11],
    reason: "no protection finalizer on claims, which nobody would remove; claims are not checked for changes",
  },
  {
    scenario: "rbac",
    answers: [1, 2, 3],
    reason: "rules without groups are not refused; Go prints a role reference with its own field names",
  },
  { scenario: "lease", answers: [3], reason: "the duration of a lease is not checked" },
  { scenario: "event", answers: [0, 1, 2, 3, 4], reason: "null times and empty sources are left out" },
  {
    scenario: "namespace",
    answers: [4],
    reason: "the answer of finalize keeps the labels, which the real server takes from the body",
  },
  { scenario: "job", answers: [2], reason: "the text of a changed template shows the template in another form" },
  { scenario: "network", answers: [3, 4], reason: "status of new autoscalers and conditions of new endpoints" },
];
