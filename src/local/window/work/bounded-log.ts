export interface BoundedLogOptions<V> {
  readonly capacity: number;
  /** Returns the characters that an entry keeps; nothing is counted by default. */
  readonly sizeOf?: (entry: V) => number;
  readonly largest?: number;
  readonly onDrop: (entry: V) => void;
}

/** The newest entries of a log; the oldest are dropped if there are too many, or if they are too large together. */
export class BoundedLog<K, V> {
  private readonly entries = new Map<K, V>();
  private readonly options: BoundedLogOptions<V>;
  private size = 0;
  private lost = 0;

  constructor(options: BoundedLogOptions<V>) {
    this.options = options;
  }

  /** The number of dropped entries. */
  get dropped(): number {
    return this.lost;
  }

  add(key: K, entry: V): void {
    const { capacity, sizeOf, largest = Infinity } = this.options;
    this.entries.set(key, entry);
    this.size += sizeOf?.(entry) ?? 0;
    while (this.entries.size > capacity || (this.size > largest && this.entries.size > 1)) this.dropOldest();
  }

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  values(): IterableIterator<V> {
    return this.entries.values();
  }

  private dropOldest(): void {
    const [key, entry] = this.entries.entries().next().value!;
    this.entries.delete(key);
    this.size -= this.options.sizeOf?.(entry) ?? 0;
    this.lost++;
    this.options.onDrop(entry);
  }
}
