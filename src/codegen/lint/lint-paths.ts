import type { JsonSchema } from "../../apimachinery/schema/json-schema.ts";
import type { ParsedMarker } from "../markers/parse-markers.ts";
import { printColumn, scaleSubresource, selectableField } from "../markers/resource.ts";
import type { DefinedVersion } from "../model.ts";
import type { Report } from "../report.ts";
import { followPath } from "./json-path.ts";

/** Columns, scale paths and selectable fields must lead somewhere. */
export function lintPaths({ source, schema, selectableFields }: DefinedVersion, report: Report): void {
  for (const parsed of source.markers) {
    const refuse = refusal(parsed, report);
    if (parsed.marker === printColumn) checkColumn(parsed, refuse);
    for (const [argument, path] of pathsOf(parsed)) {
      const { missing } = followPath(schema, path);
      if (!path.startsWith(".")) refuse(`${argument} "${path}" is no JSONPath`, `start it with a dot: .${path}`);
      else if (missing !== undefined) {
        refuse(
          `${argument} "${path}" leads to ${missing}, which the schema does not have`,
          "correct the path, or add the field",
        );
      } else if (parsed.marker === selectableField) checkSelectable(schema, path, refuse);
      else if (parsed.marker === scaleSubresource) checkScale(argument, path, refuse);
    }
  }
  if (selectableFields.length > 8) {
    report.error(source.place, "TSOP_CRD_REFUSED", {
      path: source.kind,
      reason: `${selectableFields.length} selectable fields are more than a server accepts`,
      advice: "keep at most 8 +kubebuilder:selectablefield",
    });
  }
}

type Refuse = (reason: string, advice: string) => void;

function refusal(parsed: ParsedMarker, report: Report): Refuse {
  return (reason, advice) => report.error(parsed, "TSOP_MARKER_MISFIT", { name: parsed.marker.name, reason, advice });
}

function pathsOf({ marker, value }: ParsedMarker): [string, string][] {
  const isPath = marker === printColumn || marker === selectableField || marker === scaleSubresource;
  const given = isPath ? Object.entries(value as Record<string, unknown>) : [];
  return given.filter((entry): entry is [string, string] => entry[0] === "JSONPath" || entry[0].endsWith("path"));
}

const columnTypes = ["integer", "number", "string", "boolean", "date"];
const columnFormats = ["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];

function checkColumn({ value }: ParsedMarker, refuse: Refuse): void {
  const { type, format } = value as { type: string; format?: string };
  if (!columnTypes.includes(type)) refuse(`there is no column type "${type}"`, `use one of ${columnTypes.join(", ")}`);
  if (format && !columnFormats.includes(format)) {
    refuse(`there is no column format "${format}"`, `use one of ${columnFormats.join(", ")}`);
  }
}

function checkSelectable(schema: JsonSchema, path: string, refuse: Refuse): void {
  const { found } = followPath(schema, path);
  if (path.startsWith(".metadata")) refuse("fields of the metadata are selectable without it", "remove the marker");
  else if (found?.type !== "string" && found?.type !== "integer" && found?.type !== "boolean") {
    refuse(`"${path}" is no text, integer or boolean`, "select a scalar field");
  }
}

function checkScale(argument: string, path: string, refuse: Refuse): void {
  const allowed =
    argument === "specpath" ? [".spec."] : argument === "statuspath" ? [".status."] : [".spec.", ".status."];
  if (!allowed.some((start) => path.startsWith(start))) {
    refuse(`${argument} must start with ${allowed.join(" or ")}`, "correct the path");
  }
}
