/**
 * T has docs
 * +kubebuilder:validation:XValidation:rule="self.a != ''"
 */
interface T {
  /**
   * a has docs
   * +kubebuilder:validation:MaxLength=5
   */
  a: string;
  b?: number;
  c: boolean;
}
type Name = "a" | "b" | "c";
export interface Spec {
  pick: Pick<T, "a" | "b">; omit: Omit<T, "a">; partial: Partial<T>; required: Required<T>; read: Readonly<T>;
  exclude: Exclude<Name, "a">; extract: Extract<Name, "a" | "z">; key: keyof T; indexed: T["a"]; solid: NonNullable<string | null>;
  items: string[][number]; nested: Partial<Pick<T, "a">>;
}
