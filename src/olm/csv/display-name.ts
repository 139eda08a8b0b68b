/** A name for people, made from one for machines: `memcached-operator` → `Memcached Operator`. */
export function displayName(name: string): string {
  const words = name.split(/[.\-_ ]+/).filter(Boolean);
  return words.map((word) => raiseFirst(spaceBeforeCapitals(word))).join(" ");
}

/** Runs of capitals stay together: `APIServer` is one word, as its author wrote it. */
function spaceBeforeCapitals(word: string): string {
  return word.replace(/(?<=\P{Lu})\p{Lu}/gu, " $&");
}

function raiseFirst(word: string): string {
  return word.replace(/^./u, (first) => first.toUpperCase());
}
