import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { Argument, NamedField, ValueType } from "./argument.ts";

/** The declarations that a marker can belong to. */
export type MarkerTarget = "package" | "type" | "field";

/** A marker. Its one declaration holds everything that tsop knows about it. */
export interface Marker<V = unknown> {
  readonly name: string;
  readonly targets: readonly MarkerTarget[];
  readonly argument: Argument<V>;
  /** A one-sentence description. */
  readonly help: string;
  /** Markers with a lower priority are applied first; the default is 10. Equal priorities keep the source order. */
  readonly priority?: number;
  /** True if there is also `kubebuilder:validation:items:<Name>` for the elements of an array. */
  readonly items?: boolean;
  /** Changes the schema of the declaration with the marker. */
  apply?(node: SchemaNode, value: V): void;
}

/** The part of a declaration that a marker can read and change. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  /** The type as far as it is known, even if the schema holds only additions to a named type. */
  readonly type: JsonSchema["type"];
  readonly intOrString: boolean;
  /** For fields: false if the field is optional. */
  readonly required: boolean | undefined;
  /** For object types: the names of required fields. */
  readonly requiredNames: readonly string[];
  readonly propertyNames: readonly string[];
  /** The limits that types such as `Min<1>` have set, by the last part of their markers' names. */
  readonly bounds: readonly string[];
  /** Reports that the marker does not fit; it has no effect then. */
  misfit(reason: string, advice: string): void;
}

export interface NamedArgument<V> {
  readonly type: ValueType<V>;
  readonly required: boolean;
  readonly help: string;
}

type Values<Fields> = {
  [Name in keyof Fields as Fields[Name] extends { required: true } ? Name : never]: Fields[Name] extends NamedArgument<
    infer V
  >
    ? V
    : never;
} & {
  [Name in keyof Fields as Fields[Name] extends { required: true } ? never : Name]?: Fields[Name] extends NamedArgument<
    infer V
  >
    ? V
    : never;
};

/** Declares the named arguments of a marker; the type of its value follows from them. */
export function named<const Fields extends Readonly<Record<string, NamedField>>>(
  fields: Fields,
): Argument<Values<Fields>> {
  return { shape: "named", fields };
}

export function required<V>(type: ValueType<V>, help: string): NamedArgument<V> & { readonly required: true } {
  return { type, required: true, help };
}

export function optional<V>(type: ValueType<V>, help: string): NamedArgument<V> & { readonly required: false } {
  return { type, required: false, help };
}

export const noArgument: Argument<true> = { shape: "none", none: true };

/** Declares a marker without an argument, which sets a keyword of the schema, if one is given. */
export function switchOn(
  name: string,
  targets: readonly MarkerTarget[],
  help: string,
  keyword?: keyof JsonSchema,
): Marker<true> {
  const apply = keyword && (({ schema }: SchemaNode): void => void Object.assign(schema, { [keyword]: true }));
  return { name, targets, argument: noArgument, help, ...(apply && { apply }) };
}

/** A single value after `=`. */
export function value<V>(type: ValueType<V>): Argument<V> {
  return { shape: "value", type };
}
