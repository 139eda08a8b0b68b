import { checkCel, type CheckedExpression } from "./check/check.ts";
import { literalIssues } from "./check/check-literals.ts";
import type { Evaluate, Scope } from "./evaluate/comprehend.ts";
import { estimateCost } from "./check/estimate-cost.ts";
import { compileCel } from "./evaluate/evaluate.ts";
import { CelError, CelIssue, formatIssues } from "./values/issue.ts";
import { kubernetesFunctions, patchFunctions } from "./functions/library.ts";
import { conversionNames } from "./functions/conversions.ts";
import { parseCel } from "./syntax/parse-cel.ts";
import { dynType, type CelType } from "./values/types.ts";
import { visitParts } from "./syntax/visit-parts.ts";

/** A compiled expression with its variables and cost. */
export interface Program {
  readonly evaluate: Evaluate;
  readonly variables: ReadonlySet<string>;
  /** The maximum cost of an evaluation, in the API server's units. */
  readonly cost: number;
}

export interface ProgramOptions {
  readonly variables: Readonly<Record<string, CelType>>;
  readonly result: "bool" | "string";
}

/** The reason why an expression cannot be used, in the API server's words. */
export class CompileError extends Error {
  override readonly name: string = "CompileError";
}

/**
 * Parses, checks and compiles an expression. Throws a CompileError that shows the positions, or the expected result.
 */
export function compileProgram(source: string, { variables, result }: ProgramOptions): Program {
  return compileExpression(source, variables, ({ kind }) => {
    if (kind === result) return undefined;
    return result === "bool" ? "cel expression must evaluate to a bool" : `must evaluate to a ${result}`;
  });
}

/** Compiles an expression with any result; `refuse` returns the error in its type. */
export function compileExpression(
  source: string,
  variables: Readonly<Record<string, CelType>>,
  refuse: (type: CelType) => string | undefined,
  { patches = false }: { readonly patches?: boolean } = {},
): Program & { readonly type: CelType } {
  const checked = check(source, variables, patches);
  if (Array.isArray(checked)) throw new CompileError(`compilation failed: ${formatIssues(source, checked)}`);
  const type = checked.types.get(checked.expression) ?? dynType;
  const why = refuse(type);
  if (why !== undefined) throw new CompileError(why);
  checkConstants(checked);
  const cost = estimateCost(checked, variables);
  return { evaluate: compileCel(checked), variables: checked.variables, cost, type };
}

function check(
  source: string,
  variables: Readonly<Record<string, CelType>>,
  structs: boolean,
): CheckedExpression | CelIssue[] {
  try {
    const checked = checkCel(parseCel(source), {
      functions: structs ? patchFunctions() : kubernetesFunctions(),
      variables,
      structs,
    });
    if (Array.isArray(checked)) return checked;
    const issues = literalIssues(checked);
    return issues.length > 0 ? issues : checked;
  } catch (error) {
    if (error instanceof CelIssue) return [error];
    throw error;
  }
}

/** Evaluates conversions of literals in advance, so that a failing one makes the expression unusable. */
function checkConstants({ expression, calls }: CheckedExpression): void {
  visitParts(expression, (part) => {
    const { name = "", args = [], overloads = [] } = (part.kind === "call" && calls.get(part)) || {};
    const [argument] = args;
    if (!conversionNames.has(name) || argument?.kind !== "literal") return;
    try {
      overloads[0]?.run(argument.value as never);
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      throw new CompileError(`program instantiation failed: ${error.message}`);
    }
  });
}

/** Creates a scope with the variables of a rule. */
export function scopeOf(variables: Readonly<Record<string, Scope["value"]>>): Scope | undefined {
  return Object.entries(variables).reduce<Scope | undefined>(
    (outer, [name, value]) => ({ name, value, outer }),
    undefined,
  );
}
