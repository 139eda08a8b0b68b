import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { decodeHeader } from "../../apimachinery/header-text.ts";
import { defineKind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { Reader } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { UserInfo } from "../user-info.ts";

/** Recognizes the API server when it passes requests on to an extension server, for an APIService. */
export interface FrontProxy {
  /** Options of the extension server: it asks its clients for a certificate. */
  readonly tls: { readonly ca: string; readonly requestCert: true; readonly rejectUnauthorized: false };
  /**
   * Returns the user of a request, whom the API server has authenticated and authorized; `undefined` if the request
   * does not come from the API server, and must be refused.
   */
  userOf(request: IncomingMessage): UserInfo | undefined;
}

const ConfigMap = defineKind<KubeObject & { data?: Record<string, string> }>({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
});

/**
 * Reads how the API server authenticates itself: the ConfigMap `extension-apiserver-authentication` of `kube-system`.
 *
 * @example
 * const { tls, userOf } = await loadFrontProxy(mgr.apiReader);
 * const server = createServer({ cert, key, ...tls }, (request, response) => {
 *   response.writeHead(userOf(request) ? 200 : 401).end();
 * });
 */
export async function loadFrontProxy(reader: Reader): Promise<FrontProxy> {
  const key = { namespace: "kube-system", name: "extension-apiserver-authentication" };
  const { data = {} } = await reader.get(ConfigMap, key);
  const ca = data["requestheader-client-ca-file"];
  if (!ca) throw new TsopError("TSOP_FRONT_PROXY_MISSING", {});
  const listOf = (name: string): string[] => JSON.parse(data[`requestheader-${name}`] ?? "[]") as string[];
  const allowedNames = listOf("allowed-names");
  const names: HeaderNames = {
    user: listOf("username-headers"),
    uid: listOf("uid-headers"),
    groups: listOf("group-headers"),
    extra: listOf("extra-headers-prefix"),
  };
  const isAllowed = (socket: TLSSocket): boolean =>
    socket.authorized &&
    (allowedNames.length === 0 || allowedNames.includes(String(socket.getPeerCertificate().subject.CN)));
  return {
    tls: { ca, requestCert: true, rejectUnauthorized: false },
    userOf: (request) =>
      isAllowed(request.socket as TLSSocket) ? userFrom(request.headersDistinct, names) : undefined,
  };
}

type Headers = IncomingMessage["headersDistinct"];

/** The names of the headers; for `extra`, their prefixes. */
type HeaderNames = Readonly<Record<"user" | "uid" | "groups" | "extra", readonly string[]>>;

function userFrom(headers: Headers, names: HeaderNames): UserInfo | undefined {
  const valuesOf = (list: readonly string[]): string[] =>
    list.flatMap((name) => (headers[name.toLowerCase()] ?? []).map(decodeHeader));
  const [username] = valuesOf(names.user);
  if (!username) return undefined;
  const [uid] = valuesOf(names.uid);
  const extra = Object.fromEntries(
    names.extra.flatMap((prefix) =>
      Object.entries(headers).flatMap(([name, values = []]) =>
        name.startsWith(prefix.toLowerCase()) ? [[unescape(name.slice(prefix.length)), values.map(decodeHeader)]] : [],
      ),
    ),
  ) as Record<string, string[]>;
  return { username, ...(uid && { uid }), groups: valuesOf(names.groups), extra };
}

function unescape(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key; // as Go does
  }
}
