import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** A request that is refused, with the status of the response. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly reason: string;
}

/**
 * Refuses requests by their Host and Origin: no page but the window's own may reach it, neither one of another origin,
 * nor one whose host name was made to resolve to this address.
 */
export function refuseForeign({ headers, socket }: IncomingMessage): Refusal | undefined {
  const { host = "", origin } = headers;
  const own = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  if (!own.includes(host)) return { status: 403, reason: "requests for another host are refused" };
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, reason: "requests of another origin are refused" };
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return { status: 403, reason: "requests of another site are refused" };
  return undefined;
}

/** Refuses requests without the token. It is compared in constant time. */
export function refuseUnknown({ headers }: IncomingMessage, token: string): Refusal | undefined {
  const [scheme = "", given = ""] = (headers.authorization ?? "").split(" ");
  if (scheme.toLowerCase() === "bearer" && timingSafeEqual(digest(given), digest(token))) return undefined;
  return { status: 401, reason: "the token is missing or wrong" };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The headers of every response: nothing is loaded from elsewhere, run inline, framed or kept. */
export const safeHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};
