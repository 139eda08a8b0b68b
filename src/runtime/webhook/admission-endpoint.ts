import type { IncomingMessage, RequestListener } from "node:http";
import { isApiError } from "../../apimachinery/status.ts";
import { isError } from "../../errors/is-error.ts";
import { discardLogger, type Fields, type Logger } from "../log/logger.ts";
import { isPanic, panicFields, recoveredPanic } from "../panic.ts";
import {
  admission,
  AdmissionError,
  type AdmissionContext,
  type AdmissionHandler,
  type AdmissionRequest,
  type AdmissionResponse,
} from "./admission.ts";
import { readBody, BodyRoom } from "./body-room.ts";

export interface EndpointOptions {
  readonly log: Logger;
  /** Counts unexpected errors. */
  readonly onPanic: () => void;
  /** What the bodies of all requests share. */
  readonly room: BodyRoom;
}

/** Derives the logger of a webhook's calls from the server's; without a request, the logger of the webhook itself. */
export type WebhookLogConstructor = (base: Logger, request: AdmissionRequest | undefined) => Logger;

/** The logging and error handling of an admission webhook. */
export interface AdmissionWebhookOptions {
  /** Replaces the fields that identify the object of the request. */
  readonly logConstructor?: WebhookLogConstructor | undefined;
  /**
   * True (the default) if an unexpected error of the handler, such as a TypeError, rejects the request. False aborts
   * the connection instead, so that the webhook's `failurePolicy` applies.
   */
  readonly recoverPanic?: boolean | undefined;
}

interface Review {
  readonly apiVersion: string;
  readonly request: AdmissionRequest;
}

/** No Kubernetes object with its old state exceeds this size. */
const bodyLimit = 7 * 1024 * 1024;
const versions: readonly unknown[] = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];

/** Answers an AdmissionReview. The HTTP status is always 200; the verdict is in the body. */
export async function answerAdmission(
  request: IncomingMessage,
  handler: AdmissionHandler,
  options: EndpointOptions & AdmissionWebhookOptions,
): Promise<object> {
  const { logConstructor = withObject("object") } = options;
  const ownLog = logConstructor(options.log, undefined);
  const review = await readReview(request, ownLog, options.room);
  if ("allowed" in review) return formatReview("admission.k8s.io/v1", "", review);
  const log = logConstructor(options.log, review.request);
  const response = await decide(handler, { request: review.request, log, httpRequest: request }, options);
  const { code, reason = "", message = "" } = response.status ?? {};
  const fields = { code, reason, message, requestID: review.request.uid, allowed: response.allowed };
  ownLog.v(5).info("wrote response", fields);
  return formatReview(review.apiVersion, review.request.uid, response);
}

/** Creates fields that identify the object and the user of a request; `key` holds the object's name. */
export function withObject(key: string, fields: Fields = {}): WebhookLogConstructor {
  return (base, request) => {
    const log = base.withValues(fields);
    if (!request) return log;
    const { name = "", namespace = "", resource, userInfo, uid: requestID } = request;
    return log.withValues({
      [key]: { name, namespace },
      namespace,
      name,
      resource,
      user: userInfo.username ?? "",
      requestID,
    });
  };
}

async function readReview(request: IncomingMessage, log: Logger, room: BodyRoom): Promise<Review | AdmissionResponse> {
  const refuse = (code: number, message: string, what: string): AdmissionResponse => {
    log.error(new Error(message), what);
    return admission.errored(code, message);
  };
  if (request.headers["content-type"] !== "application/json") {
    const found = request.headers["content-type"] ?? "";
    const message = `contentType=${found}, expected application/json`;
    return refuse(400, message, "unable to process a request with unknown content type");
  }
  const body = await readBody(request, bodyLimit, room);
  if (body === undefined) {
    const message = `request entity is too large; limit is ${bodyLimit} bytes`;
    return refuse(413, message, "unable to read the body from the incoming request; limit reached");
  }
  if (body === "") return refuse(400, "request body is empty", "bad request");
  try {
    const review = JSON.parse(body) as { kind?: string; apiVersion?: string; request?: Partial<AdmissionRequest> };
    if (review.kind !== "AdmissionReview" || !versions.includes(review.apiVersion) || !review.request) {
      const message = `${review.apiVersion ?? ""} ${review.kind ?? ""} is not an AdmissionReview`;
      return refuse(400, message, "unable to decode the request");
    }
    // A server always names the user, a request that was written by hand may not.
    const { userInfo = {} } = review.request;
    return { ...review, request: { ...review.request, userInfo } } as Review;
  } catch {
    // The engine's message quotes the body, which may contain a Secret.
    return refuse(400, "the request is not JSON", "unable to decode the request");
  }
}

async function decide(
  handler: AdmissionHandler,
  ctx: AdmissionContext,
  { onPanic, recoverPanic = true }: EndpointOptions & AdmissionWebhookOptions,
): Promise<AdmissionResponse> {
  ctx.log.v(5).info("received request");
  try {
    return await handler(ctx.request, ctx);
  } catch (error) {
    return refusal(error, () => {
      onPanic();
      ctx.log.error(undefined, "Observed a panic", panicFields(error));
      if (!recoverPanic) throw error;
    });
  }
}

/** Converts an error to a refusal. An unexpected error is the program's fault, not the user's. */
function refusal(error: unknown, onPanic: () => void): AdmissionResponse {
  if (error instanceof AdmissionError) {
    const { code, reason, message, warnings } = error;
    return { allowed: false, status: { code, reason, message }, warnings };
  }
  if (isApiError(error)) {
    const { kind: _kind, apiVersion: _version, ...status } = error.status;
    return { allowed: false, status };
  }
  if (isError(error) && !isPanic(error)) return admission.denied(error.message);
  onPanic();
  return admission.errored(500, recoveredPanic(error).message);
}

function formatReview(apiVersion: string, uid: string, response: AdmissionResponse): object {
  const { allowed, status, patch, warnings } = response;
  const code = status?.code ?? (allowed ? 200 : 403);
  return {
    kind: "AdmissionReview",
    apiVersion,
    response: {
      uid,
      allowed,
      status: { metadata: {}, ...status, code },
      ...(allowed && patch?.length
        ? { patch: Buffer.from(JSON.stringify(patch)).toString("base64"), patchType: "JSONPatch" }
        : {}),
      ...(warnings?.length ? { warnings } : {}),
    },
  };
}

/**
 * Creates an admission webhook for a server of the program instead of the manager's. That server handles TLS.
 *
 * @example
 * createServer({ cert, key }, standaloneWebhook((request) => admission.allowed(request.name))).listen(8443);
 */
export function standaloneWebhook(
  handler: AdmissionHandler,
  log: Logger = discardLogger,
  options: AdmissionWebhookOptions = {},
): RequestListener {
  const endpoint = { ...options, log, room: new BodyRoom(), onPanic: () => undefined };
  return (request, response) => {
    answerAdmission(request, handler, endpoint).then(
      (review) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(review)),
      (error: unknown) => {
        log.error(undefined, "Failed to answer a webhook request", panicFields(error));
        response.writeHead(500).end();
      },
    );
  };
}
