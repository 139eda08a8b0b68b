/** An item that stores its position in a heap, so that it can move or leave without a search. */
export interface HeapItem {
  heapIndex: number;
}

/** A binary heap, sorted by `before`. An item can be in one heap at a time. */
export class Heap<T extends HeapItem> {
  private readonly before: (a: T, b: T) => boolean;
  private readonly items: T[] = [];

  constructor(before: (a: T, b: T) => boolean) {
    this.before = before;
  }

  get size(): number {
    return this.items.length;
  }

  peek(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    this.put(item, this.items.length);
    this.rise(item);
  }

  pop(): T | undefined {
    const first = this.items[0];
    if (first) this.remove(first);
    return first;
  }

  /** Moves an item whose order has changed. */
  update(item: T): void {
    this.rise(item);
    this.sink(item);
  }

  remove(item: T): void {
    const last = this.items.pop()!;
    const index = item.heapIndex;
    item.heapIndex = -1;
    if (last === item) return;
    this.put(last, index);
    this.update(last);
  }

  private put(item: T, index: number): void {
    this.items[index] = item;
    item.heapIndex = index;
  }

  private rise(item: T): void {
    let index = item.heapIndex;
    while (index > 0) {
      const parent = this.items[(index - 1) >> 1]!;
      if (!this.before(item, parent)) break;
      const above = parent.heapIndex;
      this.put(parent, index);
      index = above;
    }
    this.put(item, index);
  }

  private sink(item: T): void {
    let index = item.heapIndex;
    for (let left = 2 * index + 1; left < this.items.length; left = 2 * index + 1) {
      const right = this.items[left + 1];
      const child = right && this.before(right, this.items[left]!) ? right : this.items[left]!;
      if (!this.before(child, item)) break;
      const below = child.heapIndex;
      this.put(child, index);
      index = below;
    }
    this.put(item, index);
  }
}
