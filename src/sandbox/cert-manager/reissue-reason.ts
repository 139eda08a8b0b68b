import type { X509Certificate } from "node:crypto";
import { distinguishedName, subjectOf } from "../../apimachinery/certificates/distinguished-name.ts";
import { encodeNames } from "../../apimachinery/certificates/sign-certificate.ts";
import { timestamp } from "../../apimachinery/time.ts";
import { messageOf } from "../../errors/message-of.ts";
import type { Secret } from "../../k8s/core/v1.ts";
import type { Certificate, CertificateSpec } from "./cert-manager-kinds.ts";
import { annotation, issuerOf } from "./certificate-secret.ts";
import { lifetimeOf, renewalTimeOf } from "./certificate-times.ts";
import { usagesOf } from "./certificate-usages.ts";
import { isKeyOf, namesOf } from "./issue-certificate.ts";
import { readKeyPair, type KeyPair } from "./key-pair.ts";

/** Why a certificate has to be issued. */
export interface ReissueReason {
  readonly reason: string;
  readonly message: string;
  /** True if the present certificate can be used meanwhile. */
  readonly isUsable?: boolean;
}

/** Returns why a certificate has to be issued, if it has to. */
export function reissueReason(
  { spec, status }: Certificate,
  secret: Secret | undefined,
  now: number,
): ReissueReason | undefined {
  if (!secret) return issuing("DoesNotExist", "Secret does not exist");
  if (!secret.data?.["tls.key"]) return issuing("MissingData", "Secret does not contain a private key");
  if (!secret.data["tls.crt"]) return issuing("MissingData", "Secret does not contain a certificate");
  let pair: KeyPair;
  try {
    pair = readKeyPair(secret);
  } catch (error) {
    return issuing("InvalidKeyPair", `Secret contains an invalid key-pair: ${messageOf(error)}`);
  }
  const { annotations = {} } = secret.metadata;
  const issuer = issuerOf(spec);
  const [name, kind, group] = ["name", "kind", "group"].map((field) => annotations[annotation(`issuer-${field}`)]);
  if (name !== issuer.name || kind !== issuer.kind || group !== issuer.group) {
    return issuing("IncorrectIssuer", `Secret was previously issued by "${kind}.${group}/${name}"`);
  }
  const stale = staleFields(spec, pair);
  if (stale.length > 0) {
    return issuing("SecretMismatch", `Existing issued Secret is not up to date for spec: [${stale.join(" ")}]`);
  }
  const validity = validityOf(pair.chain[0]);
  const { notAfter } = validity;
  if (now >= notAfter) return { reason: "Expired", message: `Certificate expired on ${timestamp(notAfter)}` };
  const renewal = renewalTimeOf(spec, validity);
  if (now >= renewal) {
    const message = `Renewing certificate as renewal was scheduled at ${timestamp(renewal)}`;
    return { reason: "Renewing", message, isUsable: true };
  }
  const asked = status?.conditions?.find(({ type, status }) => type === "Issuing" && status === "True");
  if (asked?.reason !== "ManuallyTriggered") return undefined;
  return { reason: asked.reason, message: asked.message, isUsable: true };
}

function issuing(reason: string, why: string): ReissueReason {
  return { reason, message: `Issuing certificate as ${why}` };
}

/** Returns the validity of a certificate, in milliseconds since 1970. */
export function validityOf({ validFrom, validTo }: X509Certificate): { notBefore: number; notAfter: number } {
  return { notBefore: Date.parse(validFrom), notAfter: Date.parse(validTo) };
}

/** Returns the fields of the spec that a certificate and its key do not follow. */
function staleFields(spec: CertificateSpec, { chain: [certificate], key }: KeyPair): string[] {
  const { notBefore, notAfter } = validityOf(certificate);
  const names = namesOf(spec);
  const usages = usagesOf(spec).extendedUsages;
  const known = certificate.keyUsage ?? [];
  const fresh: Record<string, boolean> = {
    commonName: subjectOf(certificate.raw).equals(distinguishedName(spec.commonName ?? "")),
    dnsNames: names.length > 0 ? certificate.raw.includes(encodeNames(names)) : !certificate.subjectAltName,
    duration: notAfter - notBefore === lifetimeOf(spec),
    isCA: certificate.ca === (spec.isCA ?? false),
    usages: usages.length === known.length && usages.every((each) => known.includes(each)),
    privateKey: isKeyOf(key, spec),
  };
  return Object.keys(fresh)
    .filter((field) => !fresh[field])
    .map((field) => `spec.${field}`);
}
