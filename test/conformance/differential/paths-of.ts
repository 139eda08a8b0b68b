/** Returns the JSON pointers of a value and of all values in it, except the pointer of a whole document. */
export function pathsOf(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [path];
  const below = Object.entries(value).flatMap(([name, child]) =>
    pathsOf(child, `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return path ? [path, ...below] : below;
}
