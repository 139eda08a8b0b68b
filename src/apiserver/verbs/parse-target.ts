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
  const parts = path.replace(behindProxy, "$1").split("/").slice(1).map(decode);
  if (parts.some((part) => part === undefined || part === "")) return undefined;
  const [root, ...rest] = parts as string[];
  if (root !== "api" && root !== "apis") return undefined;
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

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined; // a broken escape names nothing, as any other unknown path
  }
}
