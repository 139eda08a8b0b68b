/**
 * Whether a pattern is certainly one that RE2 takes, because it has only what both engines understand alike and
 * JavaScript's takes it. Nearly all are; asking RE2 itself costs a large library and its first, slow steps.
 */
export function isPlainPattern(pattern: string): boolean {
  return (
    plain.test(pattern) && !/\[\^?\]/.test(pattern) && (pattern.match(/\{/g)?.length ?? 0) < 2 && compiles(pattern)
  );
}

/** No look-around, no references, no flags, no names; one small count at most, as RE2 multiplies nested ones. */
const plain = /^(?:[^\\(){}]|\\[.+*?()|[\]{}^$/dDwWsS]|\((?:\?:|(?!\?))|\)|\{\d{1,3}(?:,\d{0,3})?\})*$/;

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    // RE2 may take it all the same, or say what is wrong.
    return false;
  }
}
