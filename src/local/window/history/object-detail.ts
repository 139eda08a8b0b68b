import { textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { emitYaml } from "../../../apimachinery/yaml/emit.ts";
import { diffTexts } from "../../../files/diff.ts";
import type { DiffLine, EventRow, ObjectDetail } from "../contract.ts";
import type { Biography, ObjectHistory } from "./object-history.ts";
import { fieldsOf, conditionsOf } from "./object-status.ts";

/** Returns all that is known about an object, at its latest revision or an earlier one. */
export function objectDetail(
  history: ObjectHistory,
  id: string,
  n?: number,
): Omit<ObjectDetail, "replicas"> | undefined {
  const biography = history.get(id);
  const revision = n === undefined ? biography?.revisions.at(-1) : biography?.revisions.find((each) => each.n === n);
  if (!biography || !revision) return undefined;
  const object = JSON.parse(revision.text) as UnstructuredObject;
  return {
    row: revision.row,
    revisions: biography.revisions.map(({ text: _text, row: _row, ...known }) => known),
    dropped: biography.dropped,
    yaml: yamlOf(object),
    conditions: conditionsOf(object),
    events: eventsOf(history, revision.row.uid),
  };
}

/** Returns the difference of two revisions; an absent one is empty. */
export function diffRevisions(biography: Biography, from: number | undefined, to: number | undefined): DiffLine[] {
  const textOf = (n: number | undefined): string => {
    const revision = biography.revisions.find((each) => each.n === n);
    return revision ? yamlOf(JSON.parse(revision.text) as UnstructuredObject) : "";
  };
  return diffYaml(textOf(from), textOf(to));
}

/** The table of the comparison has a cell for each pair of lines. */
const mostCells = 16_000_000;

/** Returns the changed lines of two texts with those around them. */
export function diffYaml(before: string, after: string): DiffLine[] {
  if (before.split("\n").length * after.split("\n").length > mostCells)
    return [{ mark: "@", text: "the texts are too long to be compared" }];
  const [, , ...lines] = diffTexts("object", before, after).split("\n");
  return lines.filter((line) => line !== "").map((line) => ({ mark: markOf(line), text: line.slice(1) }));
}

/** Returns an object as people read it: without the field managers, which are as long as the rest. */
export function yamlOf(object: UnstructuredObject): string {
  const { managedFields: _fields, ...metadata } = object.metadata;
  const { apiVersion, kind, metadata: _metadata, ...rest } = object;
  return emitYaml({ apiVersion, kind, metadata, ...rest });
}

function markOf(line: string): DiffLine["mark"] {
  const [first] = line;
  return first === "-" || first === "+" || first === "@" ? first : " ";
}

function eventsOf(history: ObjectHistory, uid: string): EventRow[] {
  if (uid === "") return [];
  const events: EventRow[] = [];
  for (const resource of ["/events", "events.k8s.io/events"])
    for (const event of history.current(resource, uid)) {
      const about = fieldsOf(event["involvedObject"] ?? event["regarding"]);
      if (about["uid"] === uid) events.push(eventRow(event));
    }
  return events.sort((a, b) => b.last - a.last);
}

function eventRow(event: UnstructuredObject): EventRow {
  const series = fieldsOf(event["series"]);
  const times = [
    series["lastObservedTime"],
    event["lastTimestamp"],
    event["eventTime"],
    event.metadata.creationTimestamp,
  ];
  const last = times.map((time) => Date.parse(String(time))).find((time) => !Number.isNaN(time));
  return {
    id: event.metadata.uid ?? event.metadata.name ?? "",
    type: textOf(event["type"]),
    reason: textOf(event["reason"]),
    message: textOf(event["message"] ?? event["note"]),
    count: Number(series["count"] ?? event["count"] ?? event["deprecatedCount"] ?? 1) || 1,
    last: last ?? 0,
  };
}
