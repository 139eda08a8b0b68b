const tickMs = 1000;
const first = 100;
const thereafter = 100;

/** Thins out what repeats: of the same message, the first hundred of a second and then each hundredth, as zap does. */
export class Sampler {
  private readonly counts = new Map<string, number>();
  private tickEnd = Number.NEGATIVE_INFINITY;

  /** True if the line should be written. */
  takes(level: string, message: string, now: number): boolean {
    if (now >= this.tickEnd || now < this.tickEnd - tickMs) {
      this.counts.clear();
      this.tickEnd = now + tickMs;
    }
    const key = `${level} ${message}`;
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count <= first || (count - first) % thereafter === 0;
  }
}
