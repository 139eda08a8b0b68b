/** Returns the first path that an entry of `exports` or `imports` in package.json leads to, `types` before others. */
export function exportedTypes(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return undefined;
  const conditions = entry as Record<string, unknown>;
  for (const condition of ["types", "import", "node", "default"]) {
    const path = condition in conditions ? exportedTypes(conditions[condition]) : undefined;
    if (path) return path;
  }
  return undefined;
}
