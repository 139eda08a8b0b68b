import type { ExclusiveMax, ExclusiveMin, Float, Int32, Max, MaxItems, MaxLength, MaxProperties, Min, MinItems, MinLength, MinProperties, MultipleOf, Pattern } from "tsop";
import type * as tsop from "tsop";
/** A port. */
type Port = Int32 & Min<1> & Max<65535>;
type Label<Length extends number = 63> = string & MinLength<1> & MaxLength<Length> & Pattern<"^[a-z]+$">;
type High = Port & Min<1024>;
export interface Spec {
  port: Port;
  /** The text of this place. */
  high?: High;
  label: Label; short: Label<10>; ports: Port[] & MinItems<1> & MaxItems<3>; names: (string & MaxLength<5>)[];
  map: Record<string, Label> & MinProperties<1> & MaxProperties<9>;
  ratio: Float & ExclusiveMin<0> & ExclusiveMax<1>; step: number & MultipleOf<5>; negative: number & Min<-10>;
  either: Port | "auto"; maybe: (Port | null) & Max<9>; object: { a: string } & MinProperties<1>; spaced: tsop.Int32 & tsop.Min<2>; inline: import("tsop").Int32 & import("tsop").Min<3>;
  // +kubebuilder:validation:Maximum=100
  marked: Int32 & Min<1>;
  // +kubebuilder:validation:Minimum=2
  again: Port;
}
