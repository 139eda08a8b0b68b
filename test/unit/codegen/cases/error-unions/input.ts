interface S3 {
  type: "s3";
  size: number;
  /** +kubebuilder:default=eu */
  region?: string;
}
interface Gcs {
  type: "gcs";
  size: string;
}
// +kubebuilder:validation:XValidation:rule="self.a != ''"
interface Ruled {
  a: string;
}
/** +structType=atomic */
type Atomic = { type: "a"; name: string } | { type: "b"; name: string; b: string };
type Ten<Name extends string> = { [K in Digit]: { [N in Name]: K } }[Digit];
type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
export interface Spec {
  many: Ten<"a"> & Ten<"b"> & Ten<"c">;
  atomic: Atomic | { type: "c" };
  storage: S3 | Gcs;
  map: { a: string } | Record<string, string>;
  list: { a: string } | { a: string }[];
  text: { a: string } | "none";
  flag: boolean | "auto";
  raw: { a: string } | import("tsop").RawExtension;
  mixed: { type: 1; a: string } | { type: "x" };
  rule: Ruled | { a: string; b: string };
  "$x": { type: "a"; $ref: string } | { type: "b" };
  deep: { config: { a: string } } | { config: { b: string } };
  limits: { type: "a"; list: string[] } | { type: "b"; list: number[] };
  never: { kind: "a" } & { kind: "b" };
  formats: { type: "a"; n: import("tsop").Int32 } | { type: "b"; n: number };
  rules: { type: "a"; n: Ruled } | { type: "b"; n: { a: string } };
  nested: { type: "a"; o: { /** +kubebuilder:default=1 */ x?: number } } | { type: "b"; o: { y: string } };
  fraction: 0.5 | "a";
}
