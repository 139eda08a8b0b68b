import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** The part of a CustomResourceDefinition that bundles use; `crdShape` checks input against it. */
export interface Crd extends UnstructuredObject {
  spec: {
    group: string;
    names: { kind: string; plural: string; [field: string]: unknown };
    /** In v1beta1 only. */
    version?: string;
    versions?: { name: string; served: boolean; [field: string]: unknown }[];
    conversion?: {
      strategy?: string;
      webhook?: { clientConfig?: WebhookClient; conversionReviewVersions?: string[] };
      webhookClientConfig?: WebhookClient;
      conversionReviewVersions?: string[];
    };
    [field: string]: unknown;
  };
}

/** The address of a webhook: a service or a URL. */
export interface WebhookClient {
  service?: { name: string; namespace?: string; path?: string; port?: number };
  url?: string;
}
