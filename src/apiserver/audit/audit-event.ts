import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ServerRequest, ServerResponse, User } from "../api-server.ts";

/** A change of a stored object. */
export interface StoredChange {
  readonly group: string;
  readonly plural: string;
  /** `namespace/name`, or the name alone. */
  readonly key: string;
  readonly before: UnstructuredObject | undefined;
  readonly after: UnstructuredObject | undefined;
}

/** A call of an admission webhook. */
export interface AuditedWebhookCall {
  readonly webhook: string;
  readonly mutating: boolean;
  /** The AdmissionReview that was sent, as JSON. */
  readonly request: string;
  /** The response of the review that was answered; absent if the call failed. */
  readonly response: unknown;
  readonly error: string | undefined;
  /** Milliseconds. */
  readonly took: number;
}

/** The resource, object or subresource of a request. */
interface AuditTarget {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** A request that was answered; a watch whose first byte was sent. */
export interface AuditEvent {
  /** The client's `Audit-ID`, or a new one. */
  readonly id: string;
  readonly request: ServerRequest;
  readonly response: ServerResponse;
  /** The user that the request acts as. */
  readonly user: User;
  readonly verb: string;
  /** Absent for requests for documents, such as `/version`. */
  readonly target: AuditTarget | undefined;
  /** Times in milliseconds since 1970. */
  readonly received: number;
  readonly answered: number;
  readonly changes: readonly StoredChange[];
  readonly webhookCalls: readonly AuditedWebhookCall[];
  /** Notes of admission about the request. */
  readonly annotations: Readonly<Record<string, string>>;
}
