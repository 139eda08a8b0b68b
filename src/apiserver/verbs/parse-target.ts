/** What a URL under `/api` and `/apis` names. */
export interface RequestTarget {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** `/api/v1/watch/…`, from before `?watch=true`. */
  readonly watchPath: boolean;
}

/** What follows is the path of another server, and may have empty parts. */
const behindProxy = /(\/(?:nodes|pods|services)\/[^/]+\/proxy)\/.*$/;

/** Reads a path like `/apis/apps/v1/namespaces/a/deployments/b/scale`; `undefined` when it names no resource. */
export function parseTarget(path: string): RequestTarget | undefined {
  const own = path.includes("/proxy/") ? path.replace(behindProxy, "$1") : path;
  const [, root, ...rest] = own.includes("%") ? decodeAll(own) : own.split("/");
  if ((root !== "api" && root !== "apis") || rest.includes("")) return undefined;
  const group = root === "api" ? "" : rest.shift();
  const version = rest.shift();
  if (group === undefined || version === undefined || rest.length === 0) return undefined;
  const watchPath = rest[0] === "watch" && rest.length > 1;
  if (watchPath) rest.shift();
  return { group, version, ...resourceParts(rest), watchPath };
}

type ResourceParts = Pick<RequestTarget, "plural" | "namespace" | "name" | "subresource">;

function resourceParts(parts: readonly string[]): ResourceParts {
  const [first = "", second, third, ...more] = parts;
  // `namespaces/a/status` and `/finalize` are the namespace's own subresources, anything else is a resource in it.
  const inNamespace = first === "namespaces" && third !== undefined && third !== "status" && third !== "finalize";
  if (inNamespace) return { namespace: second ?? "", ...named(third, more) };
  return named(
    first,
    [second, third, ...more].filter((part) => part !== undefined),
  );
}

function named(plural: string, [name, ...subresource]: readonly string[]): ResourceParts {
  if (name === undefined) return { plural };
  return subresource.length ? { plural, name, subresource: subresource.join("/") } : { plural, name };
}

function decodeAll(path: string): string[] {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return []; // a broken escape names nothing, as any other unknown path
  }
}
