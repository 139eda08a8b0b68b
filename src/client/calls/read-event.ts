import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, WatchEvent } from "../../apimachinery/meta.ts";
import { ApiError, type Status } from "../../apimachinery/status.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { LazyEvent } from "../client.ts";
import { cutEventLine } from "./event-line.ts";
import { alreadyParsed, parsedLater } from "./lazy-object.ts";
import { stamp } from "./parse-object.ts";

/** Parses the event in a line of a watch; throws the status of an ERROR event. */
export function readEvent<T extends KubeObject>(kind: Kind<T>, line: Buffer, path: string): WatchEvent<T> {
  const event = parse(line.toString(), path) as { type: WatchEvent["type"] | "ERROR"; object: unknown };
  if (event.type === "ERROR") throw new ApiError(event.object as Status);
  if (event.type !== "BOOKMARK") stamp(kind, event.object);
  return event as WatchEvent<T>;
}

/** Reads the events in lines lazily. */
export function* readLazyEvents<T extends KubeObject>(
  kind: Kind<T>,
  lines: readonly Buffer[],
  how: { readonly path: string; readonly stripManagedFields: boolean },
): Generator<LazyEvent<T>> {
  for (const line of lines) {
    const cut = cutEventLine(line, how.stripManagedFields);
    if (cut && isChange(cut.type)) {
      const metadata = parse(cut.metadata, how.path);
      yield { type: cut.type, object: parsedLater(kind, cut.text, metadata) };
    } else yield lazyEvent(readEvent(kind, line, how.path), how.stripManagedFields);
  }
}

function lazyEvent<T extends KubeObject>(event: WatchEvent<T>, strip: boolean): LazyEvent<T> {
  if (event.type === "BOOKMARK") return event;
  if (strip) delete event.object.metadata.managedFields;
  return { type: event.type, object: alreadyParsed(event.object) };
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message;
    throw new TsopError("TSOP_ANSWER_UNREADABLE", { method: "GET", path, reason }, { cause: error });
  }
}

function isChange(type: string): type is "ADDED" | "MODIFIED" | "DELETED" {
  return type === "ADDED" || type === "MODIFIED" || type === "DELETED";
}
