interface S3 { bucket: string; /** +kubebuilder:default=eu */ region?: string }
interface Gcs { project: string }
export interface Spec {
  exactly: { s3: S3 } | { gcs: Gcs } | { none: {} };
  never: { s3: S3; gcs?: never } | { s3?: never; gcs: Gcs };
  shared: { name: string; s3: S3 } | { name: string; gcs: Gcs };
  most: { s3?: S3; gcs?: never } | { s3?: undefined; gcs?: Gcs };
  none: { s3: S3 } | { gcs: Gcs } | {};
  least: { s3: S3; gcs?: Gcs } | { s3?: S3; gcs: Gcs };
  list: ({ s3: S3 } | { gcs: Gcs })[];
  rules: WithRule | { gcs: Gcs };
  off: Omit<Base, "gcs"> & { s3?: never };
  extended: Extended;
}
// +kubebuilder:validation:XValidation:rule="self.s3.bucket != ''"
interface WithRule { s3: S3 }
interface Base { s3?: S3; gcs?: Gcs; name?: string }
interface Extended extends Base { s3?: never }
