import { createHash } from "node:crypto";
import { randomFrom } from "../../unit/apiserver/random-from.ts";
import type { Random } from "./mutate.ts";

/** Returns a random generator that differs for each kind and seed, and is the same in every run. */
export function randomFor(name: string, seed: number): Random {
  return randomFrom(createHash("sha256").update(`${name} ${seed}`).digest().readUInt32BE());
}
