import { ApiError, failure } from "../../../apimachinery/status.ts";
import type { KubeObject, ListMeta, ObjectMeta } from "../../../apimachinery/meta.ts";
import { kindOf } from "../../kinds/kinds.ts";
import { plainPrinter } from "../../kinds/printing/printer.ts";
import { scalePrinter } from "./scale-columns.ts";
import { customPrinter } from "./custom-columns.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import type { Fields } from "../../../apimachinery/fields.ts";
import type { Cell, Printer, TableColumn } from "../../kinds/printing/printer.ts";

export interface Table {
  kind: "Table";
  apiVersion: string;
  metadata: ListMeta;
  columnDefinitions: TableColumn[];
  rows: { cells: Cell[]; object: unknown }[];
}

export interface TableOptions {
  /** The metadata of the list; of a single object, its resourceVersion. */
  readonly metadata: ListMeta;
  /** The negotiated version of meta.k8s.io. */
  readonly version: "v1" | "v1beta1";
  readonly includeObject: IncludeObject;
  /** False for all events of a watch but the first. */
  readonly withColumns: boolean;
  /** The time from which ages are computed, in milliseconds since 1970. */
  readonly now: number;
}

export type IncludeObject = "Metadata" | "Object" | "None";

/** Returns the Table of objects. A missing column is an empty cell, never an error. */
export function toTable(resource: ServedResource, objects: readonly KubeObject[], options: TableOptions): Table {
  const printer = printerOf(resource, objects[0]?.kind);
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata: options.metadata,
    columnDefinitions: options.withColumns ? [...printer.columns] : [],
    rows: objects.map((object) => ({
      cells: printer.cells(object as unknown as Fields, options.now),
      object: rowObject(object, options),
    })),
  };
}

function printerOf(resource: ServedResource, kind: string | undefined): Printer {
  const { custom } = resource;
  if (kind === "Scale" && resource.kind !== kind) return scalePrinter(resource);
  return custom ? customPrinter(custom) : (kindOf(resource).printer ?? plainPrinter);
}

/** Returns the metadata of an object, for metadata clients and tables. */
export function partialMetadata(object: KubeObject, version: "v1" | "v1beta1"): PartialObjectMetadata {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
}

export interface PartialObjectMetadata {
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

function rowObject(object: KubeObject, { includeObject, version }: TableOptions): unknown {
  if (includeObject === "None") return null;
  return includeObject === "Object" ? object : partialMetadata(object, version);
}
