import type { ApiError } from "../../apimachinery/status.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** Returns the error for a request that the user's API server has refused. */
export function serverRefusal(cause: ApiError): TsopError {
  return new TsopError("TSOP_SERVER_REFUSED", { reason: cause.message, hint: hintFor(cause) }, { cause });
}

function hintFor({ code, message, status: { details } }: ApiError): string {
  if (code === 401) return "log in again: the cluster does not know the user of the kubeconfig";
  // Quotas, Pod Security and others refuse with 403, too, whoever the user is.
  if (code === 403 && message.includes(" cannot "))
    return "choose a user who has this right by --context NAME, or ask the cluster's administrator for it";
  if (code === 404 && details?.kind === "namespaces") return `create it: kubectl create namespace ${details.name}`;
  if (code === 429 || code >= 500) return "try again; if the error persists, look at the server: kubectl cluster-info";
  return "the message names the object and the reason: change the object, and repeat the command";
}
