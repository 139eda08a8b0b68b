import { checkCel } from "../../apimachinery/cel/check/check.ts";
import { conversions } from "../../apimachinery/cel/functions/conversions.ts";
import { operators } from "../../apimachinery/cel/functions/operators.ts";
import { stringFunctions } from "../../apimachinery/cel/functions/strings.ts";
import { timeFunctions } from "../../apimachinery/cel/functions/timestamps.ts";
import { type Expression, visitParts } from "../../apimachinery/cel/syntax/expression.ts";
import { CelIssue } from "../../apimachinery/cel/values/issue.ts";
import { declareFunctions, type FunctionTable } from "../../apimachinery/cel/values/overload.ts";
import { parseCel } from "../../apimachinery/cel/syntax/parse-cel.ts";
import { parseType } from "../../apimachinery/cel/values/types.ts";

/** Returns the reason why OLM cannot use an expression of `olm.constraint`; `undefined` if it can. */
export function constraintProblem(expression: string): string | undefined {
  try {
    const parsed = parseCel(expression);
    const foreign = partsOfKubernetes(parsed);
    if (foreign) return `${foreign} are Kubernetes' own: OLM does not know them`;
    const checked = checkCel(parsed, { functions: constraintFunctions(), variables });
    if (Array.isArray(checked)) return checked.map(({ message }) => message).join("; ");
    const { kind } = checked.types.get(checked.expression)!;
    return kind === "bool" ? undefined : `it gives a ${kind}, and must give a bool`;
  } catch (error) {
    if (error instanceof CelIssue) return error.message;
    throw error;
  }
}

/** The properties of a bundle: its package, its kinds and those that its author adds. */
const variables = { properties: parseType("list<map<string, dyn>>") };

/** Finds extensions of Kubernetes, which OLM does not support. */
function partsOfKubernetes(expression: Expression): string | undefined {
  let found: string | undefined;
  visitParts(expression, (part) => {
    found ??= nameOfExtension(part);
  });
  return found;
}

function nameOfExtension(part: Expression): string | undefined {
  switch (part.kind) {
    case "optionalMapping":
      return "optional values";
    case "select":
      return part.mode === "optional" ? "optional values" : undefined;
    case "list":
      return part.items.some(({ optional }) => optional) ? "optional values" : undefined;
    case "map":
      return part.entries.some(({ optional }) => optional) ? "optional values" : undefined;
    case "call":
      return part.name === "_[?_]" ? "optional values" : undefined;
    case "binding":
      return "names of parts";
    case "comprehension":
      return part.second || part.macro.startsWith("transform") ? "macros of two variables" : undefined;
    case "identifier":
    case "literal":
    // The checker reports that no type here can be constructed.
    case "struct":
      return undefined;
    default:
      return part satisfies never;
  }
}

/** The functions of CEL itself, without the functions of Kubernetes, and one function of OLM. */
function constraintFunctions(): FunctionTable {
  const ownOfCel = /(^| )(contains|endsWith|matches|size|startsWith)\(/;
  const strings = Object.entries(stringFunctions).filter(([signature]) => ownOfCel.test(signature));
  const ofOlm = { "semver_compare(dyn, dyn): int": (): bigint => 0n };
  return declareFunctions(operators, conversions, timeFunctions, Object.fromEntries(strings), ofOlm);
}
