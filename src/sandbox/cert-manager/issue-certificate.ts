import { createPublicKey, generateKeyPair, type KeyObject, type X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import { distinguishedName } from "../../apimachinery/certificates/distinguished-name.ts";
import { signCertificate, type AlternativeName } from "../../apimachinery/certificates/sign-certificate.ts";
import type { CertificateSpec } from "./cert-manager-kinds.ts";
import { lifetimeOf } from "./certificate-times.ts";
import { usagesOf } from "./certificate-usages.ts";
import type { Authority } from "./issuer-verdict.ts";
import { signerOf } from "./key-pair.ts";

/** The data of the Secret of a certificate, as PEM texts. */
export interface Issued {
  readonly "ca.crt": string;
  readonly "tls.crt": string;
  readonly "tls.key": string;
}

interface Keys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Makes a key, unless `known` is to be kept, and has a certificate for it signed. */
export async function issueCertificate(
  spec: CertificateSpec,
  authority: Authority,
  { now, known }: { readonly now: number; readonly known: KeyObject | undefined },
): Promise<Issued> {
  const keys = known ? { privateKey: known, publicKey: createPublicKey(known) } : await makeKeys(spec);
  const subject = distinguishedName(spec.commonName ?? "");
  const signer = authority === "self" ? { name: subject, ...keys } : signerOf(authority)!;
  const notBefore = Math.floor(now / 1000) * 1000;
  const cert = signCertificate(
    {
      subject,
      publicKey: keys.publicKey,
      notBefore,
      notAfter: notBefore + lifetimeOf(spec),
      isCa: spec.isCA ?? false,
      names: namesOf(spec),
      ...usagesOf(spec),
    },
    signer,
  );
  const key = formatKey(keys.privateKey, spec);
  if (authority === "self") return { "ca.crt": cert, "tls.crt": cert, "tls.key": key };
  // Clients know the root, so that the chain ends before it.
  const root = authority.chain.at(-1)!;
  const chain = authority.chain.filter((each) => !isRoot(each)).map(formatCertificate);
  return { "ca.crt": formatCertificate(root), "tls.crt": [cert, ...chain].join(""), "tls.key": key };
}

/** Returns the names that a certificate is for, in addition to its common name. */
export function namesOf(spec: CertificateSpec): AlternativeName[] {
  const { dnsNames = [], ipAddresses = [], uris = [], emailAddresses = [] } = spec;
  const all = { dns: dnsNames, ip: ipAddresses, uri: uris, email: emailAddresses };
  const types = ["dns", "ip", "uri", "email"] as const;
  return types.flatMap((type) => all[type].map((value) => ({ type, value })));
}

const curves: Readonly<Record<number, string>> = { 256: "prime256v1", 384: "secp384r1", 521: "secp521r1" };

async function makeKeys({ privateKey: { algorithm = "RSA", size } = {} }: CertificateSpec): Promise<Keys> {
  if (algorithm === "Ed25519") return promisify(generateKeyPair)("ed25519");
  if (algorithm === "RSA") return promisify(generateKeyPair)("rsa", { modulusLength: size ?? 2048 });
  return promisify(generateKeyPair)("ec", { namedCurve: curves[size ?? 256] ?? `of ${size} bits` });
}

/** Reports whether a key is of the kind that the spec asks for. */
export function isKeyOf(key: KeyObject, { privateKey: { algorithm = "RSA", size } = {} }: CertificateSpec): boolean {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (algorithm === "RSA") return key.asymmetricKeyType === "rsa" && modulusLength === (size ?? 2048);
  if (algorithm === "ECDSA") return key.asymmetricKeyType === "ec" && namedCurve === curves[size ?? 256];
  return key.asymmetricKeyType === "ed25519";
}

function formatKey(key: KeyObject, { privateKey: { encoding = "PKCS1" } = {} }: CertificateSpec): string {
  const kind = key.asymmetricKeyType;
  const type =
    encoding === "PKCS1" && kind === "rsa" ? "pkcs1" : encoding === "PKCS1" && kind === "ec" ? "sec1" : "pkcs8";
  return key.export({ type, format: "pem" }).toString();
}

function isRoot(certificate: X509Certificate): boolean {
  return certificate.checkIssued(certificate);
}

function formatCertificate(certificate: X509Certificate): string {
  return certificate.toString();
}
