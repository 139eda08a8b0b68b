import { labelKeyProblems, labelValueProblems } from "../../apimachinery/label-syntax.ts";
import type { ParsedMarker } from "../source/parse-markers.ts";
import { metadata } from "../markers/resource.ts";
import type { ResourceDefinition } from "../model.ts";
import type { Report } from "../report.ts";

/** Checks the annotations and labels of a CRD by the rules for any object. */
export function lintMetadata({ versions }: ResourceDefinition, report: Report): void {
  for (const parsed of versions.flatMap(({ source }) => source.markers)) {
    if ((parsed.marker as unknown) !== metadata) continue;
    const { annotations = [], labels = [] } = parsed.value as { annotations?: string[]; labels?: string[] };
    for (const text of [...annotations, ...labels]) {
      const [written = ""] = text.split("=");
      // The server checks an annotation's key in lower case.
      if (labelKeyProblems(written).length > 0)
        refuse(parsed, report, `"${written}" is not a valid key`, "write name or example.com/name");
    }
    for (const text of labels) {
      const value = text.slice(text.indexOf("=") + 1);
      if (labelValueProblems(value).length > 0)
        refuse(
          parsed,
          report,
          `"${value}" is not a valid label value`,
          "write at most 63 letters, digits, '-', '_' and '.'",
        );
    }
  }
}

function refuse(parsed: ParsedMarker, report: Report, reason: string, advice: string): void {
  report.error(parsed, "TSOP_MARKER_MISFIT", { name: parsed.marker.name, reason, advice });
}
