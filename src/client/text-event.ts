import type { Kind } from "../apimachinery/kind.ts";
import type { KubeObject, Named } from "../apimachinery/meta.ts";
import { readObject } from "./read-object.ts";

/** A watch event whose object is still text: a cache keeps it so, and parses it for whoever wants to see it. */
export class TextEvent<T extends KubeObject> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The JSON of the object. */
  readonly text: string;
  private readonly kind: Kind<T>;

  constructor(kind: Kind<T>, type: TextEvent<T>["type"], text: string) {
    this.kind = kind;
    this.type = type;
    this.text = text;
  }

  /** Parsed anew at each look, so that it is the caller's own. */
  get object(): Named<T> {
    return readObject(this.kind, this.text);
  }
}
