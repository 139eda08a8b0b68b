import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { distinguishedName } from "./distinguished-name.ts";
import { clientAuth, hostName, serverAuth, signCertificate, type AlternativeName } from "./sign-certificate.ts";

export interface Certificate {
  /** The certificate and its key, as PEM texts. */
  readonly cert: string;
  readonly key: string;
}

export interface ServerCertificates {
  /** The authority's certificate, which clients must trust. */
  readonly ca: string;
  readonly server: Certificate;
}

const hourMs = 3600_000;
const yearMs = 365 * 24 * hourMs;
const authorityName = distinguishedName("tsop-ca");

/** Creates an authority and issues a certificate for the given host names and IP addresses. */
export function issueCertificates(hosts: readonly string[], now: number): ServerCertificates {
  const ca = createAuthority(now);
  return { ca: ca.cert, server: issueServerCertificate(ca, hosts, now) };
}

/** Creates an authority, which issues certificates for some years. */
export function createAuthority(now: number, years = 1): Certificate {
  const keys = newKeys();
  const content = { subject: authorityName, publicKey: keys.publicKey, ...validity(now, years * yearMs) };
  const cert = signCertificate(
    { ...content, isCa: true, keyUsages: ["keyCertSign", "cRLSign"] },
    { name: authorityName, ...keys },
  );
  return { cert, key: pemOf(keys.privateKey) };
}

/** Issues a certificate for host names and IP addresses, valid for a year. */
export function issueServerCertificate(authority: Certificate, hosts: readonly string[], now: number): Certificate {
  return issueCertificate(authority, { name: "tsop-server", usage: serverAuth, names: hosts.map(hostName) }, now);
}

/** Issues a certificate for a client of this name, valid for a year. */
export function issueClientCertificate(authority: Certificate, name: string, now: number): Certificate {
  return issueCertificate(authority, { name, usage: clientAuth, names: [] }, now);
}

interface Holder {
  readonly name: string;
  readonly usage: string;
  readonly names: readonly AlternativeName[];
}

function issueCertificate({ key }: Certificate, { name, usage, names }: Holder, now: number): Certificate {
  const issuerKey = createPrivateKey(key);
  const signer = { name: authorityName, privateKey: issuerKey, publicKey: createPublicKey(issuerKey) };
  const { publicKey, privateKey } = newKeys();
  const content = { subject: distinguishedName(name), publicKey, names, ...validity(now, yearMs) };
  const usages = { keyUsages: ["digitalSignature"], extendedUsages: [usage] } as const;
  return { cert: signCertificate({ ...content, ...usages }, signer), key: pemOf(privateKey) };
}

/** Returns the validity from an hour in the past, for clients whose clock is slow. */
function validity(now: number, ms: number): { notBefore: number; notAfter: number } {
  return { notBefore: now - hourMs, notAfter: now + ms };
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "prime256v1" });
}
