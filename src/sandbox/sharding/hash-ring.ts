import { xxhash64 } from "./xxhash64.ts";

const tokensPerShard = 100;

/** Distributes keys over shards by consistent hashing: if a shard comes or goes, few keys move. */
export class HashRing {
  private readonly tokens: readonly { readonly hash: bigint; readonly shard: string }[];

  constructor(shards: readonly string[]) {
    const all = new Map<bigint, string>();
    for (const shard of shards) {
      for (let index = 0; index < tokensPerShard; index++) all.set(xxhash64(`${shard}${index}`), shard);
    }
    this.tokens = [...all]
      .map(([hash, shard]) => ({ hash, shard }))
      .toSorted((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
  }

  /** Returns the shard of a key: the owner of the first token at or after its hash; `undefined` without shards. */
  shardOf(key: string): string | undefined {
    const hash = xxhash64(key);
    let [low, high] = [0, this.tokens.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tokens[middle]!.hash < hash) low = middle + 1;
      else high = middle;
    }
    return (this.tokens[low] ?? this.tokens[0])?.shard;
  }
}
