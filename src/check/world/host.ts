import type { SandboxOptions } from "../../sandbox/start-sandbox.ts";
import type { WebhookEndpoint } from "../../sandbox/webhooks/webhook-endpoint.ts";
import type { Operator, OperatorCommand, OperatorListener } from "./operator.ts";

/** What a world without faults may have in place of an empty cluster, and who else sees what happens. */
export type Surroundings = Pick<SandboxOptions, "restore" | "simulate" | "forbiddenHint" | "onAudit" | "onChange">;

/** Where the operator and the server of a world run. */
export interface Host {
  /** How the server is reached; over HTTPS by default. Other connections last. */
  readonly listen?: SandboxOptions["listen"];
  /** A state in which the version is installed that begins, for one server; otherwise, the world installs it. */
  readonly installed?: SandboxOptions["restore"];
  /** Starts an operator that finds the server by a kubeconfig. */
  startOperator(command: OperatorCommand, kubeconfig: string, listener: OperatorListener): Operator;
  /** Prepares the endpoints of webhooks. */
  openWebhooks(): Promise<OperatorWebhooks>;
  close(): Promise<void>;
}

/** The endpoints at which an operator serves webhooks. The API server calls the one of the instance started last. */
export interface OperatorWebhooks {
  readonly url: string;
  readonly caBundle: string;
  readonly current: Pick<WebhookEndpoint, "port">;
  /** Returns the endpoint for an instance that is about to start. */
  next(): WebhookEndpoint;
  /** Waits until the instance that was started last serves; returns false if it does not. */
  untilServing(signal: AbortSignal): Promise<boolean>;
}
