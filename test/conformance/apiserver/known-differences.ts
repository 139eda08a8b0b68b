/** Steps in which the embedded server differs from the real one, and why that is accepted. */
export interface KnownDifference {
  readonly scenario: string;
  readonly step: string;
  readonly reason: string;
}

export const knownDifferences: readonly KnownDifference[] = [];
