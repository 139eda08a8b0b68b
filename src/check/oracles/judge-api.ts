import { compareCrds, type CrdChange } from "../../apimachinery/crd/compare-crds.ts";
import { breaksObjects } from "../../apimachinery/crd/compare-schemas.ts";
import type { CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import { groupBy } from "../../apimachinery/group-by.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Violation } from "./violation.ts";

/** Finds the changes in the CRDs of a newer version for which objects that were valid are refused, or lose fields. */
export function apiBreaks(older: readonly UnstructuredObject[], newer: readonly UnstructuredObject[]): Violation[] {
  const breaking = compareCrds(crdsIn(older), crdsIn(newer)).filter(({ verdict }) => breaksObjects(verdict));
  const groups = groupBy(breaking, ({ crd, version = "" }) => `${crd} ${version}`.trimEnd());
  return [...groups].map(([served, changes]) => violationOf(served, changes));
}

function crdsIn(objects: readonly UnstructuredObject[]): readonly CustomResourceDefinition[] {
  return objects as unknown as readonly CustomResourceDefinition[];
}

function violationOf(served: string, changes: readonly CrdChange[]): Violation {
  const [first] = changes;
  const { crd, version, change } = first!;
  if (change === "removed" || change === "no longer served")
    return version === undefined
      ? apiBreak(`${served} removed`, `The newer version has no CRD ${crd}.`)
      : apiBreak(`${served} removed`, `The newer version does not serve ${version} of ${crd} any more.`);
  const lines = changes.map((each) => each.change);
  const count = lines.length - 1;
  const more = count === 0 ? "" : ` (and ${count} more ${count === 1 ? "change" : "changes"})`;
  const sentence = `${served} refuses objects that are valid today, or drops their fields: ${change}${more}.`;
  return { ...apiBreak(`${served} schema`, sentence), lines: count === 0 ? [] : lines };
}

/** Returns the violation that a newer version does not accept manifests or objects of the older one. */
export function apiBreak(about: string, sentence: string): Violation {
  return { oracle: "api-break", about, sentence };
}
