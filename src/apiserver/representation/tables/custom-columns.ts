import type { CrdColumn } from "../../../apimachinery/crd/crd-types.ts";
import type { CustomResourceVersion } from "../../registry/served-resource.ts";
import { textAt } from "../../kinds/printing/field-access.ts";
import { ageOf } from "../../kinds/printing/human-duration.ts";
import { goNumber, toInt64 } from "../../../apimachinery/go-numbers.ts";
import { sortedGoJson } from "../../../apimachinery/go-text.ts";
import { compileJsonPath } from "./json-path.ts";
import { ageDescription, nameColumn, type Cell, type Printer } from "../../kinds/printing/printer.ts";

const printers = new WeakMap<CustomResourceVersion, Printer>();

/** Returns the printer of a custom resource: its name, then the columns of the CRD, or its age by default. */
export function customPrinter(custom: CustomResourceVersion): Printer {
  const known = printers.get(custom);
  if (known) return known;
  const columns = custom.columns.length > 0 ? custom.columns : [ageColumn];
  const paths = columns.map((column) => compileJsonPath(column.jsonPath));
  const made: Printer = {
    columns: [nameColumn, ...columns.map(definition)],
    cells: (object, now) => [
      textAt(object, "metadata", "name"),
      ...columns.map((column, index) => cell(paths[index]!(object)[0], column.type, now)),
    ],
  };
  printers.set(custom, made);
  return made;
}

const ageColumn: CrdColumn = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
  description: ageDescription,
};

function definition(column: CrdColumn): Printer["columns"][number] {
  const { name, type, format = "", priority = 0 } = column;
  const otherwise = `Custom resource definition column (in JSONPath format): ${column.jsonPath}`;
  return { name, type, format, description: column.description || otherwise, priority };
}

/** Formats a cell; a value of another type than the column's is shown as none. */
function cell(value: unknown, type: string, now: number): Cell {
  if (value === undefined) return null;
  switch (type) {
    case "string":
      return textOf(value);
    case "integer":
      return typeof value === "number" ? toInt64(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    default:
      return typeof value === "string" ? timeCell(value, now) : null;
  }
}

/** Returns the text of a value as Go's JSONPath prints it. */
function textOf(value: unknown): string {
  if (value === null) return "<no value>";
  if (typeof value === "string") return value;
  if (typeof value === "number") return goNumber(value);
  return sortedGoJson(value);
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)$/;

function timeCell(text: string, now: number): string {
  return text === "" || rfc3339.test(text) ? ageOf(text, now) : "<invalid>";
}
