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

const pattern =
  /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d*))?)?(\/[^?#]*)?(?:\?(.*))?$/;

/** Kubernetes' URL library: absolute URLs and absolute paths. */
export const urlFunctions: Readonly<Record<string, Run>> = {
  [`url(string): ${type}`]: (text: string) => {
    const parsed = parseUrl(text);
    if (!parsed)
      throw new CelError(
        `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
      );
    return new CelOpaque(type, text, parsed);
  },
  "isURL(string): bool": (text: string) => parseUrl(text) !== undefined,
  [`${type} -> getScheme(): string`]: (url: CelOpaque) => contentOf(url).scheme,
  [`${type} -> getHost(): string`]: (url: CelOpaque) => contentOf(url).host,
  [`${type} -> getHostname(): string`]: (url: CelOpaque) => contentOf(url).hostname,
  [`${type} -> getPort(): string`]: (url: CelOpaque) => contentOf(url).port,
  [`${type} -> getEscapedPath(): string`]: (url: CelOpaque) => contentOf(url).path,
  [`${type} -> getQuery(): map<string, list<string>>`]: (url: CelOpaque) => queryOf(contentOf(url).query),
};

function parseUrl(text: string): ParsedUrl | undefined {
  const match = pattern.exec(text);
  // oxlint-disable-next-line no-control-regex -- a URL must not hold control characters
  if (!match || /[\x00-\x1f\x7f]/.test(text) || !(text.startsWith("/") || match[1])) return undefined;
  const [, scheme = "", , host = "", port, path = "", query = ""] = match;
  if (/%(?![0-9a-fA-F]{2})/.test(path) || / /.test(host)) return undefined;
  return {
    scheme: scheme.toLowerCase(),
    host: port === undefined ? host : `${host}:${port}`,
    hostname: host.replace(/^\[|\]$/g, ""),
    port: port ?? "",
    path: escapePath(path),
    query,
  };
}

/** Decodes and encodes a path, so that it has one form. */
function escapePath(path: string): string {
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
