import { builtinSchema } from "../../apimachinery/builtin/builtin-schema.ts";
import { loadBuiltins, type BuiltinResource } from "../../apimachinery/builtin/load-builtins.ts";
import type { ServedResource } from "./served-resource.ts";

const fairness = "requests are not queued here";

/** Resources without an implementation: a 404 is better than an object without effect. */
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

/** Returns the built-in resources that are served. */
export function builtinRows(): BuiltinRow[] {
  return loadBuiltins()
    .resources.filter((row) => whyUnserved(row) === undefined)
    .map((row) => ({ resource: servedResource(row), type: row.type }));
}

/** Returns the reason why a built-in resource is not served; `undefined` for all others. */
export function whyUnserved({ group, plural }: Pick<BuiltinResource, "group" | "plural">): string | undefined {
  return builtinGroups.has(group) ? unserved.get(plural) : undefined;
}

function servedResource({ type, ...row }: BuiltinResource): ServedResource {
  return { ...row, listKind: `${row.kind}List`, schema: () => builtinSchema(type) };
}
