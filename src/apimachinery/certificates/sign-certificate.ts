import { createHash, randomBytes, sign, type KeyObject } from "node:crypto";
import { isIP, isIPv4 } from "node:net";
import { bits, boolean, element, integer, nothing, octets, oid, sequence, tagged, time } from "./der.ts";

/** The content of a certificate. */
export interface CertificateContent {
  /** The name of its holder, in DER. */
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly notBefore: number;
  readonly notAfter: number;
  /** True for an authority, which issues certificates. */
  readonly isCa?: boolean;
  readonly keyUsages: readonly KeyUsage[];
  /** Its purposes, as object identifiers. */
  readonly extendedUsages?: readonly string[];
  readonly names?: readonly AlternativeName[];
}

/** The authority that signs: its name in DER, and its keys. */
export interface Signer {
  readonly name: Buffer;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface AlternativeName {
  readonly type: "dns" | "ip" | "uri" | "email";
  readonly value: string;
}

/** The bits of a key usage, in their order. */
const keyUsageBits = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
  "decipherOnly",
] as const;
export type KeyUsage = (typeof keyUsageBits)[number];

/** The purposes of servers and clients. */
export const serverAuth = "1.3.6.1.5.5.7.3.1";
export const clientAuth = "1.3.6.1.5.5.7.3.2";

const ids = {
  basicConstraints: "2.5.29.19",
  keyUsage: "2.5.29.15",
  extendedKeyUsage: "2.5.29.37",
  subjectAltName: "2.5.29.17",
  subjectKeyId: "2.5.29.14",
  authorityKeyId: "2.5.29.35",
} as const;

/** Signs a certificate and returns it as PEM text. */
export function signCertificate(content: CertificateContent, signer: Signer): string {
  const { algorithm, digest } = algorithmOf(signer.privateKey);
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    signer.name,
    sequence(time(new Date(content.notBefore)), time(new Date(content.notAfter))),
    content.subject,
    content.publicKey.export({ type: "spki", format: "der" }),
    tagged(3, sequence(...extensionsOf(content, signer))),
  );
  return pem(sequence(body, algorithm, bits(sign(digest, body, signer.privateKey))));
}

/** Returns the algorithm of a key's signatures, and the digest that they are made of. */
function algorithmOf(key: KeyObject): { algorithm: Buffer; digest: string | null } {
  const type = key.asymmetricKeyType;
  if (type === "rsa") return { algorithm: sequence(oid("1.2.840.113549.1.1.11"), nothing()), digest: "sha256" };
  if (type === "ed25519") return { algorithm: sequence(oid("1.3.101.112")), digest: null };
  return { algorithm: sequence(oid("1.2.840.10045.4.3.2")), digest: "sha256" };
}

function extensionsOf(content: CertificateContent, signer: Signer): Buffer[] {
  const { isCa = false, keyUsages, extendedUsages = [], names = [], publicKey } = content;
  // The names must be understood if they are all that the certificate says of its holder.
  const isNameless = content.subject.equals(sequence());
  return [
    extension(ids.basicConstraints, sequence(...(isCa ? [boolean(true)] : [])), true),
    extension(ids.keyUsage, usageBits(keyUsages), true),
    ...(extendedUsages.length > 0 ? [extension(ids.extendedKeyUsage, sequence(...extendedUsages.map(oid)))] : []),
    extension(ids.subjectKeyId, octets(keyId(publicKey))),
    ...(publicKey.equals(signer.publicKey)
      ? []
      : [extension(ids.authorityKeyId, sequence(element(0x80, keyId(signer.publicKey))))]),
    ...(names.length > 0 ? [extension(ids.subjectAltName, encodeNames(names), isNameless)] : []),
  ];
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return critical ? sequence(oid(id), boolean(true), octets(value)) : sequence(oid(id), octets(value));
}

/** Encodes the set bits, up to the last one. */
function usageBits(usages: readonly KeyUsage[]): Buffer {
  const indexes = usages.map((each) => keyUsageBits.indexOf(each));
  const last = Math.max(0, ...indexes);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const index of indexes) bytes[index >> 3]! |= 0x80 >> (index & 7);
  return bits(bytes, 7 - (last & 7));
}

/** Encodes the names of a certificate's holder, as its certificate contains them. */
export function encodeNames(names: readonly AlternativeName[]): Buffer {
  return sequence(...names.map(generalName));
}

function generalName({ type, value }: AlternativeName): Buffer {
  if (type === "ip") return element(0x87, addressBytes(value));
  return element({ email: 0x81, dns: 0x82, uri: 0x86 }[type], Buffer.from(value));
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  // An URL writes its address without an embedded IPv4 one.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string | undefined): number[] =>
    text ? text.split(":").map((each) => parseInt(each, 16)) : [];
  const [before, after] = [groups(head), groups(tail)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

/** Returns an alternative name of a host: an address or a DNS name. */
export function hostName(value: string): AlternativeName {
  return { type: isIP(value) ? "ip" : "dns", value };
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
