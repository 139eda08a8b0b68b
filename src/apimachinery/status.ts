/** An API server's answer about a request, such as an error: `metav1.Status`. */
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

/** Reports whether an answer is a Status and not an object. */
export function isStatus(answer: unknown): answer is Status {
  const { kind, apiVersion } = answer as Partial<Status>;
  return kind === "Status" && apiVersion === "v1";
}

/** The subject of a failed request. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** A reason why an object was rejected, with its field. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** The HTTP status of each reason, for client and server. */
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

/** The known reasons; a server may send others, or none. */
export type StatusReason = keyof typeof statusCodes | "Unknown" | "StorageReadError";

const brand = Symbol.for("tsop.ApiError");

/**
 * An error response of an API server. Check it with `isNotFound` and its siblings. Like `instanceof ApiError`, they
 * work across copies of this package.
 *
 * @example
 * try {
 *   await client.update(Memcached, memcached);
 * } catch (error) {
 *   if (isInvalid(error)) ctx.log.info("Refused", { causes: error.status.details?.causes });
 *   throw error;
 * }
 */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly status: Status;

  /** Recognizes errors of every copy of this package: `tsop/testing` has a copy of its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === ApiError ? isApiError(value) : super[Symbol.hasInstance](value);
  }

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

/** Creates a Failure with the code of the reason. */
export function failure(reason: keyof typeof statusCodes, message: string, details?: StatusDetails): Status {
  const code = statusCodes[reason];
  const base = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason } as const;
  return details ? { ...base, details, code } : { ...base, code };
}

/**
 * Reports whether an error is a response of an API server, whichever copy of this package created it.
 *
 * @example
 * const code = await client.get(Memcached, request).then(
 *   () => 200,
 *   (error: unknown) => (isApiError(error) ? error.code : undefined),
 * );
 */
export function isApiError(error: unknown): error is ApiError {
  return typeof error === "object" && error !== null && brand in error;
}

/**
 * Returns the reason of an API error; `undefined` for any other error.
 *
 * @example
 * await client.delete(Memcached, request).catch((error: unknown) => {
 *   ctx.log.info("Not deleted", { reason: reasonOf(error) });
 * });
 */
export function reasonOf(error: unknown): StatusReason | undefined {
  return isApiError(error) ? error.reason : undefined;
}

/**
 * Reports whether the object does not exist.
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

/**
 * Reports whether an object of that name already exists.
 *
 * @example
 * try {
 *   await client.create(ConfigMap, configMap);
 * } catch (error) {
 *   if (!isAlreadyExists(error)) throw error;
 * }
 */
export function isAlreadyExists(error: unknown): error is ApiError {
  return reasonOf(error) === "AlreadyExists";
}

/**
 * Reports whether the object has changed since it was read: read it again and retry.
 *
 * @example
 * try {
 *   await client.update(Memcached, memcached);
 * } catch (error) {
 *   if (!isConflict(error)) throw error;
 *   ctx.log.info("Another client was faster; the next reconcile reads the object again");
 * }
 */
export function isConflict(error: unknown): error is ApiError {
  return isApiError(error) && (error.reason === "Conflict" || (error.code === 409 && error.reason !== "AlreadyExists"));
}

/**
 * Reports whether the object is invalid; `error.status.details.causes` lists the errors.
 *
 * @example
 * try {
 *   await client.create(Memcached, memcached);
 * } catch (error) {
 *   if (!isInvalid(error)) throw error;
 *   throw new TerminalError(error); // a retry cannot fix it
 * }
 */
export function isInvalid(error: unknown): error is ApiError {
  return reasonOf(error) === "Invalid";
}

/**
 * Reports whether the user is authenticated but not authorized.
 *
 * @example
 * try {
 *   await client.list(Secret);
 * } catch (error) {
 *   if (!isForbidden(error)) throw error;
 *   ctx.log.error(error, "The Role lacks a rule: add a +kubebuilder:rbac marker");
 * }
 */
export function isForbidden(error: unknown): error is ApiError {
  return reasonOf(error) === "Forbidden";
}

/**
 * Reports whether the user is not authenticated.
 *
 * @example
 * const knowsUs = await client.list(Memcached, { limit: 1 }).then(
 *   () => true,
 *   (error: unknown) => !isUnauthorized(error),
 * );
 */
export function isUnauthorized(error: unknown): error is ApiError {
  return reasonOf(error) === "Unauthorized";
}

