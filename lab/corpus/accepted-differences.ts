/** A difference between the servers that stays, and why. The list has fewer than 20 entries. */
export interface AcceptedDifference {
  /** Matches the line of a difference: request, path and values. */
  readonly pattern: RegExp;
  readonly reason: string;
}

export const acceptedDifferences: readonly AcceptedDifference[] = [
  {
    pattern:
      /body\.message: embedded "failed to create typed patch object .*field not declared in schema.* real "failed/,
    reason:
      "an apply reports one unknown field of a map; which one, and what it finds before, is random on a real server",
  },
  {
    pattern: /: embedded ".*json: cannot unmarshal .* real ".*cannot be handled as a/,
    reason: "metadata of a wrong type is refused in one form; a real server has a form for each of its decoders",
  },
];
