import { messageOf } from "../../errors/message-of.ts";
import type { Client } from "../../client/client.ts";
import { SecretKind } from "../simulation/context/simulated-kinds.ts";
import { certManagerNamespace, type Issuer } from "./cert-manager-kinds.ts";
import { readKeyPair, signerOf, type KeyPair } from "./key-pair.ts";

/** What an issuer signs with: the key of the certificate itself, or the key of an authority. */
export type Authority = "self" | KeyPair;

/** The condition of an issuer, and what it signs with if it is ready. */
export interface IssuerVerdict {
  readonly reason: string;
  readonly message: string;
  readonly authority?: Authority;
}

/** Decides whether an issuer can sign certificates. Those that ask a server are not simulated. */
export async function judgeIssuer(client: Client, { metadata, spec }: Issuer): Promise<IssuerVerdict> {
  if (spec.selfSigned) return { reason: "IsReady", message: "", authority: "self" };
  if (!spec.ca) {
    const type = Object.keys(spec)[0];
    const asked = type === undefined ? "this issuer names no type" : `${type} needs a server outside of the sandbox`;
    return { reason: "NotSimulated", message: `The sandbox plays issuers of the types selfSigned and ca: ${asked}` };
  }
  const { namespace = certManagerNamespace } = metadata;
  const name = spec.ca.secretName;
  const secret = await client.getOrUndefined(SecretKind, { namespace, name });
  if (!secret) {
    const message = `Error getting keypair for CA issuer: secrets "${name}" not found in namespace ${namespace}`;
    return { reason: "ErrGetKeyPair", message };
  }
  try {
    const pair = readKeyPair(secret);
    if (signerOf(pair)) return { reason: "KeyPairVerified", message: "Signing CA verified", authority: pair };
    return { reason: "ErrInvalidKeyPair", message: "Error getting keypair for CA issuer: certificate is not a CA" };
  } catch (error) {
    return { reason: "ErrInvalidKeyPair", message: `Error getting keypair for CA issuer: ${messageOf(error)}` };
  }
}
