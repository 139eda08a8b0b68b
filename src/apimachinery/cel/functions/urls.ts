import { isIPv6 } from "node:net";
import { CelError } from "../values/issue.ts";
import type { Run } from "../values/overload.ts";
import { CelLiteralMap, CelOpaque } from "../values/values.ts";

const type = "kubernetes.URL";

interface ParsedUrl {
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
  readonly query: string;
}

/** Kubernetes' URL library: absolute URLs and absolute paths. */
export const urlFunctions: Readonly<Record<string, Run>> = {
  [`url(string): ${type}`]: (text: string) => {
    const parsed = parseUrl(text);
    if (typeof parsed === "string")
      throw new CelError(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${parsed}`);
    return new CelOpaque(type, text, parsed);
  },
  "isURL(string): bool": (text: string) => typeof parseUrl(text) !== "string",
  [`${type} -> getScheme(): string`]: (url: CelOpaque) => contentOf(url).scheme,
  [`${type} -> getHost(): string`]: (url: CelOpaque) => contentOf(url).host,
  [`${type} -> getHostname(): string`]: (url: CelOpaque) => contentOf(url).hostname,
  [`${type} -> getPort(): string`]: (url: CelOpaque) => contentOf(url).port,
  [`${type} -> getEscapedPath(): string`]: (url: CelOpaque) => contentOf(url).path,
  [`${type} -> getQuery(): map<string, list<string>>`]: (url: CelOpaque) => queryOf(contentOf(url).query),
};

/** Parses as Go does: an absolute URL or an absolute path. Returns the error otherwise. */
function parseUrl(text: string): ParsedUrl | string {
  // oxlint-disable-next-line no-control-regex -- a URL must not hold control characters
  if (/[\x00-\x1f\x7f]/.test(text)) return "net/url: invalid control character in URL";
  if (text === "") return "empty url";
  if (text.startsWith(":")) return "missing protocol scheme";
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase() ?? "";
  const [rest, query] = splitOnce(scheme ? text.slice(scheme.length + 1) : text, "?");
  const nowhere = { scheme, host: "", hostname: "", port: "", path: "", query };
  if (rest === "*" && !scheme) return { ...nowhere, path: "*" };
  if (!rest.startsWith("/")) return scheme ? nowhere : "invalid URI for request";
  const hasAuthority = rest.startsWith("//") && (scheme !== "" || !rest.startsWith("///"));
  const end = hasAuthority ? `${rest}/`.indexOf("/", 2) : 0;
  const authority = hasAuthority ? rest.slice(2, end) : "";
  const path = rest.slice(end);
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1);
  const problem = userProblem(authority.slice(0, Math.max(at, 0))) ?? hostProblem(host) ?? escapeProblem(path);
  if (problem !== undefined) return problem;
  const [, hostname = "", port = ""] = /^(.*?)(?::(\d*))?$/.exec(host) ?? [];
  return {
    ...nowhere,
    host: decodeHost(host),
    hostname: decodeHost(hostname).replace(/^\[|\]$/g, ""),
    port,
    path: escapePath(path),
  };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function userProblem(user: string): string | undefined {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return "net/url: invalid userinfo";
  return escapeProblem(user);
}

function hostProblem(host: string): string | undefined {
  const isLiteral = host.startsWith("[");
  const close = host.lastIndexOf("]");
  if (isLiteral && close < 0) return "missing ']' in host";
  const colon = host.indexOf(":");
  const port = isLiteral ? host.slice(close + 1) : colon < 0 ? "" : host.slice(colon);
  const address = host.slice(1, close).split("%25")[0] ?? "";
  if (isLiteral && !isIPv6(address)) return `invalid host: ParseAddr(${JSON.stringify(address)}): unable to parse IP`;
  if (!/^(:\d*)?$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  const escaped = /%(?!25)[0-7]?[0-9a-fA-F]?|%(?![0-9a-fA-F]{2}).{0,2}/.exec(host)?.[0];
  if (escaped !== undefined) return `invalid URL escape ${JSON.stringify(host.substr(host.indexOf(escaped), 3))}`;
  const wrong = /[ \\^`{|}#]/.exec(host)?.[0];
  return wrong === undefined ? undefined : `invalid character ${JSON.stringify(wrong)} in host name`;
}

function escapeProblem(text: string): string | undefined {
  const at = text.search(/%(?![0-9a-fA-F]{2})/);
  return at < 0 ? undefined : `invalid URL escape ${JSON.stringify(text.slice(at, at + 3))}`;
}

function decodeHost(host: string): string {
  return host.replaceAll("%25", "%");
}

/** Returns a path without its fragment, as it is written; if it is not escaped as it should be, it gets one form. */
function escapePath(text: string): string {
  const [path] = splitOnce(text, "#");
  if (/^[A-Za-z0-9\-._~!$&'()*+,;=:@[\]%/]*$/.test(path)) return path;
  return encodeURI(decodeURIComponent(path)).replace(/[?#]/g, encodeURIComponent);
}

function contentOf(url: CelOpaque): ParsedUrl {
  return url.content as ParsedUrl;
}

function queryOf(query: string): CelLiteralMap {
  const params = new URLSearchParams(query);
  const map = new CelLiteralMap();
  for (const name of new Set(params.keys())) map.add(name, params.getAll(name));
  return map;
}
