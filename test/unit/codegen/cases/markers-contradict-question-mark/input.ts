export interface Spec {
  // +optional
  a: string;
  // +required
  b?: string;
}