/**
 * Reports whether the resourceVersion is too old: list again.
 *
 * @example
 * try {
 *   for await (const { type } of client.watch(Pod, { resourceVersion: "1" })) ctx.log.info("Seen", { type });
 * } catch (error) {
 *   if (!isGone(error)) throw error;
 *   await client.list(Pod); // and watch from its version
 * }
 */
export function isGone(error: unknown): error is ApiError {
  return isApiError(error) && error.code === 410;
}

/**
 * Reports whether the server is temporarily unable to serve the request; a later retry may succeed.
 *
 * @example
 * try {
 *   await client.update(Memcached, memcached);
 * } catch (error) {
 *   if (!isServiceUnavailable(error)) throw error;
 *   ctx.log.info("The server is starting or overloaded");
 * }
 */
export function isServiceUnavailable(error: unknown): error is ApiError {
  return reasonOf(error) === "ServiceUnavailable";
}

/**
 * Reports whether the server timed out; the request may or may not have been executed.
 *
 * @example
 * try {
 *   await client.create(Memcached, memcached);
 * } catch (error) {
 *   if (!isTimeout(error)) throw error;
 *   await client.getOrUndefined(Memcached, request); // it may exist nevertheless
 * }
 */
export function isTimeout(error: unknown): error is ApiError {
  return reasonOf(error) === "Timeout";
}

/**
 * Reports whether the server timed out before it started; the request was not executed.
 *
 * @example
 * try {
 *   await client.create(Memcached, memcached);
 * } catch (error) {
 *   if (!isServerTimeout(error)) throw error;
 *   await client.create(Memcached, memcached);
 * }
 */
export function isServerTimeout(error: unknown): error is ApiError {
  return reasonOf(error) === "ServerTimeout";
}

/**
 * Reports whether the request itself is wrong, regardless of the state of the cluster.
 *
 * @example
 * try {
 *   await client.list(Pod, { labels: "not a selector" });
 * } catch (error) {
 *   if (isBadRequest(error)) throw new TerminalError(error);
 *   throw error;
 * }
 */
export function isBadRequest(error: unknown): error is ApiError {
  return reasonOf(error) === "BadRequest";
}

/**
 * Reports whether the server or one of its webhooks failed.
 *
 * @example
 * try {
 *   await client.create(Memcached, memcached);
 * } catch (error) {
 *   if (!isInternalError(error)) throw error;
 *   ctx.log.error(error, "The server failed, or one of its webhooks");
 * }
 */
export function isInternalError(error: unknown): error is ApiError {
  return reasonOf(error) === "InternalError";
}

/**
 * Reports whether the resource does not support the verb, such as an update of a resource that can only be created.
 *
 * @example
 * const listable = await client.list(await client.kindFor("v1", "Binding")).then(
 *   () => true,
 *   (error: unknown) => !isMethodNotAllowed(error),
 * );
 */
export function isMethodNotAllowed(error: unknown): error is ApiError {
  return reasonOf(error) === "MethodNotAllowed";
}

/**
 * Reports whether the object exceeds the limit of the server or of etcd.
 *
 * @example
 * try {
 *   await client.update(ConfigMap, configMap);
 * } catch (error) {
 *   if (isRequestEntityTooLarge(error)) throw new TerminalError("the configuration is larger than a ConfigMap may be");
 *   throw error;
 * }
 */
export function isRequestEntityTooLarge(error: unknown): error is ApiError {
  return isApiError(error) && (error.reason === "RequestEntityTooLarge" || error.code === 413);
}

/**
 * Reports whether the kind does not support a patch or body of this type, such as a strategic merge patch for a custom
 * resource.
 *
 * @example
 * const patch = strategicMergePatch({ spec: { size: 3 } });
 * await client.patch(Memcached, request, patch).catch((error: unknown) => {
 *   if (!isUnsupportedMediaType(error)) throw error;
 *   return client.patch(Memcached, request, mergePatch({ spec: { size: 3 } }));
 * });
 */
export function isUnsupportedMediaType(error: unknown): error is ApiError {
  return reasonOf(error) === "UnsupportedMediaType";
}

/**
 * Reports whether the request must be retried later: the server is overloaded, or an eviction is not allowed yet.
 *
 * @example
 * const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: objectKey(pod) };
 * try {
 *   await client.subResource("eviction").create(Pod, objectKey(pod), eviction);
 * } catch (error) {
 *   if (!isTooManyRequests(error)) throw error;
 *   ctx.log.info("A disruption budget forbids it for now");
 * }
 */
export function isTooManyRequests(error: unknown): error is ApiError {
  return isApiError(error) && error.code === 429;
}
