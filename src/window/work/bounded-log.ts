/** The newest entries of a log, by number or name; the oldest are dropped. */
export class BoundedLog<K, V> {
  private readonly entries = new Map<K, V>();
  private readonly capacity: number;
  private readonly onDrop: (entry: V) => void;
  private lost = 0;

  constructor(capacity: number, onDrop: (entry: V) => void = () => {}) {
    this.capacity = capacity;
    this.onDrop = onDrop;
  }

  /** The number of dropped entries. */
  get dropped(): number {
    return this.lost;
  }

  add(key: K, entry: V): void {
    this.entries.set(key, entry);
    if (this.entries.size <= this.capacity) return;
    const [oldest, dropped] = this.entries.entries().next().value!;
    this.entries.delete(oldest);
    this.lost++;
    this.onDrop(dropped);
  }

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  values(): IterableIterator<V> {
    return this.entries.values();
  }
}
