/** A collection to write to, and an object that is right there. */
export interface Subject {
  readonly path: string;
  readonly object: any;
  /** Names of subresources that can be written like the object. */
  readonly parts?: readonly string[];
  readonly custom?: boolean;
  /** Whether the server's controllers have done with a new object. */
  readonly settled?: (object: any) => boolean;
}
