/** A collection to write to, and a valid object for it. */
export interface Subject {
  readonly path: string;
  readonly object: any;
  /** Names of subresources that can be written like the object. */
  readonly parts?: readonly string[];
  readonly custom?: boolean;
  /** The versions of the kind, if it has several. */
  readonly versions?: readonly string[];
  /** Reports whether the server's controllers have finished with a new object. */
  readonly settled?: (object: any) => boolean;
}
