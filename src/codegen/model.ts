import type { JsonSchema } from "../apimachinery/json-schema.ts";
import type { CatalogueEntry } from "./describe-for-catalogue.ts";
import type { ParsedMarker } from "./source/parse-markers.ts";
import type { Place } from "./report.ts";

/** A root type: a kind in one version. */
export interface KindVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The folder and file of its declaration, relative to the project. */
  readonly folder: string;
  readonly file: string;
  readonly place: Place;
  readonly schema: JsonSchema;
  /** True if another project defines the kind: this one has only its types. */
  readonly external: boolean;
  /** The longest description in its CustomResourceDefinition, in bytes. */
  readonly maxDescLen?: number | undefined;
  /** True if its author accepts that the server drops the labels of metadata in its spec. */
  readonly dropsEmbeddedMeta?: boolean;
  readonly markers: readonly ParsedMarker[];
  /** The entry in the ClusterServiceVersion. */
  readonly catalogue: CatalogueEntry;
}

/** The input of the generators: everything from the project's sources, before any YAML. */
export interface ProjectTypes {
  /** Sorted by group, kind and version. */
  readonly kinds: readonly KindVersion[];
  /** Package-level markers of all folders, in the order of files. */
  readonly packageMarkers: readonly ParsedMarker[];
}

/** A kind with all its versions, as one CustomResourceDefinition. */
export interface ResourceDefinition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: "Namespaced" | "Cluster";
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly versions: readonly DefinedVersion[];
}

/** A version as in its CustomResourceDefinition. */
export interface DefinedVersion {
  readonly source: KindVersion;
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: { readonly warning?: string };
  readonly subresources: { readonly status?: true; readonly scale?: ScalePaths };
  readonly printColumns: readonly PrintColumn[];
  readonly selectableFields: readonly { readonly jsonPath: string }[];
  readonly schema: JsonSchema;
}

/** The paths that `kubectl scale` and autoscalers use. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A column of `kubectl get`. */
export interface PrintColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: string;
  readonly priority?: number;
}
