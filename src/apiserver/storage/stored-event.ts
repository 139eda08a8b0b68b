import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** A committed write. `object` of a deletion is the last content with the deletion's own revision. */
export interface StoredEvent {
  readonly revision: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly key: string;
  readonly object: UnstructuredObject;
  readonly previous: UnstructuredObject | undefined;
}
