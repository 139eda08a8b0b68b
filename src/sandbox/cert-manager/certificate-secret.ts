import type { DeepReadonly, Named } from "../../apimachinery/meta.ts";
import type { Secret } from "../../k8s/core/v1.ts";
import { certManagerGroup, type Certificate, type CertificateSpec } from "./cert-manager-kinds.ts";
import { type Issued, lifetimeOf, renewalTimeOf, usagesOf, isKeyOf, namesOf } from "./issue-certificate.ts";
import type { X509Certificate } from "node:crypto";
import { distinguishedName, subjectOf } from "../../apimachinery/certificates/distinguished-name.ts";
import { encodeNames } from "../../apimachinery/certificates/sign-certificate.ts";
import { timestamp } from "../../apimachinery/time.ts";
import { messageOf } from "../../errors/message-of.ts";
import { readKeyPair, type KeyPair } from "./issuer-controller.ts";

/** Returns the name of one of cert-manager's annotations. */
export function annotation(name: string): string {
  return `${certManagerGroup}/${name}`;
}

/** Returns the issuer of a certificate, with its kind and group. */
export function issuerOf({ issuerRef }: DeepReadonly<CertificateSpec>): { name: string; kind: string; group: string } {
  return { name: issuerRef.name, kind: issuerRef.kind || "Issuer", group: issuerRef.group || certManagerGroup };
}

/** Returns the content of a certificate's Secret. The type of one that exists stays. */
export function certificateSecret(
  { metadata, spec }: Named<Certificate>,
  issued: Issued,
  existing: Secret | undefined,
): Named<Secret> {
  const issuer = issuerOf(spec);
  const join = (values: readonly string[] = []): string => values.join(",");
  const data = Object.fromEntries(
    Object.entries(issued).map(([key, text]: [string, string]) => [key, Buffer.from(text).toString("base64")]),
  );
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      namespace: metadata.namespace!,
      name: spec.secretName,
      labels: { ...spec.secretTemplate?.labels, [`controller.${certManagerGroup}/fao`]: "true" },
      annotations: {
        ...spec.secretTemplate?.annotations,
        [annotation("alt-names")]: join(spec.dnsNames),
        [annotation("certificate-name")]: metadata.name,
        [annotation("common-name")]: spec.commonName ?? "",
        [annotation("ip-sans")]: join(spec.ipAddresses),
        [annotation("issuer-group")]: issuer.group,
        [annotation("issuer-kind")]: issuer.kind,
        [annotation("issuer-name")]: issuer.name,
        [annotation("uri-sans")]: join(spec.uris),
      },
    },
    type: existing?.type ?? "kubernetes.io/tls",
    data,
  };
}

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
