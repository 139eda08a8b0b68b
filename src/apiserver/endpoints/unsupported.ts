import { ApiError, failure, type Status } from "../../apimachinery/status.ts";
import { notImplemented, qualified } from "../refusals.ts";
import { whyUnserved } from "../registry/builtin-rows.ts";
import type { RequestTarget } from "./parse-target.ts";

const notServed = "NotServed";

/** Subresources that lead into a running container or to where one listens. */
const connections = new Set(["attach", "ephemeralcontainers", "exec", "portforward", "proxy"]);
const connectable = new Set(["nodes", "pods", "services"]);

/** The refusal of what this server leaves out; `undefined` for everything else. */
export function refusalOfUnserved(target: RequestTarget): ApiError | undefined {
  const { group, plural, subresource = "" } = target;
  const [part = ""] = subresource.split("/");
  if (group === "" && connectable.has(plural) && connections.has(part))
    return notImplemented(`${plural}/${part} is not served: no containers run here`);
  const why = whyUnserved(target);
  if (why === undefined) return undefined;
  const message = `${qualified(target)} in ${target.version} are not served: ${why}`;
  return new ApiError(failure("NotFound", message, { causes: [{ reason: notServed, message: why }] }));
}

const paths = new Map([
  ["debug", "this is not a Go program"],
  ["metrics", "requests are not counted"],
]);

/** The refusal of what a real server tells about itself, and this one does not. */
export function refusalOfUnservedPath(path: string): ApiError | undefined {
  const why = paths.get(path.split("/")[1] ?? "");
  return why === undefined ? undefined : notImplemented(`${path} is not served: ${why}`);
}

/** Whether a refusal is due to what this server leaves out. */
export function isUnsupported({ reason, details }: Status): boolean {
  return reason === "NotImplemented" || details?.causes?.[0]?.reason === notServed;
}
