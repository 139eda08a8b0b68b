import type { CelValue } from "../values/values.ts";

/** A parsed CEL expression. `at` is the source offset for errors, as cel-go chooses it. */
export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | StructLiteral
  | Comprehension
  | OptionalMapping
  | Binding;

export interface Literal {
  readonly kind: "literal";
  readonly at: number;
  readonly value: CelValue;
}

export interface Identifier {
  readonly kind: "identifier";
  readonly at: number;
  readonly name: string;
}

/** `a.b`, `a.?b`, or the test of `has(a.b)`. */
export interface Select {
  readonly kind: "select";
  readonly at: number;
  readonly operand: Expression;
  readonly field: string;
  readonly mode: "value" | "optional" | "test";
}

/** A function, or an operator under cel-go's name for it, such as `_+_`. */
export interface Call {
  readonly kind: "call";
  readonly at: number;
  readonly name: string;
  readonly target?: Expression | undefined;
  readonly args: readonly Expression[];
}

export interface ListLiteral {
  readonly kind: "list";
  readonly at: number;
  readonly items: readonly { readonly value: Expression; readonly optional: boolean }[];
}

export interface MapLiteral {
  readonly kind: "map";
  readonly at: number;
  readonly entries: readonly {
    readonly at: number;
    readonly key: Expression;
    readonly value: Expression;
    readonly optional: boolean;
  }[];
}

/** `Name{field: value}`, in policies that change objects. */
export interface StructLiteral {
  readonly kind: "struct";
  readonly at: number;
  readonly name: string;
  readonly fields: readonly {
    readonly at: number;
    readonly name: string;
    readonly value: Expression;
    readonly optional: boolean;
  }[];
}

export type ComprehensionMacro =
  | "all"
  | "exists"
  | "existsOne"
  | "map"
  | "filter"
  | "transformList"
  | "transformMap"
  | "transformMapEntry";

/** A macro over a list or map. With a second variable, the first is the index or key and the second the value. */
export interface Comprehension {
  readonly kind: "comprehension";
  readonly at: number;
  readonly macro: ComprehensionMacro;
  readonly range: Expression;
  readonly variable: string;
  readonly second?: string | undefined;
  /** The filter of the items; the body of `all`, `exists`, `existsOne` and `filter`. */
  readonly condition?: Expression | undefined;
  readonly transform?: Expression | undefined;
}

/** `optMap` and `optFlatMap`. */
export interface OptionalMapping {
  readonly kind: "optionalMapping";
  readonly at: number;
  readonly target: Expression;
  readonly variable: string;
  readonly transform: Expression;
  readonly flat: boolean;
}

/** A named value that a macro uses twice. */
export interface Binding {
  readonly kind: "binding";
  readonly at: number;
  readonly name: string;
  readonly value: Expression;
  readonly body: Expression;
}
