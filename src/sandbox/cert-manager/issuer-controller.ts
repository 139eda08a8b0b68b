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
import { messageOf } from "../../errors/message-of.ts";
import type { Client } from "../../client/client.ts";
import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from "node:crypto";
import { subjectOf } from "../../apimachinery/certificates/distinguished-name.ts";
import type { Signer } from "../../apimachinery/certificates/sign-certificate.ts";
import type { Secret } from "../../k8s/core/v1.ts";

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

/** What an issuer signs with: the key of the certificate itself, or the key of an authority. */
export type Authority = "self" | KeyPair;

/** The condition of an issuer, and what it signs with if it is ready. */
interface IssuerVerdict {
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

/** The certificates and the key of a Secret of type kubernetes.io/tls. */
export interface KeyPair {
  /** The certificate, then those that lead from it to its root. */
  readonly chain: readonly [X509Certificate, ...X509Certificate[]];
  readonly key: KeyObject;
}

/** Reads the key pair of a Secret; throws an Error that says what is wrong with it. */
export function readKeyPair({ data = {} }: Secret): KeyPair {
  const text = (key: string): string => Buffer.from(data[key] ?? "", "base64").toString();
  const blocks = text("tls.crt").match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  const [first, ...others] = blocks.map((block) => new X509Certificate(block));
  if (!first) throw new Error("tls.crt has no certificate");
  const key = createPrivateKey(text("tls.key"));
  if (!first.checkPrivateKey(key)) throw new Error("tls.key does not belong to the certificate in tls.crt");
  return { chain: [first, ...others], key };
}

/** Returns the signer of a key pair, if its certificate belongs to an authority. */
export function signerOf({ chain: [certificate], key }: KeyPair): Signer | undefined {
  if (!certificate.ca) return undefined;
  return { name: subjectOf(certificate.raw), publicKey: createPublicKey(key), privateKey: key };
}
