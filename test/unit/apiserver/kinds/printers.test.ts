import { describe, expect, it } from "vitest";
import { parseApiVersion } from "../../../../src/apimachinery/kind.ts";
import { kindOf } from "../../../../src/apiserver/kinds/kinds.ts";
import { plainKinds } from "../../../../src/apiserver/kinds/plain-kinds.ts";
import { plainPrinter } from "../../../../src/apiserver/kinds/printing/printer.ts";
import { whyUnserved } from "../../../../src/apiserver/registry/builtin-rows.ts";
import { customPrinter } from "../../../../src/apiserver/representation/tables/to-table.ts";
import type { CustomResourceVersion } from "../../../../src/apiserver/registry/served-resource.ts";
import { recorded } from "../recorded/recorded.ts";

interface RecordedTable {
  now: string;
  columns: { name: string; type: string; format: string; priority: number; description?: string }[];
  rows: { cells: unknown[]; object: any }[];
}

const tables = ["tables", "tables-of-states"].flatMap((name) =>
  Object.entries(recorded<Record<string, RecordedTable>>(name)),
);

// A real server's printer of autoscaling/v1 does not read the metrics that this version keeps in an annotation. Plain
// kinds have few columns.
const filled = tables.filter(
  ([path, { rows }]) => rows.length > 0 && !path.includes("autoscaling/v1") && !isUnserved(path) && !isPlain(rows[0]!),
);

describe("a table of a real server 1.36.3", () => {
  it.each(filled)("%s", (_path, { now, columns, rows }) => {
    const { apiVersion, kind } = rows[0]!.object;
    const { group, version } = parseApiVersion(apiVersion);
    const builtin = kindOf({ group, version, kind }, "1.36.3").printer ?? plainPrinter;
    const printer = group === "example.com" ? customPrinter(customVersion(columns)) : builtin;
    expect(printer.columns.map(withoutDescription)).toEqual(columns.map(withoutDescription));
    expect(rows.map(({ object }) => printer.cells(object, Date.parse(now)))).toEqual(rows.map(({ cells }) => cells));
  });
});

function isPlain({ object: { apiVersion, kind } }: RecordedTable["rows"][number]): boolean {
  return Object.hasOwn(plainKinds, `${parseApiVersion(apiVersion).group}/${kind}`);
}

function isUnserved(path: string): boolean {
  const [, , group = "", , plural = ""] = path.split("/");
  return whyUnserved({ group, plural }) !== undefined;
}

function withoutDescription({ name, type, format, priority }: RecordedTable["columns"][number]): object {
  return { name, type, format, priority };
}

/** The description of a column without one of its own names its path. */
function customVersion(columns: RecordedTable["columns"]): CustomResourceVersion {
  const paths = columns.map(({ description = "" }) => /JSONPath format\): (.*)$/.exec(description)?.[1]);
  return {
    storageVersion: "v1",
    versions: [],
    selectableFields: [],
    hasStatus: true,
    columns: columns
      .slice(1)
      .map((column, index) => ({ ...column, jsonPath: paths[index + 1] ?? ".status.phase" }))
      .filter((column) => column.name !== "Age" || columns.length > 2),
  };
}
