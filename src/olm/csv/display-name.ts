/** Derives a display name: `memcached-operator` → `Memcached Operator`. */
export function displayName(name: string): string {
  const words = name.split(/[.\-_ ]+/).filter(Boolean);
  return words.map((word) => raiseFirst(spaceBeforeCapitals(word))).join(" ");
}

/** Separates words at capitals; runs of capitals stay together: `APIServer` is one word, as its author wrote it. */
function spaceBeforeCapitals(word: string): string {
  return word.replace(/(?<=\P{Lu})\p{Lu}/gu, " $&");
}

function raiseFirst(word: string): string {
  return word.replace(/^./u, (first) => first.toUpperCase());
}
