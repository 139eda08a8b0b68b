/** Where tsop differs from controller-runtime, and why. The list may only shrink. */
export interface KnownDifference {
  /** `part/key/…` of an observation; everything below it may differ. */
  readonly at: string;
  readonly reason: string;
}

export const knownDifferences: readonly KnownDifference[] = [];
