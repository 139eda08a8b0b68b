/** Collects the values of an option that takes a list, separated by commas, and may be given several times. */
export function collectList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").filter(Boolean)];
}
