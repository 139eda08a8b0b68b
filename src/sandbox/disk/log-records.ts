import { crc32 } from "node:zlib";
import { isObject } from "../../apimachinery/is-object.ts";
import { parseJsonObjectOrUndefined } from "../../apimachinery/parse-json-object.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { mostLevels } from "../../apimachinery/levels.ts";
import { measureJson } from "../../apiserver/codec/json.ts";
import type { JournalEntry, Snapshot } from "../../apiserver/storage/store.ts";
import { TsopError } from "../../errors/tsop-error.ts";

// A log is a text: the line of its version, then records, each a line of its checksum and its JSON. The first record
// has the revision and the number of the objects with which the log begins; the others have one change each.

const title = "tsop state log, format ";
const format = 2;
const version = `${title}${format}`;
const newline = 10;
/** A CRC-32 as hexadecimal digits, and a space. */
const prefixLength = 9;

interface LogRecord extends Partial<Omit<JournalEntry, "text">> {
  readonly revision: number;
  readonly objects?: number;
  readonly object?: UnstructuredObject;
}

/** Returns the line of a change. */
export function formatEntry({ revision, resource, key, text }: JournalEntry): Buffer {
  const names = `"resource":${JSON.stringify(resource)},"key":${JSON.stringify(key)}`;
  return formatRecord(`{"revision":${revision},${names}${text === undefined ? "" : `,"object":${text}`}}`);
}

/** Yields the lines of a log that begins with a state. */
export function* formatSnapshot(
  { revision, objects }: Snapshot,
  textOf: (object: UnstructuredObject) => string = JSON.stringify,
): Generator<Buffer> {
  const collections = Object.entries(objects).map(
    ([resource, entries]) => [resource, Object.entries(entries)] as const,
  );
  const count = collections.reduce((sum, [, entries]) => sum + entries.length, 0);
  yield Buffer.from(`${version}\n`);
  yield formatRecord(JSON.stringify({ revision, objects: count } satisfies LogRecord));
  for (const [resource, entries] of collections)
    for (const [key, object] of entries) yield formatEntry({ revision, resource, key, text: textOf(object) });
}

function formatRecord(json: string): Buffer {
  const line = Buffer.from(`00000000 ${json}\n`);
  line.write(checksum(line.subarray(prefixLength, -1)), "latin1");
  return line;
}

function checksum(json: Uint8Array): string {
  return crc32(json)
    .toString(16)
    .padStart(prefixLength - 1, "0");
}

/** A state, and the number of bytes that hold it; part of a record may follow them. */
export interface LogContent {
  readonly snapshot: Snapshot;
  readonly end: number;
}

/**
 * Reads a log. What follows the last whole record is the one during whose writing the process was killed, and is left
 * out. A broken record before a whole one is damage, and an error.
 */
export function readLog(file: string, bytes: Buffer): LogContent {
  const head = bytes.indexOf(newline);
  refuseOtherVersion(file, bytes.toString("latin1", 0, Math.max(head, 0)));
  const state = new State();
  let end = head + 1;
  for (let line = 2, next = 0; (next = bytes.indexOf(newline, end)) >= 0; line++) {
    if (!isRecord(bytes, end, next)) {
      if (findRecord(bytes, next + 1)) throw damaged(file, end, "a record does not match its checksum");
      break;
    }
    const json = bytes.toString("utf8", end + prefixLength, next);
    // Below the record itself.
    if (measureJson(json).depth > mostLevels + 1)
      throw invalid(file, `the object in line ${line} has more than ${mostLevels} levels`);
    state.apply(file, json);
    end = next + 1;
  }
  if (state.isIncomplete) throw damaged(file, end, "it ends before its first objects are complete");
  return { snapshot: state.snapshot(), end };
}

function refuseOtherVersion(file: string, line: string): void {
  const found = line.startsWith(title) ? Number(line.slice(title.length)) : NaN;
  if (found > format) throw new TsopError("TSOP_STATE_NEWER", { file, format: found, known: format });
  if (line !== version) throw invalid(file);
}

function isRecord(bytes: Buffer, start: number, end: number): boolean {
  const json = bytes.subarray(start + prefixLength, end);
  return json.length > 0 && bytes.toString("latin1", start, start + prefixLength) === `${checksum(json)} `;
}

/** Reports whether a whole record begins at the position or at a later line. */
function findRecord(bytes: Buffer, from: number): boolean {
  for (let start = from, end = 0; (end = bytes.indexOf(newline, start)) >= 0; start = end + 1)
    if (isRecord(bytes, start, end)) return true;
  return false;
}

class State {
  private readonly objects = new Map<string, Map<string, UnstructuredObject>>();
  private revision = 0;
  /** The number of objects of the beginning that have not been read. */
  private missing = 1;

  get isIncomplete(): boolean {
    return this.missing > 0;
  }

  apply(file: string, json: string): void {
    const { revision, objects, resource, key, object } = parseRecord(file, json);
    if (this.revision === 0) this.missing = objects ?? NaN;
    else if (resource !== undefined && key !== undefined) this.change(resource, key, object);
    if (!Number.isSafeInteger(revision) || Number.isNaN(this.missing)) throw invalid(file);
    if (object !== undefined && !isObject(object.metadata)) throw invalid(file);
    this.revision = Math.max(this.revision, revision);
  }

  snapshot(): Snapshot {
    const objects = [...this.objects].map(([resource, entries]) => [resource, Object.fromEntries(entries)] as const);
    return { revision: this.revision, objects: Object.fromEntries(objects) };
  }

  private change(resource: string, key: string, object: UnstructuredObject | undefined): void {
    let entries = this.objects.get(resource);
    if (!entries) this.objects.set(resource, (entries = new Map()));
    if (object) entries.set(key, object);
    else entries.delete(key);
    if (this.missing > 0) this.missing--;
  }
}

/** Parses a record. Its checksum is right, but whoever wrote the file may have computed that. */
function parseRecord(file: string, json: string): LogRecord {
  const record = parseJsonObjectOrUndefined(json);
  if (!record) throw invalid(file);
  return record as unknown as LogRecord;
}

function invalid(file: string, reason = "this version does not read its format"): TsopError {
  return new TsopError("TSOP_STATE_INVALID", { file, reason });
}

function damaged(file: string, offset: number, reason: string): TsopError {
  return new TsopError("TSOP_STATE_DAMAGED", { file, offset, reason });
}
