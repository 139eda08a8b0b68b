import type { Int32 } from "tsop";
interface Limits {
  /**
   * The amount of memory.
   *
   * +kubebuilder:validation:MinLength=2
   */
  memory?: string;
  cpu: Int32;
  inner: { a?: string; b: Int32 };
}
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type DeepPartial<T> = { [K in keyof T]?: DeepPartial<T[K]> };
type Box<T> = { value: T };
type Getters<T> = { [K in keyof T as `get${Capitalize<string & K>}`]: T[K] };
export interface Spec {
  same: Mutable<Limits>;
  required: { [K in keyof Limits]-?: Limits[K] };
  nullable: { [K in keyof Limits]: Limits[K] | null };
  deep: DeepPartial<Limits>;
  boxed: { [K in keyof Limits]: Box<Limits[K]> };
  renamed: Getters<{ foo?: string; bar: string }>;
  without: { [K in keyof Limits as Exclude<K, "inner">]: Limits[K] };
  flags: { [K in keyof Limits & string]: boolean };
  map: { [K in string]: Int32 };
  empty: Record<never, string>;
}
