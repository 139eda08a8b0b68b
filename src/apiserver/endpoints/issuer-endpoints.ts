import type { ServerRequest, ServerResponse } from "../api-server.ts";
import { requireAccepted } from "../representation/negotiate.ts";
import { methodNotAllowed } from "../refusals.ts";
import type { ServerCore } from "../verbs/request/call.ts";
import { issuer } from "../verbs/subresources/issue-token.ts";

/** What programs ask that check tokens of service accounts by themselves; `undefined` for all other paths. */
export function issuerEndpoint(
  { users }: ServerCore,
  { method, headers }: ServerRequest,
  path: string,
): ServerResponse | undefined {
  const type = Object.hasOwn(types, path) ? types[path] : undefined;
  if (type === undefined) return undefined;
  if (method !== "GET") throw methodNotAllowed();
  requireAccepted(headers["accept"], type);
  const { publicKey } = users;
  const document =
    path === keysPath
      ? { keys: [publicKey] }
      : {
          issuer,
          jwks_uri: `https://${headers["host"] ?? "127.0.0.1"}${keysPath}`,
          response_types_supported: ["id_token"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: [publicKey.alg],
        };
  const caching = { "content-type": type, "cache-control": "public, max-age=3600" };
  return { status: 200, headers: caching, body: JSON.stringify(document) };
}

const keysPath = "/openid/v1/jwks";

const types: Readonly<Record<string, string>> = {
  "/.well-known/openid-configuration": "application/json",
  [keysPath]: "application/jwk-set+json",
};
