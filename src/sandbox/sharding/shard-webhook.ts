import { issueCertificates } from "../../apimachinery/certificates/issue-certificates.ts";
import { createJsonPatch } from "../../apimachinery/patch/json-patch.ts";
import { discardLogger } from "../../runtime/log/logger.ts";
import { startHttpServer } from "../../runtime/servers/http-server.ts";
import { admission, type AdmissionHandler } from "../../runtime/webhook/admission.ts";
import { standaloneWebhook } from "../../runtime/webhook/standalone-webhook.ts";
import type { Client } from "../../client/client.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { hashKeyOf, memberOf } from "./assignment.ts";
import { ControllerRing, shardLabel } from "../../runtime/sharding/controller-ring.ts";
import { shardsOf, type HashRings } from "./shards-of.ts";

/** The webhook that assigns objects, and how the API server reaches it. */
export interface ShardWebhook {
  readonly urlOf: (ring: string) => string;
  /** The CA as PEM text in base64. */
  readonly caBundle: string;
  close(): Promise<void>;
}

const pathPrefix = "/webhooks/sharder/controllerring/";

/** Serves the webhook on a free port of loopback. */
export async function serveShardWebhook(
  { clock }: SimulationContext,
  client: Client,
  rings: HashRings,
): Promise<ShardWebhook> {
  const host = "127.0.0.1";
  const { ca, server } = issueCertificates([host], Date.now());
  const running = await startHttpServer({
    what: "sharder's webhook",
    flag: "",
    address: `${host}:0`,
    tls: server,
    handler: standaloneWebhook(assign({ clock, client, rings }), discardLogger),
    drainMs: 1_000,
  });
  return {
    urlOf: (ring) => `https://${host}:${running.port}${pathPrefix}${ring}`,
    caBundle: Buffer.from(ca).toString("base64"),
    close: () => running.close(),
  };
}

/** Assigns an object without shard to the shard of its key. */
function assign({
  clock,
  client,
  rings,
}: Pick<SimulationContext, "clock"> & { client: Client; rings: HashRings }): AdmissionHandler {
  return async ({ object, resource, kind }, { httpRequest }) => {
    const name = (httpRequest?.url ?? "").split("?")[0]!.slice(pathPrefix.length);
    const ring = await client.get(ControllerRing, { name });
    const label = shardLabel(name);
    if (!object || object.metadata.labels?.[label]) return admission.allowed("object is already assigned");
    const member = memberOf(ring, resource);
    if (!member) return admission.errored(400, `the ring ${name} does not contain ${resource.resource}`);
    const key = hashKeyOf(member, kind, object);
    if (key === undefined && !member.isControlled) {
      return admission.errored(400, "generateName is not supported for main resources of a ring");
    }
    if (key === undefined) return admission.allowed("object should not be assigned");
    const shard = rings.of(name, await shardsOf(client, name, clock.now())).shardOf(key);
    if (!shard) return admission.allowed("there is no available shard");
    const labels = { ...object.metadata.labels, [label]: shard };
    const assigned = { ...object, metadata: { ...object.metadata, labels } };
    return admission.patched("assigning object", createJsonPatch(object, assigned));
  };
}
