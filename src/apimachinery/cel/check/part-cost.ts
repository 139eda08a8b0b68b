import type { SizeRange } from "./cost-size.ts";
import type { Expression } from "../syntax/expression.ts";
import type { CelType } from "../values/types.ts";

/** The cost and size of a part of an expression. */
export interface PartCost {
  /** The maximum cost of its evaluation. */
  readonly cost: number;
  readonly type: CelType;
  readonly size: SizeRange | undefined;
  /** The sizes of keys and values, or of items. */
  readonly entries?: Entries | undefined;
  /** For a field of a variable, the type in the schema, if declared; it has sizes. */
  readonly path?: { readonly type: CelType | undefined } | undefined;
  readonly expression: Expression;
}

export interface Entries {
  readonly key: SizeRange;
  readonly value: SizeRange;
}
