import type { ParsedMarker } from "../source/parse-markers.ts";
import { printColumn, scaleSubresource } from "../markers/resource.ts";
import type { DefinedVersion } from "../model.ts";
import type { Report } from "../report.ts";
import { followPath } from "./follow-path.ts";

/** Checks that columns and scale paths resolve, which a server does not check. */
export function lintPaths({ source, schema }: DefinedVersion, report: Report): void {
  for (const parsed of source.markers) {
    for (const [argument, path] of pathsOf(parsed)) {
      const { missing } = followPath(schema, path);
      if (missing === undefined) continue;
      report.error(parsed, "TSOP_MARKER_MISFIT", {
        name: parsed.marker.name,
        reason: `${argument} "${path}" leads to ${missing}, which the schema does not have`,
        advice: "correct the path, or add the field",
      });
    }
  }
}

function pathsOf({ marker, value }: ParsedMarker): [string, string][] {
  const given =
    marker === printColumn || marker === scaleSubresource ? Object.entries(value as Record<string, unknown>) : [];
  return given.filter((entry): entry is [string, string] => entry[0] === "JSONPath" || entry[0].endsWith("path"));
}
