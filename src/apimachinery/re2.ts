import type { RE2JS } from "re2js";
import { packageRequire } from "./package-file.ts";

let loaded: typeof RE2JS | undefined;
const compiled = new Map<string, RE2JS>();
const most = 1000;

/**
 * Compiles a regular expression with the semantics of Go's engine, in linear time for any input. Throws that engine's
 * messages. The library is loaded on the first call; compiled expressions are cached.
 */
export function compileRe2(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  loaded ??= (packageRequire("re2js") as { RE2JS: typeof RE2JS }).RE2JS;
  const expression = loaded.compile(pattern);
  if (compiled.size >= most) compiled.clear();
  compiled.set(pattern, expression);
  return expression;
}
