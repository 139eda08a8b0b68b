import type { TSType } from "oxc-parser";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { Place, Report } from "../report.ts";
import type { ProjectSources } from "../source/project-sources.ts";
import type { Resolved } from "../source/resolve.ts";
import type { Draft } from "./schema-draft.ts";
import type { Bound, Scope } from "./scope.ts";

/** The part of the evaluator that the constructs need. */
export interface TypeEvaluator {
  readonly report: Report;
  readonly sources: ProjectSources;
  schemaOf(node: TSType, scope: Scope): Draft;
  flatten(draft: Draft, node: { readonly start: number }, scope: Scope): JsonSchema;
  /** Reports a type without a schema; the result is empty. */
  unsupported(node: { readonly start: number }, scope: Scope, what: string, advice: string): Draft;
  resolve(names: readonly string[], scope: Scope, as?: "value"): Resolved | undefined;
  bind(found: ResolvedType, given: readonly TSType[], use: Use): Bounds;
  declaredSchema(found: ResolvedType, bounds: Bounds): JsonSchema;
}

export type ResolvedType = Extract<Resolved, { is: "type" }>;

/** The place of a use of a name. */
export interface Use {
  readonly node: { readonly start: number };
  readonly scope: Scope;
}

/** The bound type parameters of a use of a declared type. */
export interface Bounds {
  readonly parameters: ReadonlyMap<string, Bound>;
  readonly stack: readonly string[];
  /** The arguments as text, with angle brackets; empty without arguments. */
  readonly label: string;
  readonly use: Place & { readonly path: string };
}
