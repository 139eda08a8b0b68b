import type { Int32, Max, MaxLength, Min, Pattern } from "tsop";
export interface Spec {
  // +kubebuilder:validation:Minimum=2
  twice: Int32 & Min<1>;
  both: Int32 & Max<2> & Max<3>;
  misfit: string & Min<1>;
  wide: Int32 & Min<number>;
  union: string & Pattern<"a" | "b">;
  alone: MaxLength<3>;
  fraction: Int32 & Max<1.5>;
  // +kubebuilder:validation:items:MaxLength=2
  list: (string & MaxLength<3>)[];
  template: `a${{ b: string }}`;
}
