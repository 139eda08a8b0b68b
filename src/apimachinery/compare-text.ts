/** Compares by code units, without locale: the order of Go's strings except for rare characters. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
