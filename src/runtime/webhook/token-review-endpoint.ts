import type { IncomingMessage } from "node:http";
import { panicFields, recoveredPanic } from "../panic.ts";
import type { UserInfo } from "../user-info.ts";
import type { EndpointOptions } from "./admission-endpoint.ts";
import { readBody, type BodyRoom } from "./body-room.ts";

/** A question of the API server about a token, as in `authentication.k8s.io/v1`. */
export interface TokenReviewRequest {
  readonly metadata?: { readonly uid?: string };
  readonly spec: { readonly token: string; readonly audiences?: readonly string[] };
}

/** The verdict on a token. */
export interface TokenReviewResponse {
  readonly authenticated: boolean;
  readonly user?: UserInfo;
  /** The audiences of the request for which the token is valid. */
  readonly audiences?: readonly string[];
  /** The reason why the token could not be checked. */
  readonly error?: string;
}

/** Identifies the user of a token. Throwing means that the check failed. */
export type TokenReviewHandler = (request: TokenReviewRequest) => TokenReviewResponse | Promise<TokenReviewResponse>;

const bodyLimit = 1024 * 1024;
const versions: readonly unknown[] = ["authentication.k8s.io/v1", "authentication.k8s.io/v1beta1"];

/** Answers a TokenReview. The HTTP status is always 200; the verdict is in the body. */
export async function answerTokenReview(
  request: IncomingMessage,
  handler: TokenReviewHandler,
  { log, onPanic, room }: EndpointOptions,
): Promise<object> {
  const review = await readReview(request, room);
  if (typeof review === "string") {
    log.error(new Error(review), "unable to read the review of a token");
    return formatReview("authentication.k8s.io/v1", { authenticated: false, error: review });
  }
  try {
    return formatReview(review.apiVersion, await handler(review));
  } catch (error) {
    onPanic();
    log.error(undefined, "Observed a panic", panicFields(error));
    return formatReview(review.apiVersion, { authenticated: false, error: recoveredPanic(error).message });
  }
}

/** Parses the review, or returns its error. */
async function readReview(
  request: IncomingMessage,
  room: BodyRoom,
): Promise<(TokenReviewRequest & { readonly apiVersion: string }) | string> {
  const type = request.headers["content-type"] ?? "";
  if (type !== "application/json") return `contentType=${type}, expected application/json`;
  const body = await readBody(request, bodyLimit, room);
  if (body === undefined) return `request entity is too large; limit is ${bodyLimit} bytes`;
  if (body === "") return "request body is empty";
  try {
    const review = JSON.parse(body) as Partial<TokenReviewRequest> & { kind?: string; apiVersion?: string };
    const { kind, apiVersion = "", spec } = review;
    if (kind !== "TokenReview" || !versions.includes(apiVersion))
      return `${apiVersion} ${kind ?? ""} is not a TokenReview`;
    return spec?.token ? { ...review, apiVersion, spec } : "token is empty";
  } catch {
    // The engine's message quotes the body, which holds a token.
    return "the request is not JSON";
  }
}

function formatReview(apiVersion: string, status: TokenReviewResponse): object {
  return { kind: "TokenReview", apiVersion, metadata: {}, spec: {}, status };
}
