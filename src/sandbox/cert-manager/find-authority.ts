import type { Client } from "../../client/client.ts";
import { certManagerGroup, ClusterIssuerKind, IssuerKind, type Certificate } from "./cert-manager-kinds.ts";
import { issuerOf } from "./certificate-secret.ts";
import { judgeIssuer, type Authority } from "./issuer-verdict.ts";

/** Finds what signs a certificate, or why nothing does. */
export async function findAuthority(
  client: Client,
  { metadata, spec }: Certificate,
): Promise<{ readonly authority: Authority } | { readonly problem: string }> {
  const { name, kind, group } = issuerOf(spec);
  const issuerKind = [IssuerKind, ClusterIssuerKind].find((each) => each.kind === kind);
  if (group !== certManagerGroup || !issuerKind) return { problem: `no ${kind} of the group ${group} is simulated` };
  const namespace = issuerKind === IssuerKind ? metadata.namespace : undefined;
  const issuer = await client.getOrUndefined(issuerKind, { namespace, name });
  if (!issuer) {
    const resource = `${kind.toLowerCase()}.${group} "${name}"`;
    return { problem: `Referenced "${kind}" not found: ${resource} not found` };
  }
  const { authority, message } = await judgeIssuer(client, issuer);
  return authority ? { authority } : { problem: `Referenced "${kind}" is not ready: ${message}` };
}
