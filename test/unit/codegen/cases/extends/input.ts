/**
 * A is documented
 * +kubebuilder:validation:XValidation:rule="self.a != ''"
 */
interface A { /** a of A */ a: string; shared?: string; overridden: string }
/** +kubebuilder:validation:XValidation:rule="self.b > 0" */
interface B { b: number; shared?: string }
/**
 * Spec is documented
 * +kubebuilder:validation:XValidation:rule="self.c"
 */
export interface Spec extends A, B, Omit<C, "dropped"> {
  c: boolean;
  /** overridden in Spec */
  overridden: "x";
}
interface C { dropped: string; kept: string }
