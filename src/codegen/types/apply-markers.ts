import { cloneJson } from "../../apimachinery/clone.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { SchemaNode } from "../markers/marker.ts";
import type { ParsedMarker } from "../source/parse-markers.ts";
import { recordOrigin } from "../source/rule-origins.ts";
import type { Report } from "../report.ts";
import { known, type Draft } from "./schema-draft.ts";

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
  if (known(draft, "type") === "array") {
    draft.items = { ...draft.items };
    apply(parsed, draft.items, { report, type: known(draft, "items")?.type });
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
  const node: SchemaNode = {
    schema: draft,
    type: known(draft, "type") ?? type,
    intOrString: known(draft, "x-kubernetes-int-or-string") === true,
    required,
    requiredNames: known(draft, "required") ?? [],
    propertyNames: Object.keys(known(draft, "properties") ?? {}),
    misfit: (reason, advice) => report.error(parsed, "TSOP_MARKER_MISFIT", { name: nameOf(parsed), reason, advice }),
  };
  parsed.marker.apply?.(node, cloneJson(parsed.value));
  recordOrigin(draft, parsed);
}

function nameOf({ marker, items }: ParsedMarker): string {
  return items ? marker.name.replace("validation:", "validation:items:") : marker.name;
}
