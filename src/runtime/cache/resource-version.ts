/**
 * Compares two versions of one resource type: negative if `a` is older, positive if it is newer. Versions are decimal
 * numbers of any length, so a longer one is newer. Returns `undefined` if one of them is not a number.
 */
export function compareResourceVersions(a: string | undefined, b: string | undefined): number | undefined {
  if (!isVersion(a) || !isVersion(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

function isVersion(text: string | undefined): text is string {
  return text !== undefined && /^[1-9]\d*$/.test(text);
}
