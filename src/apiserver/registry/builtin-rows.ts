import { builtinSchema } from "../../apimachinery/builtin/builtin-schema.ts";
import { loadBuiltins, type BuiltinResource } from "../../apimachinery/builtin/load-builtins.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * What a real server does with these is not done here, and an object that has no effect would be worse than a 404:
 * policies in CEL, fairness, component health. The old autoscaling version would need a conversion of its own.
 */
const unserved = new Set([
  "componentstatuses",
  "flowschemas",
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
  "prioritylevelconfigurations",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
]);

export interface BuiltinRow {
  readonly resource: ServedResource;
  /** The OpenAPI name of its type. */
  readonly type: string;
}

/** The built-in resources of Kubernetes 1.36 that are served. */
export function builtinRows(): BuiltinRow[] {
  return loadBuiltins()
    .resources.filter(
      ({ group, version, plural }) => !unserved.has(plural) && !(group === "autoscaling" && version === "v1"),
    )
    .map((row) => ({ resource: servedResource(row), type: row.type }));
}

function servedResource({ type, ...row }: BuiltinResource): ServedResource {
  return { ...row, listKind: `${row.kind}List`, schema: () => builtinSchema(type) };
}
