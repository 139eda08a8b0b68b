import type { Fields } from "./field-access.ts";
import { textAt } from "./field-access.ts";

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
 * A printer whose first column is the name. The others are written `Ready|Age|Images*`: `:type` when a column is not text,
 * `*` when only `-o wide` shows it.
 */
export function printer(columns: string, cells: Printer["cells"]): Printer {
  return {
    columns: [nameColumn, ...parseColumns(columns)],
    cells: (object, now) => [textAt(object, "metadata", "name"), ...cells(object, now)],
  };
}

/** The description comes from the API documentation of metadata.name in a real server; built-in columns go without. */
export const nameColumn: TableColumn = { name: "Name", type: "string", format: "name", description: "", priority: 0 };

/** Reads the short notation of `printer`. */
export function parseColumns(columns: string): TableColumn[] {
  return columns.split("|").map((text) => {
    const wide = text.endsWith("*");
    const [name = "", type = "string"] = (wide ? text.slice(0, -1) : text).split(":");
    return { name, type, format: "", description: "", priority: wide ? 1 : 0 };
  });
}
