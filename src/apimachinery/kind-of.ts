/** A schema of a library that follows Standard JSON Schema: zod 4, ArkType, and Valibot with `toStandardJsonSchema`. */
export interface StandardJsonSchema {
  readonly "~standard": { readonly jsonSchema: { readonly input: (options: { target: "draft-2020-12" }) => object } };
}

/**
 * Makes a schema the source of a kind, and returns it. `tsop generate` writes the kind's types from it, next to the file.
 *
 * @example
 * // The same as z.object({ spec: z.object({ size: z.int().min(1) }) }) of zod.
 * const spec = { type: "object", properties: { size: { type: "integer", minimum: 1 } }, required: ["size"] };
 * const schema = { "~standard": { jsonSchema: { input: () => ({ properties: { spec }, required: ["spec"] }) } } };
 * // +kubebuilder:object:root=true
 * export const Memcached = kindOf(schema);
 */
export function kindOf<Schema extends StandardJsonSchema>(schema: Schema): Schema {
  return schema;
}
