import type { Fields } from "../../../apimachinery/fields.ts";
import { textAt, listAt, mapAt, numberAt, textsAt, valueAt } from "./field-access.ts";
import { compareText } from "../../../apimachinery/compare-text.ts";

export type Cell = string | number | boolean | null;

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** Turns objects of a kind into rows of a Table. */
export interface Printer {
  readonly columns: readonly TableColumn[];
  cells(object: Fields, now: number): Cell[];
}

/**
 * Returns a printer whose first column is the name. The others are written `Ready|Age|Images*`: `:type` if a column is not
 * text, `*` if only `-o wide` shows it. `cells` returns those but for the name and the age.
 */
export function printer(text: string, cells: Printer["cells"]): Printer {
  const columns = [nameColumn, ...parseColumns(text)];
  const age = columns.findIndex(({ name }) => name === "Age");
  return {
    columns,
    cells(object, now) {
      const all = [textAt(object, "metadata", "name"), ...cells(object, now)];
      return age < 0 ? all : all.toSpliced(age, 0, creationAge(object, now));
    },
  };
}

/** The column of the name. Clients do not show descriptions, and columns of built-in kinds have none. */
export const nameColumn: TableColumn = { name: "Name", type: "string", format: "name", description: "", priority: 0 };

/** Parses the short notation of `printer`. */
export function parseColumns(columns: string): TableColumn[] {
  return columns.split("|").map((text) => {
    const wide = text.endsWith("*");
    const [name = "", type = "string"] = (wide ? text.slice(0, -1) : text).split(":");
    return { name, type, format: "", description: "", priority: wide ? 1 : 0 };
  });
}

/** Returns the first three texts of a list and the number of the others; `""` for an empty list. */
export function firstThree(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(",");
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown;
}

/** Printer of a kind with the age alone. */
export const agePrinter: Printer = printer("Age", () => []);

/** Printer of a kind without its own printer. */
export const plainPrinter: Printer = printer("Created At:date", (object) => [
  textAt(object, "metadata", "creationTimestamp"),
]);

/** Formats labels as `a=b,c=d`, sorted by key; `<none>` if there are none. */
export function labelText(labels: Fields): string {
  return pairs(labels).join(",") || "<none>";
}

/** Formats a label selector like kubectl: `a=b,c in (d,e),!f`; `<none>` if it has no requirement. */
export function labelSelectorText(selector: unknown): string {
  const requirements = [
    ...Object.entries(mapAt(selector, "matchLabels")).map(([key, value]) => ({ key, text: `${key}=${String(value)}` })),
    ...listAt(selector, "matchExpressions").map((expression) => {
      const key = textAt(expression, "key");
      return { key, text: requirementText(key, textAt(expression, "operator"), textsAt(expression, "values")) };
    }),
  ];
  const byKey = requirements.sort((a, b) => compareText(a.key, b.key));
  return byKey.map(({ text }) => text).join(",") || "<none>";
}

function pairs(labels: Fields): string[] {
  return Object.keys(labels)
    .sort()
    .map((key) => `${key}=${String(labels[key])}`);
}

function requirementText(key: string, operator: string, values: readonly string[]): string {
  const list = `(${values.toSorted().join(",")})`;
  switch (operator) {
    case "In":
      return `${key} in ${list}`;
    case "NotIn":
      return `${key} notin ${list}`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return "<error>";
  }
}

/** Returns the names and the images of the containers of a pod template. */
export function containerCells(template: unknown): [names: string, images: string] {
  const containers = listAt(template, "spec", "containers");
  const column = (field: string): string => containers.map((container) => textAt(container, field)).join(",");
  return [column("name"), column("image")];
}

export const replicaColumns = "Desired:integer|Current:integer|Ready:integer|Age|Containers*|Images*|Selector*";

/** Returns the cells of a ReplicaSet or a ReplicationController. */
export function replicaCells(object: Fields, selector: string): Cell[] {
  return [
    numberAt(object, "spec", "replicas"),
    numberAt(object, "status", "replicas"),
    numberAt(object, "status", "readyReplicas"),
    ...containerCells(valueAt(object, "spec", "template")),
    selector,
  ];
}

const [second, minute, hour, day, year] = [1, 60, 3600, 86_400, 31_536_000];

/** Formats a duration as kubectl shows ages: in one or two units, coarser for longer durations. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 2 * minute) return `${Math.max(seconds, 0)}s`;
  if (seconds < 10 * minute) return twoUnits(seconds, [minute, "m"], [second, "s"]);
  if (seconds < 3 * hour) return `${Math.trunc(seconds / minute)}m`;
  if (seconds < 8 * hour) return twoUnits(seconds, [hour, "h"], [minute, "m"]);
  if (seconds < 2 * day) return `${Math.trunc(seconds / hour)}h`;
  if (seconds < 8 * day) return twoUnits(seconds, [day, "d"], [hour, "h"]);
  if (seconds < 2 * year) return `${Math.trunc(seconds / day)}d`;
  if (seconds < 8 * year) return twoUnits(seconds, [year, "y"], [day, "d"]);
  return `${Math.trunc(seconds / year)}y`;
}

/** Returns the age of an RFC 3339 time; `<unknown>` if it is missing, `<invalid>` if it cannot be parsed. */
export function ageOf(time: unknown, now: number): string {
  if (typeof time !== "string" || time === "") return "<unknown>";
  const at = Date.parse(time);
  return Number.isNaN(at) ? "<invalid>" : humanDuration(now - at);
}

/** Returns the age of an object. */
function creationAge(object: unknown, now: number): string {
  return ageOf(valueAt(object, "metadata", "creationTimestamp"), now);
}

type Unit = readonly [size: number, letter: string];

function twoUnits(seconds: number, [size, letter]: Unit, [smallSize, smallLetter]: Unit): string {
  const rest = Math.trunc((seconds % size) / smallSize);
  const whole = `${Math.trunc(seconds / size)}${letter}`;
  return rest === 0 ? whole : `${whole}${rest}${smallLetter}`;
}
