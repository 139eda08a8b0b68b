import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

type Re2Module = typeof import("re2js");

let loaded: Re2Module | undefined;
const compiled = new Map<string, RE2JS>();
const most = 1000;

/**
 * A regular expression as Go's engine understands it, in linear time for any input. Throws with that engine's words.
 * The library is loaded on the first call; compiled expressions are kept.
 */
export function compileRe2(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  loaded ??= createRequire(import.meta.url)("re2js") as Re2Module;
  const expression = loaded.RE2JS.compile(pattern);
  if (compiled.size >= most) compiled.clear();
  compiled.set(pattern, expression);
  return expression;
}
