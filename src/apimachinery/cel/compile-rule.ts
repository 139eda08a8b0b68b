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

/**
 * Parses, checks and compiles an expression. Throws a CompileError that shows the positions, or the expected result.
 */
export function compileProgram(source: string, options: ProgramOptions): Program {
  return compileExpression(source, options.variables, refuseOthers(options));
}

/** Compiles as `compileProgram` does; others go on between the stages, each of which takes long for a long expression. */
export async function compileLongProgram(source: string, options: ProgramOptions, turns: TurnBudget): Promise<Program> {
  const compilation = new Compilation(source, { variables: options.variables, refuse: refuseOthers(options) });
  for (const stage of compilation.stages) {
    stage();
    await turns.rest();
  }
  return compilation.program();
}

/** Compiles an expression with any result; `refuse` returns the error in its type. */
export function compileExpression(
  source: string,
  variables: Readonly<Record<string, CelType>>,
  refuse: Refuse,
  { structs = false }: { readonly structs?: boolean } = {},
): TypedProgram {
  const compilation = new Compilation(source, { variables, refuse, structs });
  for (const stage of compilation.stages) stage();
  return compilation.program();
}

type Refuse = (type: CelType) => string | undefined;

interface TypedProgram extends Program {
  readonly type: CelType;
}

function refuseOthers({ result }: ProgramOptions): Refuse {
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

/** The compilation of one expression, in stages. */
class Compilation {
  readonly stages: readonly (() => void)[] = [
    () => this.parse(),
    () => this.check(),
    () => this.refuseIssues(literalIssues(this.checked!)),
    () => this.estimate(),
  ];
  private readonly source: string;
  private readonly options: CompilationOptions;
  private parsed: ReturnType<typeof parseCel> | undefined;
  private checked: CheckedExpression | undefined;
  private type: CelType = dynType;
  private cost = 0;

  constructor(source: string, options: CompilationOptions) {
    this.source = source;
    this.options = options;
  }

  /** Returns the program, after all stages. */
  program(): TypedProgram {
    const [checked, type, cost] = [this.checked!, this.type, this.cost];
    return { evaluate: compileCel(checked), variables: checked.variables, cost, type };
  }

  private parse(): void {
    try {
      this.parsed = parseCel(this.source);
    } catch (error) {
      if (!(error instanceof CelIssue)) throw error;
      this.refuseIssues([error]);
    }
  }

  private check(): void {
    const { variables, structs = false } = this.options;
    try {
      const checked = checkCel(this.parsed!, { functions: kubernetesFunctions(), variables, structs });
      if (Array.isArray(checked)) this.refuseIssues(checked);
      else this.checked = checked;
    } catch (error) {
      if (!(error instanceof CelIssue)) throw error;
      this.refuseIssues([error]);
    }
  }

  private estimate(): void {
    const { refuse, variables } = this.options;
    const checked = this.checked!;
    this.type = checked.types.get(checked.expression) ?? dynType;
    const why = refuse(this.type);
    if (why !== undefined) throw new CompileError(why);
    checkConstants(checked);
    this.cost = estimateCost(checked, variables);
  }

  private refuseIssues(issues: readonly CelIssue[]): void {
    if (issues.length > 0) throw new CompileError(`compilation failed: ${formatIssues(this.source, issues)}`);
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
