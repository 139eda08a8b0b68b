/** A difference between the servers that stays, and why. The list has fewer than 20 entries. */
export interface AcceptedDifference {
  /** Matches the line of a difference: request, path and values. */
  readonly pattern: RegExp;
  readonly reason: string;
}

export const acceptedDifferences: readonly AcceptedDifference[] = [];
