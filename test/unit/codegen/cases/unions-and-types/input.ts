// +kubebuilder:validation:XValidation:rule="self.name != ''"
type Checked = { type: "a"; name: string } | { type: "b"; name: string; b: string };
/** +structType=granular */
type Granular = { type: "a"; name: string } | { type: "b"; name: string; b: string };
const kinds = ["x", "y"] as const;
type Of<T> = { ok: true; value: T } | { ok: false; error: string };
type Xor<A, B> = (A & { [K in keyof B]?: never }) | (B & { [K in keyof A]?: never });
interface Secret { secret: import("tsop/k8s/core/v1").LocalObjectReference; type: "secret" }
export interface Spec {
  checked: Checked;
  more: Checked | { type: "c"; c?: string };
  granular: Granular;
  maybe: (Checked | null) | { type: "c"; c?: string };
  withBase: Checked & { extra?: string };
  xor: Xor<{ s3: string }, { gcs: string }>;
  indexed: { k: (typeof kinds)[0]; x: string } | { k: "z" };
  result: Of<string>;
  open: { mode: "x"; [key: string]: unknown } | { mode: "y"; [key: string]: unknown };
  secret: Secret | { type: "image"; image: string };
  twin: { type: "a" } | { type: "a" };
  // +listType=map
  // +listMapKey=name
  list?: ({ name: string; type: "a" } | { name: string; type: "b"; b: string })[];
}
