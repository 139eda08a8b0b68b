import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { metadataShape } from "../csv/csv-shape.ts";
import type { Shape } from "../../apimachinery/read-shape.ts";

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

/** The service or the URL of a webhook. */
export const webhookClientShape: Shape = {
  service: { "name!": "text", namespace: "text", path: "text", port: "number" },
  url: "text",
};

const columns: Shape = [{ name: "text", type: "text", jsonPath: "text", JSONPath: "text" }];

/** The part of a CustomResourceDefinition that bundles use. */
export const crdShape: Shape = {
  "metadata!": metadataShape,
  "spec!": {
    "group!": "text",
    scope: "text",
    version: "text",
    preserveUnknownFields: "boolean",
    "names!": {
      "plural!": "text",
      "kind!": "text",
      singular: "text",
      listKind: "text",
      shortNames: ["text"],
      categories: ["text"],
    },
    versions: [
      {
        "name!": "text",
        "served!": "boolean",
        storage: "boolean",
        schema: { openAPIV3Schema: {} },
        subresources: {
          scale: { specReplicasPath: "text", statusReplicasPath: "text", labelSelectorPath: "text" },
        },
        additionalPrinterColumns: columns,
      },
    ],
    conversion: {
      strategy: "text",
      webhook: { clientConfig: webhookClientShape, conversionReviewVersions: ["text"] },
      webhookClientConfig: webhookClientShape,
      conversionReviewVersions: ["text"],
    },
  },
};
