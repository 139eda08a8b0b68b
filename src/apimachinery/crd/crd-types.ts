import type { Condition, ObjectMeta } from "../meta.ts";
import type { JsonSchema } from "../json-schema.ts";

/** The part of `apiextensions.k8s.io/v1 CustomResourceDefinition` that tsop reads. */
export interface CustomResourceDefinition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly spec: CrdSpec;
  readonly status?: CrdStatus;
}

export interface CrdSpec {
  readonly group: string;
  readonly names: CrdNames;
  readonly scope: "Namespaced" | "Cluster";
  readonly versions: readonly CrdVersion[];
  readonly conversion?: CrdConversion;
  readonly preserveUnknownFields?: boolean;
}

export interface CrdNames {
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: CrdScale };
  readonly additionalPrinterColumns?: readonly CrdColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface CrdColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

export interface CrdScale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

interface CrdConversion {
  readonly strategy: "None" | "Webhook";
  readonly webhook?: {
    readonly clientConfig?: {
      readonly url?: string;
      readonly caBundle?: string;
      readonly service?: {
        readonly namespace: string;
        readonly name: string;
        readonly path?: string;
        readonly port?: number;
      };
    };
    readonly conversionReviewVersions: readonly string[];
  };
}

export interface CrdStatus {
  readonly conditions?: readonly Condition[] | null;
  readonly acceptedNames?: Partial<CrdNames>;
  readonly storedVersions?: readonly string[];
}

/** The fields that every object has: a server checks them itself. */
export const objectFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);
