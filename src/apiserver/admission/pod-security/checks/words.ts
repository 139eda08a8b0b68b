/** Joins texts to `"a", "b"`. */
export function quoteAll(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}

/** Returns each text once, in order. */
export function sortedSet(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

/** Returns the word for a number of things; by default, the plural has an s. */
export function countWord(count: number, one: string, several = `${one}s`): string {
  return count === 1 ? one : several;
}

/** Returns `container "a"` or `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return `${countWord(names.length, "container")} ${quoteAll(names)}`;
}

/** Returns the parts that set a field: `pod and container "a"`; an empty text if no part does. */
export function settersText(byPod: boolean, containers: readonly string[]): string {
  return [...(byPod ? ["pod"] : []), ...(containers.length > 0 ? [containersText(containers)] : [])].join(" and ");
}
