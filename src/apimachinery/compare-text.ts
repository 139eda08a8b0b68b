/** The order of code units, which is that of Go's strings but for rare letters; no locale has a say. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
