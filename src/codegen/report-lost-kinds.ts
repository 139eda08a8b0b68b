import { posix } from "node:path";
import type { KindVersion } from "./model.ts";
import type { FindingPlace, Report } from "./report.ts";
import { kindsFileName } from "./generate-kinds.ts";
import type { ProjectSources } from "./source/project-sources.ts";

/** A kind that a project must have. */
export interface RequiredKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The command that removes the kind from the project. */
  readonly removal: string;
  /** Finds its place in PROJECT. */
  readonly place: () => { readonly line: number; readonly column: number };
}

interface Search {
  readonly sources: ProjectSources;
  /** All TypeScript files of the project. */
  readonly paths: readonly string[];
}

/**
 * Reports kinds that the project should have and that no type declares any more. Without the error, their CRDs and
 * Kinds would be removed while the kustomization and the code still name them.
 */
export function reportLostKinds(
  required: readonly RequiredKind[],
  found: readonly KindVersion[],
  { sources, paths }: Search,
  report: Report,
): void {
  const groups = new Set(required.map(({ group }) => group));
  for (const { group, version, kind, removal, place } of required) {
    // An author may have changed a group by its marker alone.
    const isFound = found.some(
      (other) =>
        other.kind === kind && other.version === version && (other.group === group || !groups.has(other.group)),
    );
    if (isFound) continue;
    const type = findType(kind, version, { sources, paths });
    if (type) report.error(type, "TSOP_KIND_LOST", { kind, version, group, removal });
    else {
      const project = { path: "PROJECT", position: place };
      report.error({ file: project, offset: 0 }, "TSOP_KIND_MISSING", { kind, version, group, removal });
    }
  }
}

/** Finds the type of a kind that has lost its marker, in the folder of the version first. */
function findType(kind: string, version: string, { sources, paths }: Search): FindingPlace | undefined {
  const isOfVersion = (path: string): boolean => posix.basename(posix.dirname(path)) === version;
  const own = paths.filter((path) => posix.basename(path) !== kindsFileName && isOfVersion(path));
  for (const path of own) {
    const module = sources.module(path);
    const declared = module?.declarations.types.get(kind);
    if (module && declared) return { file: module.file, offset: declared.start };
  }
  return undefined;
}
