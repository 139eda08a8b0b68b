// Medians, and how far the ratio of two of them can be trusted.

const samples = 5_000;

export function median(list) {
  return quantile(list, 0.5);
}

/** Returns a quantile, interpolated between its two neighbours. */
export function quantile(list, part) {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

/**
 * Returns the ratio of the medians of two series of equally many rounds, and its 95 % interval by bootstrap: the rounds
 * are drawn again and again, in pairs, as both sides of a round had the same machine. The draws are the same each time.
 */
export function ratioOf(ours, theirs) {
  const random = seededRandom(ours.length);
  const ratios = Array.from({ length: samples }, () => {
    const drawn = ours.map(() => Math.floor(random() * ours.length));
    return median(drawn.map((round) => ours[round])) / median(drawn.map((round) => theirs[round]));
  });
  return { ratio: median(ours) / median(theirs), low: quantile(ratios, 0.025), high: quantile(ratios, 0.975) };
}

/** Says which side needs less, or that it is open because the interval touches 1. */
export function verdictOf({ low, high }) {
  if (high < 1) return "less";
  return low > 1 ? "more" : "open";
}

/** Returns a generator of numbers from 0 to 1, the same for a seed (mulberry32). */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
