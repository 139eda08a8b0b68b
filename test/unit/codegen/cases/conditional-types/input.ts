import type { Int32 } from "tsop";
type Config<Type extends "s3" | "gcs"> = Type extends "s3" ? { type: Type; bucket: string } : { type: Type; project: string };
type DeepPartial<T> = T extends unknown[] ? T : T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;
type Optional<T, Yes extends boolean = false> = Yes extends true ? T | null : T;
type Letters<T> = T extends "a" | "b" ? `letter-${T}` : never;
interface Limits { cpu: Int32; names: string[]; inner: { a: string; b: Int32 }; level: "low" | "high" }
export interface Spec {
  config: Config<"s3" | "gcs">;
  only: Config<"s3">;
  deep: DeepPartial<Limits>;
  nullable: Optional<string, true>;
  plain: Optional<string>;
  letters: Letters<"a" | "b" | "c">;
  without: { [K in keyof Limits as K extends "inner" | "names" ? never : K]: Limits[K] };
  perKey: { [K in "a" | "b"]: K extends "a" ? string : Int32 };
  text: string extends string ? "yes" : "no";
}
