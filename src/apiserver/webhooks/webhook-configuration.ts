import type { LabelSelector } from "../../apimachinery/meta.ts";

/** A webhook of a Mutating- or ValidatingWebhookConfiguration, defaulted. */
export interface Webhook {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly WebhookRule[];
  readonly failurePolicy: "Fail" | "Ignore";
  readonly matchPolicy: "Exact" | "Equivalent";
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  readonly sideEffects: "None" | "NoneOnDryRun" | "Some" | "Unknown";
  readonly timeoutSeconds: number;
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
  readonly matchConditions?: readonly MatchCondition[];
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export interface WebhookRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  /** Rules of policies may name objects. */
  readonly resourceNames?: readonly string[];
  readonly scope?: "*" | "Cluster" | "Namespaced";
}

/** Where a webhook listens: a URL, or a service of the cluster. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly caBundle?: string;
  readonly service?: WebhookService;
}

export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string;
  readonly port?: number;
}

/** There is no network of services here: says where a service's webhooks really listen. */
export type ServiceResolver = (service: WebhookService) => { url: string; caBundle?: string } | undefined;
