import { builtinSchema } from "../builtin/builtin-schema.ts";
import { joinField } from "../field-error.ts";
import type { JsonSchema } from "../json-schema.ts";

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** The fields of every embedded object, declared or not. */
const envelope = ["apiVersion", "kind", "metadata"];

/**
 * Removes the fields that the schema does not declare, in place, and reports their paths. Below a
 * preserve-unknown-fields node, only declared fields are pruned.
 */
export function pruneUnknown(schema: JsonSchema, value: unknown, report?: (path: string) => void): void {
  prune({ schema, value, path: "", isRoot: true, report });
}

interface Place {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly path: string;
  /** True for a whole object, whose metadata the server checks separately. */
  readonly isRoot: boolean;
  /** True for an item of a list that keeps unknown fields. */
  readonly keeps?: boolean;
  readonly report: ((path: string) => void) | undefined;
}

function prune(place: Place): void {
  const { schema, value, path, report } = place;
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    // A list that keeps unknown fields does so for its items; one that should be no list has items without fields.
    const keeps = place.keeps === true || keepsUnknown(schema);
    const items = schema.items ?? undeclared;
    value.forEach((item, index) =>
      prune({ schema: items, value: item, path: `${path}[${index}]`, isRoot: false, keeps, report }),
    );
    return;
  }
  const isResource = place.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (isResource && envelope.includes(name)) {
      // The server checks the metadata of a whole object separately.
      if (name === "metadata" && !place.isRoot)
        prune({
          schema: builtinSchema(objectMeta) ?? {},
          value: field,
          path: joinField(path, name),
          isRoot: false,
          report,
        });
      continue;
    }
    const child = schemaOfField(schema, name);
    if (!child && !place.keeps && !keepsUnknown(schema)) {
      delete fields[name];
      report?.(joinField(path, name));
    } else if (child && typeof field === "object" && field !== null)
      prune({ schema: child, value: field, path: joinField(path, name), isRoot: false, report });
  }
}

/** Returns the schema of a field: the declared one, or the one for additional fields. */
function schemaOfField(schema: JsonSchema, name: string): JsonSchema | undefined {
  const declared = schema.properties;
  if (declared && Object.hasOwn(declared, name)) return declared[name];
  return schema.additionalProperties === true ? undeclared : schema.additionalProperties || undefined;
}

/** The schema of additional fields that may be anything: objects in them keep no field. */
const undeclared: JsonSchema = {};

function keepsUnknown(schema: JsonSchema): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true;
}
