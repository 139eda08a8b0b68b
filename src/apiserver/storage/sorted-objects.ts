import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** Objects by key, listed in key order, as etcd does. */
export class SortedObjects {
  readonly #objects = new Map<string, UnstructuredObject>();
  readonly #keys: string[] = [];

  get size(): number {
    return this.#keys.length;
  }

  get(key: string): UnstructuredObject | undefined {
    return this.#objects.get(key);
  }

  set(key: string, object: UnstructuredObject): void {
    if (!this.#objects.has(key)) this.#keys.splice(this.#position(key), 0, key);
    this.#objects.set(key, object);
  }

  delete(key: string): void {
    if (this.#objects.delete(key)) this.#keys.splice(this.#position(key), 1);
  }

  /** Entries whose key has the prefix and is not before `start`. */
  *entries(prefix: string, start: string = prefix): Generator<[string, UnstructuredObject]> {
    for (let index = this.#position(start); index < this.#keys.length; index++) {
      const key = this.#keys[index]!;
      if (!key.startsWith(prefix)) return;
      yield [key, this.#objects.get(key)!];
    }
  }

  copy(): SortedObjects {
    const copy = new SortedObjects();
    for (const key of this.#keys) {
      copy.#keys.push(key);
      copy.#objects.set(key, this.#objects.get(key)!);
    }
    return copy;
  }

  #position(key: string): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
