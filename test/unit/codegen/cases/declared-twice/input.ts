import type { Int32 } from "tsop";

export interface Spec extends Named {
  /** The first declaration. */
  size: Int32;
}

/** Other text. */
export interface Spec extends Aged {
  /**
   * The second declaration.
   *
   * +kubebuilder:validation:MinLength=1
   */
  text?: string;
}

interface Named {
  name: string;
}

interface Aged {
  // +kubebuilder:validation:Minimum=1
  age: Int32;
}
