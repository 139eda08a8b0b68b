import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { Condition, KubeObject, Time } from "../../apimachinery/meta.ts";

// The kinds of cert-manager, with the fields that the sandbox reads or writes.

export interface Issuer extends KubeObject {
  spec: IssuerSpec;
  status?: { conditions?: Condition[] };
}

/** One of these fields names the type of the issuer; the sandbox plays the first two. */
export interface IssuerSpec {
  selfSigned?: object;
  ca?: { secretName: string };
  acme?: object;
  vault?: object;
  venafi?: object;
}

export interface Certificate extends KubeObject {
  spec: CertificateSpec;
  status?: CertificateStatus;
}

export interface CertificateSpec {
  secretName: string;
  secretTemplate?: { annotations?: Record<string, string>; labels?: Record<string, string> };
  issuerRef: { name: string; kind?: string; group?: string };
  commonName?: string;
  dnsNames?: string[];
  ipAddresses?: string[];
  uris?: string[];
  emailAddresses?: string[];
  duration?: string;
  renewBefore?: string;
  renewBeforePercentage?: number;
  isCA?: boolean;
  usages?: string[];
  privateKey?: {
    algorithm?: "RSA" | "ECDSA" | "Ed25519";
    size?: number;
    encoding?: "PKCS1" | "PKCS8";
    rotationPolicy?: "Always" | "Never";
  };
}

export interface CertificateStatus {
  conditions?: Condition[];
  notBefore?: Time;
  notAfter?: Time;
  renewalTime?: Time;
  revision?: number;
}

export const certManagerGroup = "cert-manager.io";
/** The namespace of cert-manager, in which a ClusterIssuer finds its Secret. */
export const certManagerNamespace = "cert-manager";

export const IssuerKind: Kind<Issuer> = define("Issuer", "issuers");
export const ClusterIssuerKind: Kind<Issuer> = define("ClusterIssuer", "clusterissuers", "Cluster");
export const CertificateKind: Kind<Certificate> = define("Certificate", "certificates");

function define<T extends KubeObject>(
  kind: string,
  plural: string,
  scope: "Cluster" | "Namespaced" = "Namespaced",
): Kind<T> {
  return defineKind<T>({ group: certManagerGroup, version: "v1", kind, plural, scope, subresources: ["status"] });
}

/** The users of cert-manager's requests. */
export const certManagerUser: string = `system:serviceaccount:${certManagerNamespace}:cert-manager`;
export const caInjectorUser: string = `system:serviceaccount:${certManagerNamespace}:cert-manager-cainjector`;
