/** A position in a text. Both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}
