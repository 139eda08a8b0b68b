import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ServedResource } from "./served-resource.ts";
import type { Strategy } from "./strategy.ts";

/** A served resource with what the verbs need to know of it. */
export interface ResourceEntry {
  readonly resource: ServedResource;
  readonly strategy: Strategy;
  /** The CRD is going: nothing new is created. */
  readonly terminating?: boolean;
  /** The OpenAPI name of its Go type, by which bodies are decoded; custom resources leave that to their schema. */
  readonly type?: string;
  /** Where its objects are: `events` of both groups are one collection. */
  readonly storage: { readonly group: string; readonly plural: string };
  /** Only where a webhook converts: to be awaited before `read` is asked for these objects. */
  load?(stored: Iterable<UnstructuredObject>): Promise<void>;
  /** A stored object in this entry's version; shared and frozen like its argument. */
  read(stored: UnstructuredObject): UnstructuredObject;
  /** An object of this entry's version as it is stored; later where a webhook converts. May change its argument. */
  write(object: UnstructuredObject): UnstructuredObject | Promise<UnstructuredObject>;
}
