import { z } from "zod";
const schema = z.object({ a: z.string() });
function make(): { a: string } {
  return { a: "" };
}
type First<T> = T extends (infer U)[] ? U : never;
const words = ["a", "b"] as const;
const more = [...words, "c"] as const;
enum Computed {
  A = "a".length,
}
declare global {
  interface Everywhere {
    a: string;
  }
}
export interface Spec {
  inferred: z.infer<typeof schema>;
  returned: ReturnType<typeof make>;
  conditional: First<string[]>;
  spread: (typeof more)[number];
  computed: Computed;
  global: Everywhere;
  empty: {}[];
  wide: "a" | string;
  fraction: 0.5 | 1;
  rest: [string, ...string[]];
  [index: `x${string}`]: unknown;
}
