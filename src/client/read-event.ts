import type { Kind } from "../apimachinery/kind.ts";
import type { KubeObject, WatchEvent } from "../apimachinery/meta.ts";
import { ApiError, type Status } from "../apimachinery/status.ts";
import { TsopError } from "../errors/tsop-error.ts";
import type { WatchOptions } from "./client.ts";
import { cutEventLine } from "./event-line.ts";
import { stamp } from "./read-object.ts";
import { TextEvent } from "./text-event.ts";

/** The event in a line of a watch; throws what the server reports as an ERROR. */
export function readEvent<T extends KubeObject>(
  kind: Kind<T>,
  line: Buffer,
  how: { readonly path: string; readonly asText: WatchOptions["asText"] },
): WatchEvent<T> {
  const { path, asText } = how;
  const cut = asText && cutEventLine(line, asText === "without managedFields");
  if (cut && isChange(cut.type)) return new TextEvent(kind, cut.type, cut.text);
  let event: { type: WatchEvent["type"] | "ERROR"; object: unknown };
  try {
    event = JSON.parse(line.toString()) as typeof event;
  } catch (error) {
    const reason = (error as Error).message;
    throw new TsopError("TSOP_ANSWER_UNREADABLE", { method: "GET", path, reason }, { cause: error });
  }
  if (event.type === "ERROR") throw new ApiError(event.object as Status);
  if (event.type !== "BOOKMARK") stamp(kind, event.object);
  return event as WatchEvent<T>;
}

function isChange(type: string): type is "ADDED" | "MODIFIED" | "DELETED" {
  return type === "ADDED" || type === "MODIFIED" || type === "DELETED";
}
