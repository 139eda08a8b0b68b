import { ApiError, failure } from "../../../apimachinery/status.ts";
import type { KubeObject, ListMeta, ObjectMeta } from "../../../apimachinery/meta.ts";
import { kindOf } from "../../kinds/kinds.ts";
import {
  plainPrinter,
  type Cell,
  type Printer,
  type TableColumn,
  ageOf,
  nameColumn,
  printer,
} from "../../kinds/printing/printer.ts";
import type { ServedResource, CustomResourceVersion } from "../../registry/served-resource.ts";
import type { Fields } from "../../../apimachinery/fields.ts";
import type { CrdColumn } from "../../../apimachinery/crd/crd-types.ts";
import { textAt, numberAt } from "../../kinds/printing/field-access.ts";
import { goNumber, toInt64 } from "../../../apimachinery/go-numbers.ts";
import { sortedGoJson } from "../../../apimachinery/go-text.ts";
import { compileJsonPath } from "./json-path.ts";

interface Table {
  kind: "Table";
  apiVersion: string;
  metadata: ListMeta;
  columnDefinitions: TableColumn[];
  rows: { cells: Cell[]; object: unknown }[];
}

export interface TableOptions {
  /** The metadata of the list; of a single object, its resourceVersion. */
  readonly metadata: ListMeta;
  readonly kubernetesVersion: string;
  readonly includeObject: IncludeObject;
  /** False for all events of a watch but the first. */
  readonly withColumns: boolean;
  /** The time from which ages are computed, in milliseconds since 1970. */
  readonly now: number;
}

type IncludeObject = "Metadata" | "Object" | "None";

/** Returns the Table of objects. A missing column is an empty cell, never an error. */
export function toTable(resource: ServedResource, objects: readonly KubeObject[], options: TableOptions): Table {
  const printer = printerOf(resource, objects[0]?.kind, options);
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: options.metadata,
    columnDefinitions: options.withColumns ? [...printer.columns] : [],
    rows: objects.map((object) => ({
      cells: printer.cells(object as unknown as Fields, options.now),
      object: rowObject(object, options),
    })),
  };
}

function printerOf(
  resource: ServedResource,
  kind: string | undefined,
  { kubernetesVersion }: Pick<TableOptions, "kubernetesVersion">,
): Printer {
  const { custom } = resource;
  if (kind === "Scale" && resource.kind !== kind) return custom ? ofCustom : ofBuiltin;
  return custom ? customPrinter(custom) : (kindOf(resource, kubernetesVersion).printer ?? plainPrinter);
}

/** Returns the metadata of an object, for metadata clients and tables. */
export function partialMetadata({ metadata }: KubeObject): PartialObjectMetadata {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}

interface PartialObjectMetadata {
  kind: "PartialObjectMetadata";
  apiVersion: string;
  metadata: ObjectMeta;
}

/** Parses the query parameter. Throws 400 for an unknown value. */
export function parseIncludeObject(value: string | null | undefined): IncludeObject {
  if (value === null || value === undefined || value === "") return "Metadata";
  if (value === "Metadata" || value === "Object" || value === "None") return value;
  const problem = `includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw new ApiError(failure("BadRequest", `Unable to convert to Table as requested: ${problem}`));
}

function rowObject(object: KubeObject, { includeObject }: TableOptions): unknown {
  if (includeObject === "None") return null;
  return includeObject === "Object" ? object : partialMetadata(object);
}

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

const ageColumn: CrdColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

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

/** Prints the Scale of a resource. */
const cells: Printer["cells"] = (scale) => [numberAt(scale, "spec", "replicas"), numberAt(scale, "status", "replicas")];

const ofBuiltin = printer("Desired:integer|Available:integer|Age", cells);
const ofCustom = printer("Desired:integer|Available:integer|Age:date", cells);
