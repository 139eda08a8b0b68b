/**
 * Compares two versions of one resource type: negative if `a` is older, positive if newer. They are decimal numbers of
 * any length, so the longer one is newer. `undefined` when one is none, and nothing can be said.
 */
export function compareResourceVersions(a: string | undefined, b: string | undefined): number | undefined {
  if (!isVersion(a) || !isVersion(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

function isVersion(text: string | undefined): text is string {
  return text !== undefined && /^[1-9]\d*$/.test(text);
}
