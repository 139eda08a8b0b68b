import type { Float, Int32, Int64, IntOrString, Max, MaxLength, Min, MinLength, Pattern, Quantity, Time } from "tsop";
type Name = string & Pattern<"^[a-z]+$"> & MaxLength<9>;
/** A port that needs no privileges. */
type Port = Int32 & Min<1024> & Max<65535>;
type Ip = string & MinLength<7>;
type MaybeName = string | null;
export interface Spec {
  length: (string & MaxLength<3>) | (string & MinLength<9>);
  word: Name | "*";
  time: Time | "never";
  port: Port | 80 | 443;
  named: Port | "http";
  share: (Float & Max<0.5>) | 1;
  format: Int32 | Int64;
  number: Float | Int32;
  many?: Name | Ip | null;
  maybe: MaybeName | "x";
  quantity: Quantity | "max";
  any: IntOrString | "auto";
  suggestion: "x" | (string & Record<never, never>);
}
