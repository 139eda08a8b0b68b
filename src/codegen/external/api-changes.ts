import { compareSchemas, formatSchemaChange, type SchemaChange } from "../../apimachinery/crd/compare-schemas.ts";
import type { KindVersion } from "../model.ts";
import { loadProjectTypes } from "../run-generators.ts";
import { DiagnosticsError } from "../../errors/diagnostic.ts";
import type { Disk } from "../../files/disk.ts";

/** The changes in the API of a foreign kind. */
export interface ApiChange {
  /** `cert-manager.io/v1 Certificate`. */
  readonly name: string;
  readonly changes: readonly SchemaChange[] | "added" | "removed";
}

interface Versions {
  readonly root: string;
  readonly before: Pick<Disk, "list" | "read">;
  readonly after: Pick<Disk, "list" | "read">;
}

/** Compares the foreign kinds of a project before and after a plan. */
export async function findApiChanges({ root, before, after }: Versions): Promise<ApiChange[]> {
  const [old, now] = [await externalKinds(root, before), await externalKinds(root, after)];
  // The generators report errors in the sources.
  if (!old || !now) return [];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((name): ApiChange[] => {
    const [was, is] = [old.get(name), now.get(name)];
    if (!was) return old.size > 0 ? [{ name, changes: "added" }] : [];
    if (!is) return [{ name, changes: "removed" }];
    const changes = compareSchemas(was.schema, is.schema);
    return changes.length > 0 ? [{ name, changes }] : [];
  });
}

async function externalKinds(
  root: string,
  disk: Pick<Disk, "list" | "read">,
): Promise<Map<string, KindVersion> | undefined> {
  try {
    const { kinds } = await loadProjectTypes({ root, disk, forCrds: false });
    const external = kinds.filter((kind) => kind.external);
    return new Map(external.map((kind) => [`${kind.group}/${kind.version} ${kind.kind}`, kind]));
  } catch (error) {
    if (error instanceof DiagnosticsError) return undefined;
    throw error;
  }
}

/** Formats the changes, the breaking ones named. */
export function formatApiChanges(found: readonly ApiChange[]): string[] {
  return found.flatMap(({ name, changes }) =>
    typeof changes === "string"
      ? [`${name}: ${changes}`]
      : [
          `${name}:`,
          ...changes.map(
            (change) => `  ${formatSchemaChange(change)}${change.verdict === "safe" ? "" : ` (${change.verdict})`}`,
          ),
        ],
  );
}
