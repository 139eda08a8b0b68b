import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Manifest } from "../../client/manifests/read-manifests.ts";
import type { WebhookEndpoint } from "../../sandbox/webhooks/webhook-endpoint.ts";
import type { OperatorCommand } from "./operator.ts";

/** The operator under test, and the objects that it needs on the server. */
export interface Subject {
  readonly command: OperatorCommand;
  /** How it is started next to another version, if it elects a leader where it is deployed. */
  readonly electing?: OperatorCommand | undefined;
  readonly crds: readonly UnstructuredObject[];
  /** Objects that exist before the operator starts, such as its roles and namespace. */
  readonly before: readonly Manifest[];
  /** The service account that the operator runs as if its roles are enforced. */
  readonly account?: { readonly namespace: string; readonly name: string } | undefined;
  /** The namespace of the samples, unless they name one; by default `default`. */
  readonly namespace?: string | undefined;
  /** The webhooks that the operator serves, for admission or for conversion. */
  readonly webhooks?: ServedWebhooks | undefined;
  /** Other operators that run next to it, which no fault hits. */
  readonly neighbours?: readonly Subject[] | undefined;
}

export interface ServedWebhooks {
  readonly configurations: readonly UnstructuredObject[];
  /** Returns the command with which the operator serves at an endpoint. */
  readonly commandAt: (endpoint: WebhookEndpoint) => OperatorCommand;
}
