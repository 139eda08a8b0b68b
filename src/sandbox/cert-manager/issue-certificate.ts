import { createPublicKey, generateKeyPair, type KeyObject, type X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import { distinguishedName } from "../../apimachinery/certificates/distinguished-name.ts";
import {
  signCertificate,
  type AlternativeName,
  clientAuth,
  serverAuth,
  type KeyUsage,
} from "../../apimachinery/certificates/sign-certificate.ts";
import type { CertificateSpec } from "./cert-manager-kinds.ts";
import { type Authority, signerOf } from "./issuer-controller.ts";
import { durationToMs } from "../../apimachinery/duration.ts";

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

const usualDuration = "2160h";

/** Returns the time for which a certificate is valid, in milliseconds. */
export function lifetimeOf({ duration = usualDuration }: CertificateSpec): number {
  return durationToMs(duration);
}

/** Returns when a certificate is renewed: after two thirds of its lifetime, unless the spec says otherwise. */
export function renewalTimeOf(
  { renewBefore, renewBeforePercentage }: CertificateSpec,
  { notBefore, notAfter }: { readonly notBefore: number; readonly notAfter: number },
): number {
  const lifetime = notAfter - notBefore;
  const wanted =
    renewBefore !== undefined
      ? durationToMs(renewBefore)
      : renewBeforePercentage !== undefined
        ? (lifetime * renewBeforePercentage) / 100
        : lifetime / 3;
  const ahead = wanted > 0 && wanted < lifetime ? wanted : lifetime / 3;
  return Math.floor((notAfter - ahead) / 1000) * 1000;
}

/** The usages of a key, by the names that a Certificate gives them. */
const keyUsages: Readonly<Record<string, KeyUsage>> = {
  signing: "digitalSignature",
  "digital signature": "digitalSignature",
  "content commitment": "nonRepudiation",
  "key encipherment": "keyEncipherment",
  "key agreement": "keyAgreement",
  "data encipherment": "dataEncipherment",
  "cert sign": "keyCertSign",
  "crl sign": "cRLSign",
  "encipher only": "encipherOnly",
  "decipher only": "decipherOnly",
};

/** The purposes of a certificate, as object identifiers. */
const extendedUsages: Readonly<Record<string, string>> = {
  any: "2.5.29.37.0",
  "server auth": serverAuth,
  "client auth": clientAuth,
  "code signing": "1.3.6.1.5.5.7.3.3",
  "email protection": "1.3.6.1.5.5.7.3.4",
  "s/mime": "1.3.6.1.5.5.7.3.4",
  "ipsec end system": "1.3.6.1.5.5.7.3.5",
  "ipsec tunnel": "1.3.6.1.5.5.7.3.6",
  "ipsec user": "1.3.6.1.5.5.7.3.7",
  timestamping: "1.3.6.1.5.5.7.3.8",
  "ocsp signing": "1.3.6.1.5.5.7.3.9",
  "microsoft sgc": "1.3.6.1.4.1.311.10.3.3",
  "netscape sgc": "2.16.840.1.113730.4.1",
};

export const knownUsages: readonly string[] = [...Object.keys(keyUsages), ...Object.keys(extendedUsages)];

const usualUsages = ["digital signature", "key encipherment"];

/** Returns the usages of a Certificate. An authority may always sign certificates. */
export function usagesOf({ usages = usualUsages, isCA = false }: { usages?: readonly string[]; isCA?: boolean }): {
  keyUsages: KeyUsage[];
  extendedUsages: string[];
} {
  const named = isCA ? [...usages, "cert sign"] : usages;
  const found = <Value>(table: Readonly<Record<string, Value>>): Value[] => [
    ...new Set(named.flatMap((usage) => table[usage] ?? [])),
  ];
  return { keyUsages: found(keyUsages), extendedUsages: found(extendedUsages) };
}
