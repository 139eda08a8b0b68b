/** A bucket of S3. */
interface S3 {
  // The kind of storage.
  type: "s3";
  /** The name of the bucket. */
  // +kubebuilder:validation:MinLength=3
  bucket: string;
  region?: string;
  retries?: number;
  // +kubebuilder:default=true
  encrypted?: boolean;
}
interface Gcs {
  type: "gcs";
  // +kubebuilder:validation:MinLength=3
  bucket: string;
  project: string;
  retries: number;
  /** +kubebuilder:default=true */
  encrypted?: boolean;
}
interface Disk { type: "disk" | "memory"; path?: string; size: number;
  /** +kubebuilder:default=true */
  encrypted?: boolean }
/** Where the backup is stored. */
type Storage = { type: "a"; bucket: string } | { type: "b"; project: string };
export interface Spec {
  interfaces: S3 | Gcs | Disk;
  inline: { type: "s3"; bucket: string } | { type: "gcs"; project: string };
  named: Storage;
  optional?: Storage | null;
  /** The place has a text. */
  described: Storage | undefined;
  list: Storage[];
  map: Record<string, Storage>;
  shared: { type: "s3"; name: string; bucket: string } | { type: "gcs"; name: string; label?: string };
  three: { type: "a"; a: string; both?: string } | { type: "b"; both: string } | { type: "c"; c?: string };
  numbers: { version: 1; old: string } | { version: 2; new: string };
  flag: { enabled: true; host: string } | { enabled: false };
  absent: { type?: "s3"; bucket: string } | { type: "gcs"; project: string } | { type: "azure"; account?: string };
  missing: { type: "s3"; bucket: string } | { url: string };
  undefinedType: { type: "s3"; bucket: string } | { type?: undefined; url: string };
  "odd-names": { "the-type": "it's" | 'a "b"'; "the.key": string } | { "the-type": "c"; if?: string };
  /** +kubebuilder:default={type: a, bucket: x} */
  defaulted?: Storage;
  inDefault: { /** +kubebuilder:default=s3 */ type?: "s3"; s3?: { region?: string } } | { type: "none" };
}
