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
  if (native && isShort(native, text)) return native.expression.test(text);
  return compileRe2(pattern).matcher(text).find();
}

/** Returns the steps of RE2 for a text: it may be in each part of the pattern at each character. */
export function patternSteps(pattern: string, text: string): number {
  const native = nativePattern(pattern);
  return native && isShort(native, text) ? 0 : sizeOf(pattern) * (text.length + 1);
}

function isShort({ ways }: NativePattern, text: string): boolean {
  return ways(text.length) * (text.length + 1) <= mostSteps && plainText.test(text);
}

/** Returns how large a pattern is at most when its repetitions are written out. RE2 allows 1,000 of them, nested or not. */
function sizeOf(pattern: string): number {
  let most = 1;
  for (const [, first, last] of pattern.matchAll(/\{(\d+),?(\d*)\}/g)) most = Math.max(most, Number(last || first));
  return pattern.length * most;
}

/** Larger patterns can be too large for JavaScript's engine. */
const largestNative = 10_000;

function nativePattern(pattern: string): NativePattern | undefined {
  const known = natives.get(pattern);
  if (known !== undefined || natives.has(pattern)) return known;
  const ways = sizeOf(pattern) <= largestNative && isPlainPattern(pattern) ? waysToMatch(pattern) : undefined;
  const native = ways && { expression: new RegExp(pattern, "u"), ways };
  if (natives.size >= most) natives.clear();
  natives.set(pattern, native);
  return native;
}
