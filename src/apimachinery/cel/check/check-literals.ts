import { compileRe2 } from "../../re2.ts";
import type { CheckedExpression } from "./check.ts";
import { type Call, type Expression, type ListLiteral, visitParts } from "../syntax/expression.ts";
import { CelIssue } from "../values/issue.ts";
import { formatType, type CelType } from "../values/types.ts";
import { FormatError, formatText } from "../functions/format-text.ts";

/**
 * Reports literals that the types allow but Kubernetes rejects: lists and maps of mixed types, and invalid regular
 * expressions, times and formats.
 */
export function literalIssues(checked: CheckedExpression): CelIssue[] {
  const issues: CelIssue[] = [];
  // The values of a format can be mixed.
  const exempt = new Set<Expression>();
  visitParts(checked.expression, (part) => {
    if (part.kind === "call") checkCall(part, checked, issues, exempt);
    if (exempt.has(part)) return;
    const members = part.kind === "list" ? part.items : part.kind === "map" ? part.entries : [];
    const values = members.flatMap(({ optional, value }) => (optional ? [] : [value]));
    const keys = part.kind === "map" ? part.entries.map(({ key }) => key) : [];
    issues.push(...mixedTypes(keys, checked), ...mixedTypes(values, checked));
  });
  return issues;
}

function mixedTypes(parts: readonly Expression[], { types }: CheckedExpression): CelIssue[] {
  const [first] = parts;
  const expected = first && types.get(first);
  if (!expected) return [];
  const odd = parts.find((part) => !isSame(types.get(part), expected));
  const found = odd && types.get(odd);
  return found
    ? [new CelIssue(odd.at, `expected type '${formatType(expected)}' but found '${formatType(found)}'`)]
    : [];
}

function isSame(a: CelType | undefined, b: CelType): boolean {
  return a !== undefined && formatType(a) === formatType(b);
}

function checkCall(call: Call, checked: CheckedExpression, issues: CelIssue[], exempt: Set<Expression>): void {
  const { name = "", args = [], overloads = [] } = checked.calls.get(call) ?? {};
  const last = args.at(-1);
  if (name === "format" && last?.kind === "list") {
    visitParts(last, (part) => exempt.add(part));
    issues.push(...formatIssues(args[0]!, last, call.at));
  }
  if (last?.kind !== "literal" || !["matches", "timestamp", "duration"].includes(name)) return;
  try {
    if (name === "matches") compileRe2(last.value as string);
    else overloads[0]?.run(last.value as never);
  } catch {
    // The server reports no details.
    issues.push(new CelIssue(last.at, `invalid ${name} argument`));
  }
}

/** Checks a format with a list of literals, which is known in advance. */
function formatIssues(template: Expression, { items }: ListLiteral, at: number): CelIssue[] {
  const values = items.flatMap(({ value }) => (value.kind === "literal" ? [value.value] : []));
  if (template.kind !== "literal" || typeof template.value !== "string" || values.length < items.length) return [];
  try {
    formatText(template.value, values);
    return [];
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return [new CelIssue(items[error.item ?? -1]?.value.at ?? at, error.message)];
  }
}
