const tickMs = 1000;
const first = 100;
const thereafter = 100;

/** Samples repetitions as zap does: of the same message, the first hundred in a second and then every hundredth. */
export class Sampler {
  private readonly counts = new Map<string, number>();
  private tickEnd = Number.NEGATIVE_INFINITY;

  /** Reports whether the line is to be written. */
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
