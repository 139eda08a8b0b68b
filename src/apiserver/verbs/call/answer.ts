import type { KubeList, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Status } from "../../../apimachinery/status.ts";

/** What a verb answers, before a representation is chosen. */
export type Answer =
  | { readonly type: "object"; readonly code: number; readonly body: UnstructuredObject }
  | { readonly type: "list"; readonly code: number; readonly body: KubeList<UnstructuredObject> }
  /** A Status, as a DELETE answers it without a code. */
  | { readonly type: "success"; readonly code: number; readonly body: Omit<Status, "code"> & { code?: number } }
  | { readonly type: "text"; readonly code: number; readonly body: string | AsyncIterable<string> }
  | { readonly type: "watch"; readonly stream: WatchStream };

/** Opens the stream once the representation is known. */
export type WatchStream = (format: EventFormat) => AsyncIterable<string>;

/** How a watch shows its events: as lines, or as bytes with their length. */
export interface EventFormat {
  /** `first` is true for the first event of the stream. */
  event(type: string, object: UnstructuredObject, first: boolean): string;
  error(status: Status): string;
}
