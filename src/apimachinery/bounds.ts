// A type that is joined with all scalars, or with all objects, is that type again: `Int32 & Min<1>` is a number. The symbols,
// which no value has, make each bound a type of its own, because linters report a type that is joined with itself.
type Scalar = string | number | boolean | null | undefined;
type Collection = object | null | undefined;
declare const min: unique symbol;
declare const max: unique symbol;
declare const exclusiveMin: unique symbol;
declare const exclusiveMax: unique symbol;
declare const multipleOf: unique symbol;
declare const minLength: unique symbol;
declare const maxLength: unique symbol;
declare const pattern: unique symbol;
declare const minItems: unique symbol;
declare const maxItems: unique symbol;
declare const minProperties: unique symbol;
declare const maxProperties: unique symbol;

/**
 * A number that is at least `Limit`. Bounds stand next to a type in an API: they are part of its schema, and the compiler
 * sees only the type.
 *
 * @example
 * type Port = Int32 & Min<1> & Max<65535>;
 * const port: Port = 8080;
 */
export type Min<_Limit extends number> = Scalar | typeof min;

/** A number that is at most `Limit`. */
export type Max<_Limit extends number> = Scalar | typeof max;

/** A number that is greater than `Limit`. */
export type ExclusiveMin<_Limit extends number> = Scalar | typeof exclusiveMin;

/** A number that is less than `Limit`. */
export type ExclusiveMax<_Limit extends number> = Scalar | typeof exclusiveMax;

/** A multiple of `Step`. */
export type MultipleOf<_Step extends number> = Scalar | typeof multipleOf;

/** A string of at least `Limit` characters. */
export type MinLength<_Limit extends number> = Scalar | typeof minLength;

/** A string of at most `Limit` characters. */
export type MaxLength<_Limit extends number> = Scalar | typeof maxLength;

/**
 * A string that matches a regular expression in RE2's syntax.
 *
 * @example
 * type Name = string & Pattern<"^[a-z]+$"> & MaxLength<63>;
 * const name: Name = "cache";
 */
export type Pattern<_Expression extends string> = Scalar | typeof pattern;

/** A list of at least `Limit` elements. */
export type MinItems<_Limit extends number> = Collection | typeof minItems;

/** A list of at most `Limit` elements: `Rule[] & MaxItems<16>`. */
export type MaxItems<_Limit extends number> = Collection | typeof maxItems;

/** A map of at least `Limit` keys. */
export type MinProperties<_Limit extends number> = Collection | typeof minProperties;

/** A map of at most `Limit` keys. */
export type MaxProperties<_Limit extends number> = Collection | typeof maxProperties;
