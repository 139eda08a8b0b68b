/** The number of events that client-go remembers. */
const limit = 4096;

/** The values that were set last. */
export class Recent<T> {
  private readonly entries = new Map<string, T>();

  get(key: string): T | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: T): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > limit) this.entries.delete(this.entries.keys().next().value!);
  }
}
