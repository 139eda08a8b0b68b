/**
 * Reports whether RE2 certainly accepts a pattern: JavaScript accepts it, and it uses only syntax that both engines
 * interpret alike. Nearly all patterns do, and loading RE2 itself is slow.
 */
export function isPlainPattern(pattern: string): boolean {
  return (
    plain.test(pattern) && !/\[\^?\]|\[:/.test(pattern) && (pattern.match(/\{/g)?.length ?? 0) < 2 && compiles(pattern)
  );
}

/** Without look-around, references, flags and names; with at most one small count, since RE2 multiplies nested ones. */
const plain = /^(?:[^\\(){}]|\\[.+*?()|[\]{}^$/dDwWsS]|\((?:\?:|(?!\?))|\)|\{\d{1,3}(?:,\d{0,3})?\})*$/;

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    // RE2 decides, and words the error.
    return false;
  }
}
