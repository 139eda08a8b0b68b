import { verbsOf, type KindCall } from "../find-kind-calls.ts";
import { rbac } from "../markers/package.ts";
import type { Report } from "../report.ts";
import { valuesOf, type ParsedMarker } from "../source/parse-markers.ts";
import { groupsOf } from "./lint-roles.ts";

/** Warns of calls that keep all Secrets or ConfigMaps of a cluster in memory, if no option limits the cache. */
export function lintCaches(
  calls: readonly KindCall[],
  markers: readonly ParsedMarker[],
  { texts, report }: { readonly texts: Iterable<string>; readonly report: Report },
): void {
  const held = calls.filter((call) => isHeavy(call) && !call.isLight && verbsOf(call).includes("watch"));
  if (held.length === 0) return;
  const code = [...texts];
  for (const plural of new Set(held.map((call) => call.plural))) {
    const { kind, place } = held.find((call) => call.plural === plural)!;
    const named = new RegExp(`\\b(byKind|disableFor)\\s*:[^;]{0,2000}?\\b${kind}\\b`);
    if (code.some((text) => named.test(text) || limitsAll.test(text)) || hasRoleOnly(markers, plural)) continue;
    report.warning(place, "TSOP_CACHE_HOLDS_ALL", { kind, plural });
  }
}

/** A selector for all kinds in the options of a cache. */
const limitsAll = /\bcache\s*:\s*\{[^{}]*\b(labels|fields)\s*:/;

function isHeavy({ group, plural }: KindCall): boolean {
  return group === "" && (plural === "secrets" || plural === "configmaps");
}

/** Reports whether the operator may read a kind only in some namespaces, so that its cache holds no more. */
function hasRoleOnly(markers: readonly ParsedMarker[], plural: string): boolean {
  const granting = valuesOf(markers, rbac).filter(
    ({ groups, resources = [] }) => groupsOf(groups).includes("") && resources.includes(plural),
  );
  return granting.length > 0 && granting.every(({ namespace }) => namespace !== undefined);
}
