import { checkCel } from "./check.ts";
import type { Evaluate, Scope } from "./comprehend.ts";
import { compileCel } from "./evaluate.ts";
import { CelIssue, formatIssues } from "./issue.ts";
import { kubernetesFunctions } from "./library.ts";
import { parseCel } from "./parse.ts";
import type { CelType } from "./types.ts";

/** An expression that is ready to run, and what must be known to run it. */
export interface Program {
  readonly evaluate: Evaluate;
  readonly variables: ReadonlySet<string>;
  readonly cost: number;
}

export interface ProgramOptions {
  readonly variables: Readonly<Record<string, CelType>>;
  readonly result: "bool" | "string";
}

/** Why an expression can't be used, in the API server's words. */
export class CompileError extends Error {
  override readonly name: string = "CompileError";
}

/** Parses, checks and compiles. Throws a CompileError whose text shows the places, or says which result is expected. */
export function compileProgram(source: string, { variables, result }: ProgramOptions): Program {
  const checked = check(source, variables);
  if (Array.isArray(checked)) throw new CompileError(`compilation failed: ${formatIssues(source, checked)}`);
  if (checked.types.get(checked.expression)?.kind !== result) throw new CompileError(`must evaluate to a ${result}`);
  return { evaluate: compileCel(checked), variables: checked.variables, cost: 0 };
}

function check(source: string, variables: Readonly<Record<string, CelType>>): ReturnType<typeof checkCel> {
  try {
    return checkCel(parseCel(source), { functions: kubernetesFunctions(), variables });
  } catch (error) {
    if (error instanceof CelIssue) return [error];
    throw error;
  }
}

/** The variables of a rule as a scope. */
export function scopeOf(variables: Readonly<Record<string, Scope["value"]>>): Scope | undefined {
  return Object.entries(variables).reduce<Scope | undefined>(
    (outer, [name, value]) => ({ name, value, outer }),
    undefined,
  );
}
