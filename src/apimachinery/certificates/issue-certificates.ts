import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from "node:crypto";
import { isIPv4 } from "node:net";
import { bits, boolean, element, integer, octets, oid, sequence, set, tagged, utcTime, utf8 } from "./der.ts";

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

interface Subject {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly validFor: number;
}

interface Issuer {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const ids = {
  commonName: "2.5.4.3",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  basicConstraints: "2.5.29.19",
  keyUsage: "2.5.29.15",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  subjectAltName: "2.5.29.17",
  subjectKeyId: "2.5.29.14",
  authorityKeyId: "2.5.29.35",
} as const;

const yearMs = 365 * 24 * 3600_000;
const authorityName = "tsop-ca";

/** Creates an authority and issues a certificate for the given host names and IPv4 addresses. */
export function issueCertificates(hosts: readonly string[], now: number): ServerCertificates {
  const ca = createAuthority(now);
  return { ca: ca.cert, server: issueServerCertificate(ca, hosts, now) };
}

/** Creates an authority, which issues certificates for some years. */
export function createAuthority(now: number, years = 1): Certificate {
  const ca: Issuer = { name: authorityName, ...newKeys() };
  const { name, publicKey } = ca;
  const cert = certificate({ name, publicKey, extensions: caExtensions(ca), validFor: years * yearMs }, ca, now);
  return { cert, key: pemOf(ca.privateKey) };
}

/** Issues a certificate for host names and IPv4 addresses, valid for a year. */
export function issueServerCertificate(authority: Certificate, hosts: readonly string[], now: number): Certificate {
  const names = extension(ids.subjectAltName, sequence(...hosts.map(alternativeName)));
  return issueCertificate(authority, { name: "tsop-server", usage: ids.serverAuth, names: [names] }, now);
}

/** Issues a certificate for a client of this name, valid for a year. */
export function issueClientCertificate(authority: Certificate, name: string, now: number): Certificate {
  return issueCertificate(authority, { name, usage: ids.clientAuth, names: [] }, now);
}

interface Holder {
  readonly name: string;
  readonly usage: string;
  readonly names: readonly Buffer[];
}

function issueCertificate({ key }: Certificate, { name, usage, names }: Holder, now: number): Certificate {
  const issuerKey = createPrivateKey(key);
  const ca: Issuer = { name: authorityName, privateKey: issuerKey, publicKey: createPublicKey(issuerKey) };
  const { publicKey, privateKey } = newKeys();
  const extensions = [...leafExtensions(publicKey, ca, usage), ...names];
  const cert = certificate({ name, publicKey, extensions, validFor: yearMs }, ca, now);
  return { cert, key: pemOf(privateKey) };
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "prime256v1" });
}

function certificate(subject: Subject, issuer: Issuer, now: number): string {
  const algorithm = sequence(oid(ids.ecdsaWithSha256));
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    distinguishedName(issuer.name),
    // An hour in the past, for clients whose clock is slow.
    sequence(utcTime(new Date(now - 3600_000)), utcTime(new Date(now + subject.validFor))),
    distinguishedName(subject.name),
    subject.publicKey.export({ type: "spki", format: "der" }),
    tagged(3, sequence(...subject.extensions)),
  );
  const signature = sign("sha256", body, issuer.privateKey);
  return pem(sequence(body, algorithm, bits(signature)));
}

function distinguishedName(commonName: string): Buffer {
  return sequence(set(sequence(oid(ids.commonName), utf8(commonName))));
}

function caExtensions(ca: Issuer): Buffer[] {
  return [
    extension(ids.basicConstraints, sequence(boolean(true)), true),
    extension(ids.keyUsage, bits(Buffer.from([0x06]), 1), true), // keyCertSign, cRLSign
    extension(ids.subjectKeyId, octets(keyId(ca.publicKey))),
  ];
}

function leafExtensions(publicKey: KeyObject, ca: Issuer, usage: string): Buffer[] {
  return [
    extension(ids.basicConstraints, sequence(), true),
    extension(ids.keyUsage, bits(Buffer.from([0x80]), 7), true), // digitalSignature
    extension(ids.extendedKeyUsage, sequence(oid(usage))),
    extension(ids.subjectKeyId, octets(keyId(publicKey))),
    extension(ids.authorityKeyId, sequence(element(0x80, keyId(ca.publicKey)))),
  ];
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return critical ? sequence(oid(id), boolean(true), octets(value)) : sequence(oid(id), octets(value));
}

function alternativeName(host: string): Buffer {
  return isIPv4(host) ? element(0x87, Buffer.from(host.split(".").map(Number))) : element(0x82, Buffer.from(host));
}

function keyId(key: KeyObject): Buffer {
  return createHash("sha1")
    .update(key.export({ type: "spki", format: "der" }))
    .digest();
}

function pem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
