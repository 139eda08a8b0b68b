import { compileRe2 } from "../re2.ts";
import { isPlainPattern } from "./plain-pattern.ts";
import { waysToMatch, type Ways } from "./ways-to-match.ts";

/** A pattern for JavaScript's engine, which is fast but tries one way to match after the other. */
interface NativePattern {
  readonly expression: RegExp;
  readonly ways: Ways;
}

const natives = new Map<string, NativePattern | undefined>();
const most = 1000;

/** The most characters that JavaScript's engine may look at: some milliseconds. */
const mostSteps = 1_000_000;

/** Characters that `.`, `\s` and their likes interpret alike in both engines. */
const plainText = /^[\t\n\f -~]*$/;

/**
 * Reports whether a text matches a schema's pattern, with the semantics and in the time of RE2. JavaScript's engine
 * matches short texts against simple patterns, with the same result: RE2 takes several times as long, and to load.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const native = nativePattern(pattern);
  if (native && native.ways(text.length) * (text.length + 1) <= mostSteps && plainText.test(text))
    return native.expression.test(text);
  return compileRe2(pattern).matcher(text).find();
}

function nativePattern(pattern: string): NativePattern | undefined {
  const known = natives.get(pattern);
  if (known !== undefined || natives.has(pattern)) return known;
  const ways = isPlainPattern(pattern) ? waysToMatch(pattern) : undefined;
  const native = ways && { expression: new RegExp(pattern, "u"), ways };
  if (natives.size >= most) natives.clear();
  natives.set(pattern, native);
  return native;
}
