import { TsopError } from "../../errors/tsop-error.ts";
import { discoverKinds } from "../../manifests/discover-kinds.ts";
import { installCrds } from "../../manifests/install-crds.ts";
import { routeConversion } from "../../sandbox/webhooks/route-webhooks.ts";
import type { WebhookEndpoint } from "../../sandbox/webhooks/webhook-endpoint.ts";
import type { Target } from "./choose-target.ts";
import type { ProjectManifests } from "./project-manifests.ts";

export interface ServerPreparation {
  readonly install: boolean;
  readonly webhooks: WebhookEndpoint | undefined;
  readonly signal: AbortSignal;
}

/** Puts the project's CRDs on the server, and returns their names. On a cluster that needs `install`, or they must be there. */
export async function prepareServer(
  target: Target,
  { crds }: ProjectManifests,
  { install, webhooks, signal }: ServerPreparation,
): Promise<string[]> {
  const names = crds.map(({ metadata }) => metadata.name ?? "");
  if (target.embedded || install) {
    await installCrds(target.client, webhooks ? crds.map((crd) => routeConversion(crd, webhooks)) : crds, { signal });
    return names;
  }
  const served = new Set(
    (await discoverKinds(target.transport, signal)).map(({ kind }) => `${kind.plural}.${kind.group}`),
  );
  const missing = names.filter((name) => !served.has(name));
  if (missing.length > 0) throw new TsopError("TSOP_CRDS_NOT_INSTALLED", { crds: missing.join(", ") });
  return names;
}
