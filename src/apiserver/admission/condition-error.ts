import { CompileError, compileProgram } from "../../apimachinery/cel/compile-rule.ts";
import { dynType } from "../../apimachinery/cel/types.ts";

/** Why an expression can't be the condition of a webhook; `undefined` for one that can. */
export function conditionError(expression: string): string | undefined {
  const variables = { object: dynType, oldObject: dynType, request: dynType, authorizer: dynType };
  try {
    compileProgram(expression, { variables, result: "bool" });
    return undefined;
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    // What is only known when it runs may be one.
    return error.message.startsWith("compilation failed") ? error.message : undefined;
  }
}
