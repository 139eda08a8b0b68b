import type { JsonSchema } from "../../apimachinery/json-schema.ts";

/** The name of a schema's type, for documentation: schemas themselves are flat and have no references. */
export interface TypeName {
  /** As it is declared, with its type arguments: `MemcachedSpec`, `Page<string>`. */
  readonly name: string;
  /** The file of the declaration, relative to the project; absent for a type of Kubernetes. */
  readonly file?: string;
  /** The OpenAPI name of a type of Kubernetes. */
  readonly builtin?: string;
}

/** A type with the schema of its declaration; a use of the type may add to that. */
export interface NamedType extends TypeName {
  readonly schema: JsonSchema;
}

/** Records the declaration that a schema belongs to. An alias without changes keeps the name of its type. */
export function nameType(schema: JsonSchema, name: TypeName): JsonSchema {
  if (names.get(schema)?.schema !== schema) names.set(schema, { ...name, schema });
  return schema;
}

/** Records that a schema is a use of the type of another one. */
export function inheritName(schema: JsonSchema, from: JsonSchema): JsonSchema {
  const type = names.get(from);
  if (type) names.set(schema, type);
  return schema;
}

/** Returns the type that a schema is, or is a use of. */
export function typeOf(schema: JsonSchema): NamedType | undefined {
  return names.get(schema);
}

const names = new WeakMap<JsonSchema, NamedType>();
