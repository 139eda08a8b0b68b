import type { Call, Comprehension, ComprehensionMacro, Expression } from "./expression.ts";
import { CelIssue } from "../values/issue.ts";

/** Returns the macro that a call stands for, or the call itself. */
export function expandMacro(call: Call): Expression {
  const { name, target, args, at } = call;
  if (!target) return name === "has" && args.length === 1 ? presenceTest(call, args[0]!) : call;
  const over = (macro: ComprehensionMacro, variables: 1 | 2, parts: Pick<Comprehension, "condition" | "transform">) =>
    ({ kind: "comprehension", at, macro, range: target, ...bind(args, variables), ...parts }) as const;
  switch (`${name}/${args.length}`) {
    case "all/2":
    case "exists/2":
    case "filter/2":
      return over(name as ComprehensionMacro, 1, { condition: args[1] });
    case "exists_one/2":
      return over("existsOne", 1, { condition: args[1] });
    case "map/2":
      return over("map", 1, { transform: args[1] });
    case "map/3":
      return over("map", 1, { condition: args[1], transform: args[2] });
    case "all/3":
    case "exists/3":
      return over(name as ComprehensionMacro, 2, { condition: args[2] });
    case "existsOne/3":
    case "exists_one/3":
      return over("existsOne", 2, { condition: args[2] });
    case "transformList/3":
    case "transformMap/3":
    case "transformMapEntry/3":
      return over(name as ComprehensionMacro, 2, { transform: args[2] });
    case "transformList/4":
    case "transformMap/4":
    case "transformMapEntry/4":
      return over(name as ComprehensionMacro, 2, { condition: args[2], transform: args[3] });
    case "sortBy/2":
      return sortBy(at, target, args);
    case "optMap/2":
    case "optFlatMap/2":
      return {
        kind: "optionalMapping",
        at,
        target,
        ...bind(args, 1),
        transform: args[1]!,
        flat: name === "optFlatMap",
      };
    default:
      return call;
  }
}

/** Expands `sortBy` to a sort by a list of keys. */
function sortBy(at: number, target: Expression, args: readonly Expression[]): Expression {
  const name = "@sortByInput";
  const input: Expression = { kind: "identifier", at, name };
  const keys: Expression = {
    kind: "comprehension",
    at,
    macro: "map",
    range: { ...input },
    ...bind(args, 1),
    transform: args[1],
  };
  const body: Expression = { kind: "call", at, name: "@sortByAssociatedKeys", target: input, args: [keys] };
  return { kind: "binding", at, name, value: target, body };
}

function presenceTest(call: Call, argument: Expression): Expression {
  if (argument.kind !== "select") throw new CelIssue(argument.at, "invalid argument to has() macro");
  return { ...argument, at: call.at, mode: "test" };
}

function bind(args: readonly Expression[], count: 1 | 2): { variable: string; second?: string } {
  const [variable, second] = args.slice(0, count).map((argument) => {
    if (argument.kind !== "identifier") throw new CelIssue(argument.at, "argument must be a simple name");
    return argument.name;
  });
  return second === undefined ? { variable: variable! } : { variable: variable!, second };
}
