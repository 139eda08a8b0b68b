import type { TSTemplateLiteralType, TSType } from "oxc-parser";
import type { Draft } from "./schema-draft.ts";
import { literalsOf } from "./literal-types.ts";
import type { Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** Evaluates `` `${number}m` `` as a text with a pattern. */
export function templateSchema(node: TSTemplateLiteralType, scope: Scope, types: TypeEvaluator): Draft {
  const parts = node.quasis.flatMap((quasi, index) => {
    const type = node.types[index];
    const text = escapePattern(quasi.value.cooked ?? "");
    return type ? [text, placeholder(type, scope, types)] : [text];
  });
  return parts.includes(undefined) ? {} : { type: "string", pattern: `^${parts.join("")}$` };
}

/** Returns the pattern of texts that are one of some words, or match one of some patterns. */
export function patternOfAny(words: readonly string[], patterns: readonly string[]): string {
  const inner = patterns.map(innerPattern);
  const parts = [...new Set(words)].map(escapePattern);
  if (!inner.includes(undefined)) return `^${anyOf([...parts, ...inner.map(String)])}$`;
  const whole = parts.length > 0 ? [`^${anyOf(parts)}$`, ...patterns] : patterns;
  return whole.length === 1 ? String(whole[0]) : whole.map((pattern) => `(${pattern})`).join("|");
}

/** Returns what is between `^` and `$`, if that can be one of several branches. */
function innerPattern(pattern: string): string | undefined {
  const inner = /^\^(.*)\$$/s.exec(pattern)?.[1];
  let depth = 0;
  for (const [part] of (inner ?? "|").matchAll(/\\.?|\[(?:\\.|[^\]])*\]|./gs)) {
    if (part === "(") depth++;
    else if (part === ")") depth--;
    else if (part === "\\" || (part === "|" && depth === 0)) return undefined;
  }
  return inner;
}

function anyOf(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? "") : `(${parts.join("|")})`;
}

function placeholder(node: TSType, scope: Scope, types: TypeEvaluator): string | undefined {
  if (node.type === "TSBigIntKeyword") return integer;
  if (node.type === "TSNumberKeyword") return number;
  const values = literalsOf(node, scope, types);
  if (values) return anyOf([...new Set(values.map(String))].map(escapePattern));
  const { type, pattern, ...more } = types.flatten(types.schemaOf(node, scope), node, scope);
  const isBare = Object.keys(more).every((key) => key === "format" || key === "description");
  const inner = pattern === undefined ? undefined : innerPattern(pattern);
  if (isBare && type === "string" && (pattern === undefined || inner !== undefined))
    return inner === undefined ? ".*" : `(${inner})`;
  if (isBare && type === "integer") return integer;
  if (isBare && type === "number") return number;
  if (isBare && type === "boolean") return "(true|false)";
  types.unsupported(node, scope, "this part of a template", "write string, number, boolean or literals in it");
  return undefined;
}

const integer = "-?[0-9]+";
const number = "-?[0-9]+(\\.[0-9]+)?";

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
