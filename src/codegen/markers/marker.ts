import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { Argument, NamedField, ValueType } from "./argument.ts";

/** What a marker may stand on. */
export type MarkerTarget = "package" | "type" | "field";

/** One marker: everything that is known of it stands in its one declaration. */
export interface Marker<V = unknown> {
  readonly name: string;
  readonly targets: readonly MarkerTarget[];
  readonly argument: Argument<V>;
  /** One sentence for people. */
  readonly help: string;
  /** Markers of a lower priority are applied first; 10 unless set. Equal ones keep source order. */
  readonly priority?: number;
  /** There is a twin `kubebuilder:validation:items:<Name>` for the elements of an array. */
  readonly items?: boolean;
  /** Changes the schema of what carries the marker. */
  apply?(node: SchemaNode, value: V): void;
}

/** What a marker may see and change of the node it stands on. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  /** The type as far as it is known, also where the schema itself holds only what a field adds to a named type. */
  readonly type: JsonSchema["type"];
  readonly intOrString: boolean;
  /** For fields: false when the field may be absent. */
  readonly required: boolean | undefined;
  /** For object types: the names that must be present. */
  readonly requiredNames: readonly string[];
  readonly propertyNames: readonly string[];
  /** Reports that the marker does not fit here; the marker then has no effect. */
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

/** Declares the arguments of a marker by name; the value's type follows from them. */
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

/** A single value after `=`. */
export function value<V>(type: ValueType<V>): Argument<V> {
  return { shape: "value", type };
}
