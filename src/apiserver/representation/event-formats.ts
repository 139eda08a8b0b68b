import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { OutputType } from "./negotiate.ts";
import { encodeWatchEvent } from "../codec/protobuf/encode-protobuf.ts";
import { objectText } from "../storage/store.ts";
import { parseIncludeObject, partialMetadata, toTable } from "./tables/to-table.ts";
import type { EventFormat, Call } from "../verbs/request/call.ts";

/** Events of a watch as lines of JSON, each with an object, its metadata or a table of one row. */
export function jsonEvents(call: Call, output: OutputType): EventFormat {
  const text = objectFormat(call, output);
  return {
    event: (type, object, first) => line(type, text(object, first)),
    error: (status) => line("ERROR", JSON.stringify(status)),
  };
}

/** Events of a watch as messages with their length in front. */
export function protobufEvents({ as, version }: OutputType): EventFormat {
  const frame = (type: string, object: UnstructuredObject): string =>
    encodeWatchEvent(type, as === undefined ? object : partialMetadata(object, version));
  return {
    event(type, object) {
      const form = `${type} ${as} ${version}`;
      if (latestFrame?.object !== object || latestFrame.form !== form)
        latestFrame = { object, form, text: frame(type, object) };
      return latestFrame.text;
    },
    error: (status) => encodeWatchEvent("ERROR", status),
  };
}

function line(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}

type ObjectFormat = (object: UnstructuredObject, first: boolean) => string;

function objectFormat(call: Call, { as, version }: OutputType): ObjectFormat {
  if (as === undefined) return objectText;
  if (as !== "Table") return (object) => partialText(object, version);
  const includeObject = parseIncludeObject(call.query.get("includeObject"));
  return (object, first) => JSON.stringify(eventTable(call, object, { version, includeObject, withColumns: first }));
}

type EventTableOptions = Pick<Parameters<typeof toTable>[2], "version" | "includeObject" | "withColumns">;

function eventTable(call: Call, object: UnstructuredObject, options: EventTableOptions): unknown {
  const metadata = { resourceVersion: object.metadata.resourceVersion ?? "" };
  const shown = toTable(call.entry.resource, [object], { ...options, metadata, now: call.core.clock.now() });
  return options.withColumns ? shown : { ...shown, columnDefinitions: null };
}

function partialText(object: UnstructuredObject, version: "v1" | "v1beta1"): string {
  if (latestPartial?.object !== object || latestPartial.version !== version)
    latestPartial = { object, version, text: JSON.stringify(partialMetadata(object, version)) };
  return latestPartial.text;
}

/** All watchers hear of a write in one turn: fifty of them cost one text. */
let latestPartial: { readonly object: UnstructuredObject; readonly version: string; readonly text: string } | undefined;

let latestFrame: { readonly object: UnstructuredObject; readonly form: string; readonly text: string } | undefined;
