import { cloneJson } from "../../apimachinery/clone.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { ParsedMarker } from "../source/parse-markers.ts";
import { recordOrigin } from "../source/rule-origins.ts";
import type { Report } from "../report.ts";
import { known, schemaNode, type Draft } from "./schema-draft.ts";

/** Applies markers in controller-gen's order: by priority, then as written; those for elements last. */
export function applyMarkers(
  draft: Draft,
  markers: readonly ParsedMarker[],
  { required, report }: { required?: boolean; report: Report },
): void {
  const ordered = markers.filter(({ marker }) => "apply" in marker).toSorted((a, b) => priority(a) - priority(b));
  for (const parsed of ordered) if (!parsed.items) apply(parsed, draft, { required, report });
  for (const parsed of ordered) if (parsed.items) applyToItems(parsed, draft, report);
}

function priority({ marker }: ParsedMarker): number {
  return marker.priority ?? 10;
}

function applyToItems(parsed: ParsedMarker, draft: Draft, report: Report): void {
  const values = known(draft, "additionalProperties");
  if (known(draft, "type") === "array") {
    draft.items = { ...draft.items };
    apply(parsed, draft.items, { report, type: known(draft, "items")?.type });
  } else if (typeof values === "object" && parsed.marker.name.startsWith("k8s:")) {
    const own = { ...(typeof draft.additionalProperties === "object" ? draft.additionalProperties : {}) };
    draft.additionalProperties = own;
    apply(parsed, own, { report, type: values.type });
  } else {
    report.error(parsed, "TSOP_MARKER_MISFIT", {
      name: nameOf(parsed),
      reason: "needs a list",
      advice: "remove the marker, or change the type",
    });
  }
}

interface Surroundings {
  readonly report: Report;
  readonly required?: boolean | undefined;
  readonly type?: JsonSchema["type"] | undefined;
}

function apply(parsed: ParsedMarker, draft: Draft, { report, required, type }: Surroundings): void {
  const node = schemaNode(draft, {
    required,
    type,
    misfit: (reason, advice) => report.error(parsed, "TSOP_MARKER_MISFIT", { name: nameOf(parsed), reason, advice }),
  });
  parsed.marker.apply?.(node, cloneJson(parsed.value));
  recordOrigin(draft, parsed);
}

function nameOf({ marker, items }: ParsedMarker): string {
  if (!items) return marker.name;
  return marker.name.startsWith("k8s:")
    ? `k8s:eachVal=+${marker.name}`
    : marker.name.replace("validation:", "validation:items:");
}
