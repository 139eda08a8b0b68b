import type { TurnBudget } from "../turn-budget.ts";
import { checkCel, type CheckedExpression } from "./check/check.ts";
import { literalIssues } from "./check/check-literals.ts";
import type { Evaluate, Scope } from "./evaluate/comprehend.ts";
import { estimateCost } from "./check/estimate-cost.ts";
import { compileCel } from "./evaluate/evaluate.ts";
import { CelError, CelIssue, formatIssues } from "./values/issue.ts";
import { kubernetesFunctions } from "./functions/library.ts";
import { conversionNames } from "./functions/conversions.ts";
import { parseCel } from "./syntax/parse-cel.ts";
import { dynType, type CelType } from "./values/types.ts";
import { visitParts } from "./syntax/expression.ts";

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

/** A compilation that pauses between its stages, each of which takes long for a long expression. */
export type Stages<Result> = Generator<void, Result>;

/** Runs all stages at once. */
export function runStages<Result>(stages: Stages<Result>): Result {
  for (;;) {
    const { done, value } = stages.next();
    if (done) return value;
  }
}

/** Runs all stages; others go on between them. */
export async function runStagesInTurns<Result>(stages: Stages<Result>, turns: TurnBudget): Promise<Result> {
  for (;;) {
    const { done, value } = stages.next();
    if (done) return value;
    await turns.rest();
  }
}

/** Compiles a rule or its message. Returns the reason if the expression cannot be used. */
export function* programOrError(source: string, { variables, result }: ProgramOptions): Stages<Program | CompileError> {
  try {
    return yield* compileStages(source, { variables, refuse: refuseOthers(result) });
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
}

/**
 * Compiles an expression with any result; `refuse` returns the error in its type. Throws a CompileError that shows the
 * positions, or the expected result.
 */
export function compileExpression(
  source: string,
  variables: Readonly<Record<string, CelType>>,
  refuse: Refuse,
  { structs = false }: { readonly structs?: boolean } = {},
): TypedProgram {
  return runStages(compileStages(source, { variables, refuse, structs }));
}

type Refuse = (type: CelType) => string | undefined;

interface TypedProgram extends Program {
  readonly type: CelType;
}

function refuseOthers(result: ProgramOptions["result"]): Refuse {
  return ({ kind }) => {
    if (kind === result) return undefined;
    return result === "bool" ? "cel expression must evaluate to a bool" : `must evaluate to a ${result}`;
  };
}

interface CompilationOptions {
  readonly variables: Readonly<Record<string, CelType>>;
  readonly refuse: Refuse;
  /** True if the expression may create objects, as a mutation does. */
  readonly structs?: boolean;
}

function* compileStages(
  source: string,
  { variables, refuse, structs = false }: CompilationOptions,
): Stages<TypedProgram> {
  let checked: CheckedExpression | CelIssue[];
  try {
    const parsed = parseCel(source);
    yield;
    checked = checkCel(parsed, { functions: kubernetesFunctions(), variables, structs });
  } catch (error) {
    if (!(error instanceof CelIssue)) throw error;
    checked = [error];
  }
  if (Array.isArray(checked)) throw failedCompilation(source, checked);
  yield;
  const issues = literalIssues(checked);
  if (issues.length > 0) throw failedCompilation(source, issues);
  yield;
  const type = checked.types.get(checked.expression) ?? dynType;
  const why = refuse(type);
  if (why !== undefined) throw new CompileError(why);
  checkConstants(checked);
  const cost = estimateCost(checked, variables);
  yield;
  return { evaluate: compileCel(checked), variables: checked.variables, cost, type };
}

function failedCompilation(source: string, issues: readonly CelIssue[]): CompileError {
  return new CompileError(`compilation failed: ${formatIssues(source, issues)}`);
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
