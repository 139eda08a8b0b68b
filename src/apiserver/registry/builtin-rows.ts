import { builtinSchema } from "../../apimachinery/builtin/builtin-schema.ts";
import type { Builtins, BuiltinResource } from "../../apimachinery/builtin/load-builtins.ts";
import type { ServedResource } from "./served-resource.ts";
import { readFileSync } from "node:fs";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { releaseOf } from "../../apimachinery/kubernetes-version.ts";
import { packageFile } from "../../apimachinery/package-file.ts";

const fairness = "requests are not queued here";

/** Resources without an implementation: a 404 is better than an object without effect. */
const unserved = new Map([
  ["componentstatuses", "there are no components here"],
  ["flowschemas", fairness],
  ["prioritylevelconfigurations", fairness],
]);

const builtinGroups = new Set(["", "admissionregistration.k8s.io", "flowcontrol.apiserver.k8s.io"]);

interface BuiltinRow {
  readonly resource: ServedResource;
  /** The OpenAPI name of its type. */
  readonly type: string;
}

/** Returns the built-in resources that are served. */
export function builtinRows(builtins: Builtins): BuiltinRow[] {
  return builtins.resources
    .filter((row) => whyUnserved(row) === undefined)
    .map((row) => ({ resource: servedResource(row, builtins), type: row.type }));
}

/** Returns the reason why a built-in resource is not served; `undefined` for all others. */
export function whyUnserved({ group, plural }: Pick<BuiltinResource, "group" | "plural">): string | undefined {
  return builtinGroups.has(group) ? unserved.get(plural) : undefined;
}

function servedResource({ type, ...row }: BuiltinResource, builtins: Builtins): ServedResource {
  return { ...row, listKind: `${row.kind}List`, schema: () => builtinSchema(type, builtins) };
}

/** What the OpenAPI documents of a real server have and the Go types lack; recorded by lab/record/kubernetes. */
interface OpenApiTexts {
  /** The definition of ObjectMeta, of which controller-gen writes no fields. */
  readonly objectMeta: JsonSchema;
  /** Ends of descriptions by `type.field`: the meaning of each value. */
  readonly enums: Readonly<Record<string, string>>;
}

const openApiData = new WeakMap<Builtins, OpenApiTexts>();

/** Returns the texts of a version; reads the data file on the first call. */
export function openApiTexts(builtins: Builtins): OpenApiTexts {
  let texts = openApiData.get(builtins);
  if (!texts) {
    const path = `src/apiserver/registry/open-api-texts-${releaseOf(builtins.version)}.json`;
    openApiData.set(builtins, (texts = JSON.parse(readFileSync(packageFile(path), "utf8")) as OpenApiTexts));
  }
  return texts;
}
