import { builtinSchema } from "../../apimachinery/builtin/builtin-schema.ts";
import { loadBuiltins, type BuiltinResource } from "../../apimachinery/builtin/load-builtins.ts";
import type { ServedResource } from "./served-resource.ts";

const fairness = "requests are not queued here";

/** What a real server does with these is not done here, and an object that has no effect would be worse than a 404. */
const unserved = new Map([
  ["componentstatuses", "there are no components here"],
  ["flowschemas", fairness],
  ["prioritylevelconfigurations", fairness],
]);

const builtinGroups = new Set(["", "admissionregistration.k8s.io", "flowcontrol.apiserver.k8s.io"]);

export interface BuiltinRow {
  readonly resource: ServedResource;
  /** The OpenAPI name of its type. */
  readonly type: string;
}

/** The built-in resources of Kubernetes 1.36 that are served. */
export function builtinRows(): BuiltinRow[] {
  return loadBuiltins()
    .resources.filter((row) => whyUnserved(row) === undefined)
    .map((row) => ({ resource: servedResource(row), type: row.type }));
}

/** Why a resource of a real server is left out here; `undefined` for one that is not, and for custom ones. */
export function whyUnserved({ group, plural }: Pick<BuiltinResource, "group" | "plural">): string | undefined {
  if (group === "apiregistration.k8s.io") return "there is no aggregation of API servers here";
  return builtinGroups.has(group) ? unserved.get(plural) : undefined;
}

function servedResource({ type, ...row }: BuiltinResource): ServedResource {
  return { ...row, listKind: `${row.kind}List`, schema: () => builtinSchema(type) };
}
