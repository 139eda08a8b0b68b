import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from "node:crypto";
import { subjectOf } from "../../apimachinery/certificates/distinguished-name.ts";
import type { Signer } from "../../apimachinery/certificates/sign-certificate.ts";
import type { Secret } from "../../k8s/core/v1.ts";

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
