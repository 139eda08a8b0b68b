import { createHash } from "node:crypto";
import { randomFrom } from "../../unit/apiserver/random-from.ts";
import type { Random } from "./mutate.ts";

/** Chance that is another for each kind and seed, and the same in every run. */
export function randomFor(name: string, seed: number): Random {
  return randomFrom(createHash("sha256").update(`${name} ${seed}`).digest().readUInt32BE());
}
