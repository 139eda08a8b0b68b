/** The answer of an API server that refuses, as `metav1.Status`. */
export interface Status {
  kind: "Status";
  apiVersion: "v1";
  metadata: { resourceVersion?: string; continue?: string };
  status: "Success" | "Failure";
  message?: string;
  reason?: StatusReason;
  details?: StatusDetails;
  code: number;
}

/** What a refused request was about. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** One reason why an object was refused, with the field. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** Reason to HTTP status: the one table that the client and the server share. */
export const statusCodes = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  NotImplemented: 501,
  ServiceUnavailable: 503,
  ServerTimeout: 504,
  Timeout: 504,
} as const;

/** Reasons of the wire; servers may send others, or none. */
export type StatusReason = keyof typeof statusCodes | "Unknown" | "StorageReadError";

const brand = Symbol.for("tsop.ApiError");

/** An API server refused. Recognise it with `isNotFound` and its siblings, which work across copies of this package. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly status: Status;

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? `the server answered ${status.code}`, options);
    this.status = status;
    Object.defineProperty(this, brand, { value: true });
  }

  get code(): number {
    return this.status.code;
  }

  get reason(): StatusReason {
    return this.status.reason ?? "Unknown";
  }
}

/** A Failure with the code that belongs to the reason. */
export function failure(reason: keyof typeof statusCodes, message: string, details?: StatusDetails): Status {
  const code = statusCodes[reason];
  const base = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason } as const;
  return details ? { ...base, details, code } : { ...base, code };
}

/** True for an answer of an API server, whichever copy of this package made the error. */
export function isApiError(error: unknown): error is ApiError {
  return typeof error === "object" && error !== null && brand in error;
}

/** The reason of an API error; `undefined` for any other error. */
export function reasonOf(error: unknown): StatusReason | undefined {
  return isApiError(error) ? error.reason : undefined;
}

/**
 * True when the object is not there.
 *
 * @example
 * try {
 *   await client.get(Memcached, request);
 * } catch (error) {
 *   if (!isNotFound(error)) throw error;
 * }
 */
export function isNotFound(error: unknown): error is ApiError {
  return isApiError(error) && (error.reason === "NotFound" || error.code === 404);
}

/** True when an object of that name is there already. */
export function isAlreadyExists(error: unknown): error is ApiError {
  return reasonOf(error) === "AlreadyExists";
}

/** The object changed since it was read: read it again and retry. */
export function isConflict(error: unknown): error is ApiError {
  return isApiError(error) && (error.reason === "Conflict" || (error.code === 409 && error.reason !== "AlreadyExists"));
}

/** True when the object breaks rules of its kind; `error.status.details.causes` says which. */
export function isInvalid(error: unknown): error is ApiError {
  return reasonOf(error) === "Invalid";
}

/** True when the server knows who asks, and doesn't allow it. */
export function isForbidden(error: unknown): error is ApiError {
  return reasonOf(error) === "Forbidden";
}

/** True when the server doesn't know who asks. */
export function isUnauthorized(error: unknown): error is ApiError {
  return reasonOf(error) === "Unauthorized";
}

/** The resourceVersion is too old: list again. */
export function isGone(error: unknown): error is ApiError {
  return isApiError(error) && error.code === 410;
}

/** The server can't do what was asked right now; trying again later may help. */
export function isServiceUnavailable(error: unknown): error is ApiError {
  return reasonOf(error) === "ServiceUnavailable";
}

/** The server gave up on the request; it may or may not have been carried out. */
export function isTimeout(error: unknown): error is ApiError {
  return reasonOf(error) === "Timeout";
}

/** The server was too slow to begin; the request was not carried out. */
export function isServerTimeout(error: unknown): error is ApiError {
  return reasonOf(error) === "ServerTimeout";
}

/** The request itself is wrong, whatever the state of the cluster. */
export function isBadRequest(error: unknown): error is ApiError {
  return reasonOf(error) === "BadRequest";
}

/** The server or one of its webhooks failed. */
export function isInternalError(error: unknown): error is ApiError {
  return reasonOf(error) === "InternalError";
}

/** The resource doesn't know the verb, such as an update of something that can only be created. */
export function isMethodNotAllowed(error: unknown): error is ApiError {
  return reasonOf(error) === "MethodNotAllowed";
}

/** The object is larger than the server or etcd takes. */
export function isRequestEntityTooLarge(error: unknown): error is ApiError {
  return isApiError(error) && (error.reason === "RequestEntityTooLarge" || error.code === 413);
}

/** The kind doesn't take a patch or body of this type, such as a strategic merge patch for a custom resource. */
export function isUnsupportedMediaType(error: unknown): error is ApiError {
  return reasonOf(error) === "UnsupportedMediaType";
}

/** True when the server, or an eviction, is to be tried again later. */
export function isTooManyRequests(error: unknown): error is ApiError {
  return isApiError(error) && error.code === 429;
}
