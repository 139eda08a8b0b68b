/** What a URL under `/api` and `/apis` names. */
export interface RequestTarget {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** `/api/v1/watch/…`, from before `?watch=true`. */
  readonly watchPath: boolean;
}

/** What follows is the path of another server, and may have empty parts. */
const behindProxy = /(\/(?:nodes|pods|services)\/[^/]+\/proxy)\/.*$/;

/** Reads a path like `/apis/apps/v1/namespaces/a/deployments/b/scale`; `undefined` when it names no resource. */
export function parseTarget(path: string): RequestTarget | undefined {
  const decoded = path.includes("%") ? decode(path) : path;
  const whole = decoded.endsWith("/") ? decoded.replace(/\/+$/, "") : decoded;
  const own = whole.includes("/proxy/") ? whole.replace(behindProxy, "$1") : whole;
  const parts = own.split("/");
  const root = parts[1];
  if ((root !== "api" && root !== "apis") || parts.includes("", 1)) return undefined;
  let at = 2;
  const group = root === "api" ? "" : parts[at++];
  const version = parts[at++];
  if (group === undefined || version === undefined || at >= parts.length) return undefined;
  const watchPath = parts[at] === "watch" && at + 1 < parts.length;
  if (watchPath) at++;
  return { group, version, ...resourceParts(parts, at), watchPath };
}

type ResourceParts = Pick<RequestTarget, "plural" | "namespace" | "name" | "subresource">;

function resourceParts(parts: readonly string[], at: number): ResourceParts {
  const third = parts[at + 2];
  // `namespaces/a/status` and `/finalize` are the namespace's own subresources, anything else is a resource in it.
  const inNamespace = parts[at] === "namespaces" && third !== undefined && third !== "status" && third !== "finalize";
  const start = inNamespace ? at + 2 : at;
  return {
    namespace: inNamespace ? parts[at + 1] : undefined,
    plural: parts[start] ?? "",
    name: parts[start + 1],
    subresource: parts.length > start + 2 ? parts.slice(start + 2).join("/") : undefined,
  };
}

/** A slash counts as one however it is written. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return ""; // a broken escape names nothing, as any other unknown path
  }
}
