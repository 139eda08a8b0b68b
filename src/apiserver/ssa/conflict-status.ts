import type { Status } from "../../apimachinery/status.ts";
import { formatPath } from "./typed-node.ts";
import type { Manager } from "./managers.ts";

/** A field that another manager owns and an apply would change. */
export interface FieldConflict {
  readonly manager: Manager;
  readonly path: readonly string[];
}

/** The most conflicts that are named. */
const mostNamed = 1_000;

/** Returns the 409 of a server-side apply, with a cause for each of the first 1,000 fields. */
export function conflictStatus(conflicts: readonly FieldConflict[]): Status {
  const named = conflicts
    .slice(0, mostNamed)
    .map(({ manager, path }) => ({ manager: managerText(manager), field: formatPath(path) }));
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: conflictMessage(named, conflicts.length),
    reason: "Conflict",
    details: {
      causes: named.map(({ manager, field }) => ({
        reason: "FieldManagerConflict",
        message: `conflict with ${manager}`,
        field,
      })),
    },
    code: 409,
  };
}

interface NamedConflict {
  readonly manager: string;
  readonly field: string;
}

function conflictMessage(conflicts: readonly NamedConflict[], count: number): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first) {
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`;
  }
  const managers = [...new Set(conflicts.map(({ manager }) => manager))];
  const lines = managers.flatMap((manager) => [
    `conflicts with ${manager}:`,
    ...conflicts.filter((conflict) => conflict.manager === manager).map(({ field }) => `- ${field}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join("\n")}`;
}

function managerText({ manager, operation, apiVersion, subresource }: Manager): string {
  const within = subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`;
  const using = operation === "Update" ? ` using ${apiVersion}` : "";
  return `${JSON.stringify(manager)}${within}${using}`;
}
