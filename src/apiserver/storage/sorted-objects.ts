import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** The most keys of one block; a larger block is divided. */
const longestBlock = 512;

/** Objects by key, listed in the order of their keys, as in etcd. */
export class SortedObjects {
  private objects = new Map<string, UnstructuredObject>();
  /** Sorted keys in sorted blocks: inserting into one array of all keys would move thousands of them. */
  private blocks: string[][] = [];

  get size(): number {
    return this.objects.size;
  }

  get(key: string): UnstructuredObject | undefined {
    return this.objects.get(key);
  }

  set(key: string, object: UnstructuredObject): void {
    if (!this.objects.has(key)) this.insert(key);
    this.objects.set(key, object);
  }

  delete(key: string): void {
    if (!this.objects.delete(key)) return;
    const at = this.blockOf(key);
    const block = this.blocks[at]!;
    block.splice(
      position(block.length, (index) => block[index]! < key),
      1,
    );
    if (block.length === 0) this.blocks.splice(at, 1);
  }

  /** Yields entries whose key has the prefix and is not before `start`. */
  *entries(prefix: string, start: string = prefix): Generator<[string, UnstructuredObject]> {
    for (let at = this.blockOf(start); at < this.blocks.length; at++) {
      const block = this.blocks[at]!;
      for (let index = position(block.length, (each) => block[each]! < start); index < block.length; index++) {
        const key = block[index]!;
        if (!key.startsWith(prefix)) return;
        yield [key, this.objects.get(key)!];
      }
    }
  }

  copy(): SortedObjects {
    const copy = new SortedObjects();
    copy.objects = new Map(this.objects);
    copy.blocks = this.blocks.map((block) => [...block]);
    return copy;
  }

  private insert(key: string): void {
    const at = this.blockOf(key);
    const block = this.blocks[at];
    if (!block) return void this.blocks.push([key]);
    block.splice(
      position(block.length, (index) => block[index]! < key),
      0,
      key,
    );
    if (block.length > longestBlock) this.blocks.splice(at + 1, 0, block.splice(longestBlock / 2));
  }

  /** Returns the index of the last block that begins at or before the key, to which the key belongs. */
  private blockOf(key: string): number {
    return Math.max(0, position(this.blocks.length, (index) => this.blocks[index]![0]! <= key) - 1);
  }
}

/** Returns the number of leading indexes for which `before` holds. */
function position(length: number, before: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
