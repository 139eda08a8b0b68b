import type { IncomingMessage } from "node:http";
import type { KubeObject, UnstructuredObject } from "../../apimachinery/meta.ts";
import { createJsonPatch, type JsonPatchOperation } from "../../apimachinery/patch/json-patch.ts";
import type { Status, StatusReason } from "../../apimachinery/status.ts";
import type { Logger } from "../log/logger.ts";
import type { UserInfo } from "../user-info.ts";

/** A question of the API server, as in `admission.k8s.io/v1`. */
export interface AdmissionRequest<T extends KubeObject = UnstructuredObject> {
  readonly uid: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly requestKind?: GroupVersionKind;
  readonly requestResource?: GroupVersionResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly userInfo: UserInfo;
  /** The new object; absent on DELETE. */
  readonly object?: T;
  /** The stored object; present on UPDATE and DELETE. */
  readonly oldObject?: T;
  readonly dryRun?: boolean;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The type of an object. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The resource of an object. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The verdict on a request; create one with `admission`. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  readonly status?: Partial<Status>;
  readonly patch?: readonly JsonPatchOperation[];
  /** Warnings that kubectl shows to the user, with either verdict. */
  readonly warnings?: readonly string[];
}

/** The arguments of a webhook in addition to the object. */
export interface AdmissionContext<T extends KubeObject = UnstructuredObject> {
  readonly request: AdmissionRequest<T>;
  /** A logger whose lines identify the object and the user. */
  readonly log: Logger;
  /** The API server's HTTP request, for its headers and path; absent in a unit test without server. */
  readonly httpRequest?: IncomingMessage;
}

/** Decides on a request. Throwing an AdmissionError or an ApiError rejects it with that status. */
export type AdmissionHandler = (
  request: AdmissionRequest,
  ctx: AdmissionContext,
) => AdmissionResponse | Promise<AdmissionResponse>;

/**
 * Creates the responses of an admission webhook.
 *
 * @example
 * const handler: AdmissionHandler = ({ object }) =>
 *   object?.metadata.labels?.["team"] ? admission.allowed() : admission.denied("every object needs a team");
 */
export const admission: {
  readonly allowed: (message?: string) => AdmissionResponse;
  readonly denied: (message: string) => AdmissionResponse;
  readonly errored: (code: number, message: string) => AdmissionResponse;
  /** Allows or denies. */
  readonly validationResponse: (allowed: boolean, message?: string) => AdmissionResponse;
  /** Adds warnings, which kubectl shows to the user. */
  readonly withWarnings: (response: AdmissionResponse, ...warnings: readonly string[]) => AdmissionResponse;
  /** Allows with changes. */
  readonly patched: (message: string, patch: readonly JsonPatchOperation[]) => AdmissionResponse;
  /** Allows with the changes from `original` to `changed`. */
  readonly patchedFrom: (original: unknown, changed: unknown) => AdmissionResponse;
} = {
  allowed: (message) => ({ allowed: true, status: withMessage({ code: 200 }, message) }),
  denied: (message) => ({ allowed: false, status: withMessage({ code: 403, reason: "Forbidden" }, message) }),
  errored: (code, message) => ({ allowed: false, status: { code, message } }),
  validationResponse: (allowed, message) => {
    const status = allowed ? { code: 200 } : ({ code: 403, reason: "Forbidden" } as const);
    return { allowed, status: withMessage(status, message) };
  },
  withWarnings: (response, ...warnings) => ({ ...response, warnings: [...(response.warnings ?? []), ...warnings] }),
  patched: (message, patch) => ({ allowed: true, status: withMessage({ code: 200 }, message), patch }),
  patchedFrom: (original, changed) => ({
    allowed: true,
    status: { code: 200 },
    patch: createJsonPatch(original, changed),
  }),
};

function withMessage(status: Partial<Status>, message: string | undefined): Partial<Status> {
  return message ? { ...status, message } : status;
}

/**
 * Combines handlers that change objects. Each sees the original object, their patches are joined in order, and the
 * first refusal is returned.
 *
 * @example
 * mgr.webhookServer.register("/mutate-pods", multiMutatingHandler(addSidecar, addLabels));
 */
export function multiMutatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return oneAfterTheOther(handlers);
}

/**
 * Combines handlers that validate. The first refusal is returned. The handlers must not patch.
 *
 * @example
 * mgr.webhookServer.register("/validate-pods", multiValidatingHandler(checkImages, checkLimits));
 */
export function multiValidatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  const all = oneAfterTheOther(handlers);
  return async (request, ctx) => {
    const { patch: _none, ...response } = await all(request, ctx);
    return response;
  };
}

function oneAfterTheOther(handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return async (request, ctx) => {
    const patch: JsonPatchOperation[] = [];
    const warnings: string[] = [];
    for (const handler of handlers) {
      const response = await handler(request, ctx);
      if (!response.allowed) return response;
      patch.push(...(response.patch ?? []));
      warnings.push(...(response.warnings ?? []));
    }
    return { ...admission.allowed(), patch, warnings };
  };
}

/** The status of the refusal. */
export interface AdmissionErrorOptions extends ErrorOptions {
  /** The default is 403. */
  readonly code?: number;
  /** The default is `Forbidden`. */
  readonly reason?: StatusReason;
  readonly warnings?: readonly string[];
}

/**
 * Rejects a request from a defaulter or validator.
 *
 * @example
 * const validator: Validator<Memcached> = {
 *   validateCreate({ spec }) {
 *     if (spec.size === 0) throw new AdmissionError("spec.size: 0 does nothing", { code: 422, reason: "Invalid" });
 *   },
 * };
 */
export class AdmissionError extends Error {
  override readonly name: string = "AdmissionError";
  readonly code: number;
  readonly reason: StatusReason;
  readonly warnings: readonly string[];

  constructor(message: string, options: AdmissionErrorOptions = {}) {
    super(message, options);
    this.code = options.code ?? 403;
    this.reason = options.reason ?? "Forbidden";
    this.warnings = options.warnings ?? [];
  }
}
