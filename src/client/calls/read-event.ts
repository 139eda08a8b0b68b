import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, WatchEvent } from "../../apimachinery/meta.ts";
import { ApiError, type Status } from "../../apimachinery/status.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { LazyEvent } from "../client.ts";
import { alreadyParsed, parsedLater, stamp } from "./lazy-object.ts";

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

/** The parts of a line of a watch. */
interface EventLine {
  readonly type: string;
  /** The JSON of the object. */
  readonly text: string;
  /** The JSON of the object's metadata. */
  readonly metadata: string;
}

const closeBrace = 125;
/** etcd stores smaller objects; for one several times as large, a regular expression cannot keep all its positions. */
const longest = 4 * 1024 * 1024;
const text = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
/** A list without lists in it, as all lists in metadata are, managedFields included. */
const flatList = String.raw`\[[^"[\]]*(?:${text}[^"[\]]*)*\]`;
/** An object without objects in it, such as labels. */
const flatObject = String.raw`\{[^"{}]*(?:${text}[^"{}]*)*\}`;
/** A field matches in one way only, so that a mismatching line fails without much backtracking. */
const field = String.raw`(?!"managedFields":)${text}:(?:${text}|${flatList}|${flatObject}|[^"[{,}]+)`;
const lastFields = `(?:${field},)*(?:${field})?`;
const managedFields = String.raw`"managedFields":(?:${flatList}|null)`;
const eventPattern = new RegExp(
  String.raw`^\{"type":"([A-Z]+)","object":(\{(?:${field},)*?"metadata":)(\{(?:${field},)*)(?:(${managedFields},?)(${lastFields})|(?:${field})?)\}`,
);

/**
 * Splits a line of a watch into its type and the texts of the object and its metadata, and removes
 * `metadata.managedFields`: it is half of an object and useless to an operator, so parsing it would double the cost of a
 * cache. While code is not compiled yet, at a start, a regular expression is much faster than a loop over bytes. Returns
 * `undefined` unless the line is as API servers write it: compact JSON with the type first, and metadata before any deep
 * field. Such a line must be parsed as a whole. Overwrites the line's bytes.
 */
export function cutEventLine(line: Buffer, stripManagedFields: boolean): EventLine | undefined {
  if (line[line.length - 1] !== closeBrace || line.length > longest) return undefined;
  // One character per byte, so that positions in the text are positions in the line.
  const match = eventPattern.exec(line.toString("latin1"));
  if (!match) return undefined;
  const [matched, type = "", before = "", first = "", managed, after] = match;
  const start = matched.indexOf("{", 1);
  const metadata = start + before.length;
  let [metadataEnd, end] = [matched.length, line.length - 1];
  if (managed !== undefined && stripManagedFields) {
    const gap = { from: metadata + first.length, length: managed.length };
    if (after === "" && first.endsWith(",")) {
      gap.from--;
      gap.length++;
    }
    // Closing the gap in the buffer makes one flat string; joining two strings would keep all three.
    line.copyWithin(gap.from, gap.from + gap.length, end);
    metadataEnd -= gap.length;
    end -= gap.length;
  }
  return { type, text: line.toString("utf8", start, end), metadata: line.toString("utf8", metadata, metadataEnd) };
}
