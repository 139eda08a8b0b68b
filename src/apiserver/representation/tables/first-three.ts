/** The first three of a list, and how many there are beyond them; `""` for an empty list. */
export function firstThree(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(",");
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown;
}
