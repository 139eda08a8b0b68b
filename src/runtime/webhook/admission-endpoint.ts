import type { IncomingMessage } from "node:http";
import { isApiError } from "../../apimachinery/status.ts";
import type { Logger } from "../log/logger.ts";
import { isPanic, recoveredPanic } from "../panic.ts";
import { admission, type AdmissionHandler, type AdmissionRequest, type AdmissionResponse } from "./admission.ts";
import { AdmissionError } from "./admission-error.ts";
import { readBody } from "./request-body.ts";

export interface EndpointOptions {
  readonly log: Logger;
  /** Counts errors that nobody meant to throw. */
  readonly onPanic: () => void;
}

interface Review {
  readonly apiVersion: string;
  readonly request: AdmissionRequest;
}

/** Beyond this no object of Kubernetes goes, with its old state beside it. */
const bodyLimit = 7 * 1024 * 1024;
const versions: readonly unknown[] = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];

/** Answers one AdmissionReview. HTTP always says 200: the verdict is within. */
export async function answerAdmission(
  request: IncomingMessage,
  handler: AdmissionHandler,
  options: EndpointOptions,
): Promise<object> {
  const review = await readReview(request);
  if ("allowed" in review) {
    options.log.info("Refusing an admission request", { reason: review.status?.message });
    return formatReview("admission.k8s.io/v1", "", review);
  }
  const response = await decide(review.request, handler, options);
  return formatReview(review.apiVersion, review.request.uid, response);
}

async function readReview(request: IncomingMessage): Promise<Review | AdmissionResponse> {
  if (request.headers["content-type"] !== "application/json") {
    const found = request.headers["content-type"] ?? "";
    return admission.errored(400, `contentType=${found}, expected application/json`);
  }
  const body = await readBody(request, bodyLimit);
  if (body === undefined) return admission.errored(413, `request entity is too large; limit is ${bodyLimit} bytes`);
  if (body === "") return admission.errored(400, "request body is empty");
  try {
    const review = JSON.parse(body) as Partial<Review & { kind: string }>;
    if (review.kind !== "AdmissionReview" || !versions.includes(review.apiVersion) || !review.request) {
      return admission.errored(400, `${review.apiVersion ?? ""} ${review.kind ?? ""} is not an AdmissionReview`);
    }
    return review as Review;
  } catch (error) {
    return admission.errored(400, `the request is not JSON: ${(error as Error).message}`);
  }
}

async function decide(
  request: AdmissionRequest,
  handler: AdmissionHandler,
  { log, onPanic }: EndpointOptions,
): Promise<AdmissionResponse> {
  const { kind, name = "", namespace = "", uid } = request;
  const fields = {
    [kind.kind]: { name, namespace },
    namespace,
    name,
    resource: request.resource,
    user: request.userInfo.username ?? "",
    requestID: uid,
  };
  const ctx = { request, log: log.withValues(fields) };
  try {
    return await handler(request, ctx);
  } catch (error) {
    return refusal(error, () => {
      onPanic();
      ctx.log.error(error, "Observed a panic");
    });
  }
}

/** What was thrown on purpose refuses the request; a slip of the program is its own fault, not the user's. */
function refusal(error: unknown, onPanic: () => void): AdmissionResponse {
  if (error instanceof AdmissionError) {
    const { code, reason, message, warnings } = error;
    return { allowed: false, status: { code, reason, message }, warnings };
  }
  if (isApiError(error)) return { allowed: false, status: error.status };
  if (error instanceof Error && !isPanic(error)) return admission.denied(error.message);
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
