import { cloneJson } from "../../apimachinery/clone.ts";
import { setCondition } from "../../apimachinery/conditions.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import { enqueueAll, runController, watch } from "../simulation/context/run-controller.ts";
import { SecretKind } from "../simulation/context/simulated-kinds.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import {
  certManagerNamespace,
  certManagerUser,
  ClusterIssuerKind,
  IssuerKind,
  type Issuer,
} from "./cert-manager-kinds.ts";
import { judgeIssuer } from "./issuer-verdict.ts";

/** Sets the condition Ready of each issuer. */
export async function runIssuers(context: SimulationContext): Promise<void> {
  await Promise.all([runIssuersOf(context, IssuerKind), runIssuersOf(context, ClusterIssuerKind)]);
}

function runIssuersOf(context: SimulationContext, kind: Kind<Issuer>): Promise<void> {
  const client = context.clientFor(certManagerUser);
  const signsWith = enqueueAll(context, kind, ({ metadata, spec }, secret) => {
    const { namespace = certManagerNamespace } = metadata;
    return spec.ca?.secretName === secret.metadata.name && namespace === secret.metadata.namespace;
  });
  return runController(context, {
    sources: [watch(context, kind), watch(context, SecretKind, signsWith)],
    step: async (key) => {
      const issuer = await client.getOrUndefined(kind, key);
      if (!issuer || issuer.metadata.deletionTimestamp) return;
      const { reason, message, authority } = await judgeIssuer(client, issuer);
      const conditions = cloneJson(issuer.status?.conditions ?? []);
      const observedGeneration = issuer.metadata.generation ?? 1;
      const status = authority ? "True" : "False";
      const ready = { type: "Ready", status, reason, message, observedGeneration } as const;
      if (!setCondition(conditions, ready, () => new Date(context.clock.now()))) return;
      await client.status.update(kind, { ...issuer, status: { ...issuer.status, conditions } });
    },
  });
}
