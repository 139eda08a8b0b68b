import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { compareSchemas, formatSchemaChange } from "../../apimachinery/crd/compare-schemas.ts";
import type { CrdVersion, CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import type { Violation } from "./violation.ts";

/** Finds the changes in the CRDs of a newer version for which objects that were valid are refused, or lose fields. */
export function apiBreaks(older: readonly UnstructuredObject[], newer: readonly UnstructuredObject[]): Violation[] {
  const after = crdsIn(newer);
  return crdsIn(older).flatMap((crd) => {
    const { name } = crd.metadata;
    const next = after.find(({ metadata }) => metadata.name === name);
    if (!next) return [apiBreak(`${name} removed`, `The newer version has no CRD ${name}.`)];
    return servedBy(crd).flatMap((version) => {
      const same = servedBy(next).find((each) => each.name === version.name);
      const served = `${name} ${version.name}`;
      return same
        ? schemaBreaks(served, version, same)
        : [apiBreak(`${served} removed`, `The newer version does not serve ${version.name} of ${name} any more.`)];
    });
  });
}

function crdsIn(objects: readonly UnstructuredObject[]): readonly CustomResourceDefinition[] {
  return objects as unknown as readonly CustomResourceDefinition[];
}

function servedBy({ spec }: CustomResourceDefinition): CrdVersion[] {
  return spec.versions.filter(({ served }) => served);
}

function schemaBreaks(served: string, before: CrdVersion, after: CrdVersion): Violation[] {
  const [old, now] = [before, after].map(({ schema }) => schema?.openAPIV3Schema);
  if (!old || !now) return [];
  const changes = compareSchemas(old, now)
    .filter(({ breaks }) => breaks === "objects")
    .map(formatSchemaChange);
  const [first, ...others] = changes;
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` (and ${others.length} more ${others.length === 1 ? "change" : "changes"})`;
  const sentence = `The schema of ${served} refuses objects that are valid today, or drops their fields: ${first}${more}.`;
  return [{ ...apiBreak(`${served} schema`, sentence), lines: others.length === 0 ? [] : changes }];
}

/** Returns the violation that a newer version does not accept manifests or objects of the older one. */
export function apiBreak(about: string, sentence: string): Violation {
  return { oracle: "api-break", about, sentence };
}
