import type { SizeRange } from "./cost-size.ts";
import type { Expression } from "../syntax/expression.ts";
import type { CelType } from "../values/types.ts";

/** What is known of a part of an expression. */
export interface PartCost {
  /** What it costs at most to evaluate. */
  readonly cost: number;
  readonly type: CelType;
  readonly size: SizeRange | undefined;
  /** The sizes of keys and values, or of items. */
  readonly entries?: Entries | undefined;
  /** If it reads a field of a variable, the type that the schema declares there, if any; it tells sizes. */
  readonly path?: { readonly type: CelType | undefined } | undefined;
  readonly expression: Expression;
}

export interface Entries {
  readonly key: SizeRange;
  readonly value: SizeRange;
}
