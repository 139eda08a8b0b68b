import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Status } from "../../apimachinery/status.ts";
import { encodeWatchEvent } from "../codec/protobuf/encode-protobuf.ts";
import type { Call, EventFormat } from "../verbs/request/call.ts";
import type { OutputType } from "./negotiate.ts";
import { parseIncludeObject, partialMetadata, toTable, type TableOptions } from "./tables/to-table.ts";

/** Formats events of a watch as lines of JSON, each with an object, its metadata or a table of one row. */
export function jsonEvents(call: Call, output: OutputType): EventFormat {
  if (output.as === "PartialObjectMetadataList") return listEvents(false);
  const text = objectFormat(call, output);
  return {
    event: (type, object, first) => line(type, text(object, first)),
    error: (status) => errorEvent(status, false),
  };
}

/** Formats events of a watch as protobuf messages, each after its length. */
export function protobufEvents({ core }: Pick<Call, "core">, { as, version }: OutputType): EventFormat {
  if (as === "PartialObjectMetadataList") return listEvents(true);
  return {
    event: (type, object) =>
      core.eventTexts.get(object, `${type} ${as} ${version}`, () =>
        encodeWatchEvent(type, as === undefined ? object : partialMetadata(object, version)),
      ),
    error: (status) => errorEvent(status, true),
  };
}

/** Returns the format of a list. As in a real server, an event has no such format, and the first one ends the watch. */
function listEvents(isBinary: boolean): EventFormat {
  return { event: () => undefined, error: (status) => errorEvent(status, isBinary) };
}

/** Formats the event that ends a watch, in protobuf or as a line of JSON. */
export function errorEvent(status: Status, isBinary: boolean): string {
  return isBinary ? encodeWatchEvent("ERROR", status) : line("ERROR", JSON.stringify(status));
}

function line(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}

type ObjectFormat = (object: UnstructuredObject, first: boolean) => string;

function objectFormat(call: Call, { as, version }: OutputType): ObjectFormat {
  const { store, eventTexts } = call.core;
  if (as === undefined) return (object) => store.text(object);
  if (as !== "Table")
    return (object) =>
      eventTexts.get(object, `metadata ${version}`, () => JSON.stringify(partialMetadata(object, version)));
  const includeObject = parseIncludeObject(call.query.get("includeObject"));
  return (object, first) => JSON.stringify(eventTable(call, object, { version, includeObject, withColumns: first }));
}

function eventTable(
  call: Call,
  object: UnstructuredObject,
  options: Pick<TableOptions, "version" | "includeObject" | "withColumns">,
): unknown {
  const metadata = { resourceVersion: object.metadata.resourceVersion ?? "" };
  const table = toTable(call.entry.resource, [object], { ...options, metadata, now: call.core.clock.now() });
  return options.withColumns ? table : { ...table, columnDefinitions: null };
}
