import type { CrdColumn } from "../../apimachinery/crd/crd-types.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";

/** One resource in one version as the server serves it: from the built-in data or from a CRD. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
  /** Resolved lazily: most requests need no schema, and the built-in ones are large. */
  readonly schema: () => JsonSchema | undefined;
  /** Set for custom resources only. */
  readonly custom?: CustomResourceVersion;
}

export interface ServedSubresource {
  readonly name: string;
  readonly kind: string;
  /** Set if it differs from the parent's, as for `autoscaling/v1 Scale`. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface CustomResourceVersion {
  /** The version in which objects are stored. */
  readonly storageVersion: string;
  readonly columns: readonly CrdColumn[];
  readonly selectableFields: readonly string[];
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
  readonly hasStatus: boolean;
}
