import type { KubeList, UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Status } from "../../apimachinery/status.ts";

/** What a verb answers, before a representation is chosen. */
export type Answer =
  | { readonly type: "object"; readonly code: number; readonly object: UnstructuredObject }
  | { readonly type: "list"; readonly list: KubeList<UnstructuredObject> }
  /** A Status without a code, as a DELETE answers. */
  | { readonly type: "success"; readonly body: Omit<Status, "code"> }
  | { readonly type: "watch"; readonly stream: WatchStream };

/** Opens the stream once the representation is known. */
export type WatchStream = (format: EventFormat) => AsyncIterable<string>;

/** How a watch shows objects; `name` tells formats apart in the cache of an event's texts. */
export interface EventFormat {
  readonly name: string;
  show(object: UnstructuredObject, first: boolean): unknown;
}
