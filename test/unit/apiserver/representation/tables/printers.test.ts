import { describe, expect, it } from "vitest";
import type { CustomResourceVersion } from "../../../../../src/apiserver/registry/served-resource.ts";
import { printerOf } from "../../../../../src/apiserver/representation/tables/printers.ts";
import { recorded } from "../../recorded/recorded.ts";

interface RecordedTable {
  now: string;
  columns: { name: string; type: string; format: string; priority: number; description?: string }[];
  rows: { cells: unknown[]; object: any }[];
}

const tables = ["tables", "tables-of-states"].flatMap((name) =>
  Object.entries(recorded<Record<string, RecordedTable>>(name)),
);

// autoscaling/v1 keeps all metrics but the first in an annotation, which the printer of that version does not read.
const filled = tables.filter(([path, table]) => table.rows.length > 0 && !path.includes("autoscaling/v1"));

describe("a table of a real server", () => {
  it.each(filled)("%s", (_path, { now, columns, rows }) => {
    const { apiVersion, kind } = rows[0]!.object;
    const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
    const printer = printerOf({ group, kind, ...(group === "example.com" ? { custom: customVersion(columns) } : {}) });
    expect(printer.columns.map(withoutDescription)).toEqual(columns.map(withoutDescription));
    expect(rows.map(({ object }) => printer.cells(object, Date.parse(now)))).toEqual(rows.map(({ cells }) => cells));
  });
});

function withoutDescription({ name, type, format, priority }: RecordedTable["columns"][number]): object {
  return { name, type, format, priority };
}

/** The description of a column without one of its own names its path. */
function customVersion(columns: RecordedTable["columns"]): CustomResourceVersion {
  const paths = columns.map(({ description = "" }) => /JSONPath format\): (.*)$/.exec(description)?.[1]);
  return {
    crdName: "widgets.example.com",
    storageVersion: "v1",
    selectableFields: [],
    hasStatus: true,
    preserveUnknownFields: false,
    columns: columns
      .slice(1)
      .map((column, index) => ({ ...column, jsonPath: paths[index + 1] ?? ".status.phase" }))
      .filter((column) => column.name !== "Age" || columns.length > 2),
  };
}
