import type { Int32, Max } from "tsop";
declare const tag: unique symbol;
type Brand<T, Name extends string> = T & { readonly __brand: Name };
type Tagged<T, Name> = T & { readonly [tag]: Name };
export interface Spec {
  a: Brand<string, "UserId">;
  b: Brand<Int32 & Max<9>, "Level">;
  c: Brand<{ x: string }, "Point">;
  d: Tagged<string[], "Names">;
  e: Tagged<"a" | "b", "Letter">;
  f: string & { __opaque: unique symbol };
}
