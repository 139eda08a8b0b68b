/** Nothing is below it: no map or list, or an empty one. */
export function isBare(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}
