import { apiVersionOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, Named } from "../../apimachinery/meta.ts";

/** An object of a watch. It is parsed when it is read: most handlers of events read only metadata. */
export interface LazyObject<T extends KubeObject> {
  readonly metadata: Named<T>["metadata"];
  readonly whole: Named<T>;
  /** The JSON of the object. */
  readonly text: string;
}

/** Returns an object whose metadata is parsed, and the rest when it is read. */
export function parsedLater<T extends KubeObject>(kind: Kind<T>, text: string, metadata: unknown): LazyObject<T> {
  return new TextObject(kind, text, metadata as Named<T>["metadata"]);
}

/** Returns a parsed object as a lazy one. */
export function alreadyParsed<T extends KubeObject>(whole: Named<T>): LazyObject<T> {
  return new WholeObject(whole);
}

class WholeObject<T extends KubeObject> implements LazyObject<T> {
  readonly metadata: Named<T>["metadata"];
  readonly whole: Named<T>;

  constructor(whole: Named<T>) {
    this.whole = whole;
    this.metadata = whole.metadata;
  }

  get text(): string {
    return JSON.stringify(this.whole);
  }
}

class TextObject<T extends KubeObject> implements LazyObject<T> {
  readonly metadata: Named<T>["metadata"];
  readonly text: string;
  private readonly kind: Kind<T>;
  private parsed: Named<T> | undefined;

  constructor(kind: Kind<T>, text: string, metadata: Named<T>["metadata"]) {
    this.kind = kind;
    this.text = text;
    this.metadata = metadata;
  }

  get whole(): Named<T> {
    return (this.parsed ??= readObject(this.kind, this.text));
  }
}

/** Parses an object of a kind. */
export function readObject<T extends KubeObject>(kind: Kind<T>, text: string): Named<T> {
  return stamp(kind, JSON.parse(text));
}

/** Sets the type of an object to the requested kind: projections and list items have another type or none. */
export function stamp<T extends KubeObject>(kind: Kind<T>, object: unknown): Named<T> {
  const result = object as Named<T>;
  result.apiVersion = apiVersionOf(kind);
  result.kind = kind.kind;
  return result;
}
