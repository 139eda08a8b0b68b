const mask = 0xffff_ffff_ffff_ffffn;
const [prime1, prime2, prime3, prime4, prime5] = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
];

/** Computes the 64-bit xxHash of a text, with seed 0: the hash of the real sharder, so that assignments are the same. */
export function xxhash64(text: string): bigint {
  const bytes = Buffer.from(text, "utf8");
  let offset = 0;
  let hash = prime5;
  if (bytes.length >= 32) {
    const lanes = [prime1 + prime2, prime2, 0n, -prime1].map((lane) => lane & mask);
    for (; offset + 32 <= bytes.length; offset += 32) {
      for (const [index, lane] of lanes.entries()) {
        lanes[index] = round(lane, bytes.readBigUInt64LE(offset + 8 * index));
      }
    }
    const rotations = [1n, 7n, 12n, 18n];
    hash = lanes.reduce((sum, lane, index) => (sum + rotate(lane, rotations[index]!)) & mask, 0n);
    for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * prime1 + prime4) & mask;
  }
  hash = (hash + BigInt(bytes.length)) & mask;
  for (; offset + 8 <= bytes.length; offset += 8) {
    hash = (rotate(hash ^ round(0n, bytes.readBigUInt64LE(offset)), 27n) * prime1 + prime4) & mask;
  }
  if (offset + 4 <= bytes.length) {
    hash ^= (BigInt(bytes.readUInt32LE(offset)) * prime1) & mask;
    hash = (rotate(hash, 23n) * prime2 + prime3) & mask;
    offset += 4;
  }
  for (; offset < bytes.length; offset++) {
    hash = (rotate(hash ^ ((BigInt(bytes[offset]!) * prime5) & mask), 11n) * prime1) & mask;
  }
  hash = ((hash ^ (hash >> 33n)) * prime2) & mask;
  hash = ((hash ^ (hash >> 29n)) * prime3) & mask;
  return hash ^ (hash >> 32n);
}

function round(lane: bigint, input: bigint): bigint {
  return (rotate((lane + input * prime2) & mask, 31n) * prime1) & mask;
}

function rotate(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & mask;
}
