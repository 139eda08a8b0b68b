import { builtinSchema } from "../../../apimachinery/builtin/builtin-schema.ts";
import { type Fields, childIf, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { pruneUnknown } from "../../../apimachinery/schema/prune.ts";

const schemaType = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

/**
 * Drops unknown keywords from the schemas of a CRD in which the decoder reports none: these stand where something else
 * than a schema may stand.
 */
export function dropUnknownKeywords(crd: UnstructuredObject): void {
  for (const version of items(childIf(crd, "spec"), "versions"))
    visit(childIf(version, "schema")?.["openAPIV3Schema"], { isPruned: true });
}

function visit(schema: unknown, { isPruned }: { readonly isPruned: boolean }): void {
  if (typeof schema !== "object" || schema === null) return;
  if (Array.isArray(schema)) {
    for (const item of schema) visit(item, { isPruned });
    return;
  }
  // As an item, as a whole object keeps the fields of all objects.
  if (!isPruned) pruneUnknown({ items: builtinSchema(schemaType)! }, [schema]);
  const fields = schema as Fields;
  for (const name of ["allOf", "anyOf", "oneOf", "not"]) visit(fields[name], { isPruned: true });
  for (const name of ["properties", "patternProperties", "definitions"])
    visit(Object.values(fields[name] ?? {}), { isPruned: true });
  for (const name of ["items", "additionalItems", "additionalProperties"]) visit(fields[name], { isPruned: false });
  visit(Object.values(fields["dependencies"] ?? {}), { isPruned: false });
}
