interface Base { name: string }
// +kubebuilder:validation:XValidation:rule="self.bucket != self.name",message="bucket is the name"
// +kubebuilder:validation:XValidation:rule="self.bucket == oldSelf.bucket",message="bucket is fixed"
interface S3 extends Base { type: "s3"; bucket: string; class?: "hot" | "cold" }
interface Gcs extends Base { type: "gcs"; project: string; class: "cold" | "archive";
  // +k8s:immutable
  zone?: string }
enum Kind { Azure = "azure", Disk = "disk" }
interface Azure extends Base { type: Kind.Azure; account: string; class?: string }
type Cloud = S3 | Gcs;
type Tagged<T extends string, Config> = { type: T; config: Config };
type Part = Tagged<"a", { x: string; shared?: number }> | Tagged<"b", { y: string; shared: number }> | { type: "none" };
interface Variants { one: { a: string }; two: { b?: string } }
export interface Spec {
  cloud: Cloud | Azure;
  config?: Part;
  inner: { type: "a"; of: Cloud } | { type: "b"; of: Cloud };
  tree: { type: "tcp"; port: number } | { type: "http"; mode: "plain"; path: string } | { type: "http"; mode: "tls"; secret: string };
  both: Base & ({ on: "x"; x: string } | { on: "y"; name: string; y: string });
  narrowed: { type: "s3" | "gcs"; name: string } & ({ type: "s3"; bucket: string } | { type: "gcs"; project: string });
  crossed: ({ k: "a"; x: string } | { k: "b" }) & ({ k: "a" | "b"; l: 1 } | { k: "b"; l: 2; z: string });
  product: ({ a: "p"; p: string } | { a: "q" }) & ({ b: "r"; r: string } | { b: "s" });
  fromMap: { [K in "one" | "two"]: { type: K } & Variants[K] }["one" | "two"];
  only: Extract<Cloud | Azure, { type: "s3" | "gcs" }>;
  rest: Exclude<Cloud | Azure, Cloud>;
  common: Pick<Cloud, "name" | "class">;
  keys: keyof Cloud;
  partial: Partial<{ type: "a"; x: string } | { type: "b"; y: string }>;
}
