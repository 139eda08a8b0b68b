import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ResourceAttributes } from "../access/authorization.ts";
import type { ServerRequest, ServerResponse, User } from "../api-server.ts";
import { formatMicroTime } from "../../apimachinery/time.ts";
import { decodeProtobuf } from "../codec/protobuf/decode-protobuf.ts";
import { ProtobufError } from "../codec/protobuf/wire-reader.ts";

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
  /** What the authorizer was asked about the target. */
  readonly access?: Omit<ResourceAttributes, "user"> | undefined;
  /** Times in milliseconds since 1970. */
  readonly received: number;
  readonly answered: number;
  readonly changes: readonly StoredChange[];
  readonly webhookCalls: readonly AuditedWebhookCall[];
}

/** Formats an event in the form of `audit.k8s.io/v1` at level RequestResponse, as a real server logs it. */
export function formatAuditEvent(event: AuditEvent): object {
  const { request, response, user, target, verb, received, answered } = event;
  const impersonated = user.username !== request.user.username;
  const sent = jsonOf(requestText(request));
  const answer = responseText(response);
  const returned = answer === undefined ? undefined : jsonOf(answer);
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "RequestResponse",
    auditID: event.id,
    stage: answer === undefined ? "ResponseStarted" : "ResponseComplete",
    requestURI: request.url,
    verb,
    user: userOf(request.user),
    ...(impersonated && { impersonatedUser: userOf(user) }),
    sourceIPs: ["127.0.0.1"],
    ...(request.headers["user-agent"] && { userAgent: request.headers["user-agent"] }),
    ...(target && { objectRef: objectRefOf(target) }),
    responseStatus: { metadata: {}, ...statusOf(returned), code: response.status },
    ...(sent !== undefined && { requestObject: sent }),
    ...(returned !== undefined && { responseObject: returned }),
    requestReceivedTimestamp: formatMicroTime(new Date(received)),
    stageTimestamp: formatMicroTime(new Date(answered)),
  };
}

function userOf({ username, uid, groups, extra }: User): object {
  return { username, ...(uid && { uid }), groups, ...(extra && { extra }) };
}

function objectRefOf({ group, version, resource, subresource, namespace, name }: AuditTarget): object {
  return {
    resource,
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(group && { apiGroup: group }),
    apiVersion: version,
    ...(subresource && { subresource }),
  };
}

function statusOf(returned: unknown): object {
  const { kind, status, message, reason } = (returned ?? {}) as Record<string, unknown>;
  return kind === "Status" ? { status, message, reason } : {};
}

/** Returns a value; `undefined` for a text in another format. */
function jsonOf(text: string): unknown {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A body that is not JSON was refused, and the refusal is in the event.
    return undefined;
  }
}

/** Returns the body of a request as text, with protobuf, which Go clients send, as JSON; protobuf that was refused is left out. */
export function requestText({ headers, body }: ServerRequest): string {
  const isProtobuf = headers["content-type"]?.startsWith("application/vnd.kubernetes.protobuf");
  return isProtobuf && body.length > 0 ? protobufText(body) : Buffer.from(body).toString("utf8");
}

/**
 * Returns the body of a response as text; protobuf, which Go clients ask for, becomes JSON. Returns `undefined` for a
 * watch.
 */
export function responseText({ body, binary }: ServerResponse): string | undefined {
  if (typeof body !== "string") return undefined;
  return binary ? protobufText(Buffer.from(body, "latin1")) : body;
}

function protobufText(bytes: Uint8Array): string {
  try {
    return JSON.stringify(decodeProtobuf(bytes));
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    return "";
  }
}
