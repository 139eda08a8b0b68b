import { TsopError } from "../../errors/tsop-error.ts";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import type { Client } from "../../client/client.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { installCrds } from "../../client/manifests/install-crds.ts";
import { routeConversion } from "../../sandbox/webhooks/route-webhooks.ts";
import type { WebhookEndpoint } from "../../sandbox/webhooks/webhook-endpoint.ts";
import type { Target } from "./choose-target.ts";
import type { ProjectManifests } from "./project-manifests.ts";

export interface ServerPreparation {
  readonly install: boolean;
  /** The CRDs of other projects, for the embedded server. */
  readonly foreign: readonly UnstructuredObject[];
  readonly webhooks: WebhookEndpoint | undefined;
  readonly signal: AbortSignal;
}

/** Installs CRDs and returns their names. On a cluster without `install`, they must already be served. */
export async function prepareServer(
  target: Target,
  { crds }: ProjectManifests,
  { install, foreign, webhooks, signal }: ServerPreparation,
): Promise<string[]> {
  const names = [...crds, ...foreign].map(({ metadata }) => metadata.name ?? "");
  if (target.embedded || install) {
    const own = webhooks ? crds.map((crd) => routeConversion(crd, webhooks)) : crds;
    await installCrds(target.client, [...own, ...foreign], { signal });
    return names;
  }
  const served = await Promise.all(crds.map((crd) => isServed(target.client, crd, signal)));
  const missing = names.filter((_, index) => !served[index]);
  if (missing.length > 0) throw new TsopError("TSOP_CRDS_NOT_INSTALLED", { crds: missing.join(", ") });
  return names;
}

async function isServed(client: Client, { spec }: UnstructuredObject, signal: AbortSignal): Promise<boolean> {
  const { group, names } = spec as { group: string; names: { kind: string } };
  try {
    await client.preferredKindFor(group, names.kind, { signal });
    return true;
  } catch (error) {
    if (isKindNotServed(error)) return false;
    throw error;
  }
}
