import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ClusterServiceVersion } from "../csv/csv.ts";
import type { Crd } from "./crd.ts";

/** The files of a bundle by their path from its root, in its folder or in its image. */
export type BundleContent = ReadonlyMap<string, string>;

/** A bundle, loaded. */
export interface Bundle {
  readonly content: BundleContent;
  readonly annotations: Readonly<Record<string, string>>;
  /** Paths of the manifests. */
  readonly manifests: readonly string[];
  readonly csv: ClusterServiceVersion;
  readonly crds: readonly Crd[];
  /** All objects, CSV and CRDs included. */
  readonly objects: readonly UnstructuredObject[];
}
