import type { DeepReadonly, Named } from "../../apimachinery/meta.ts";
import type { Secret } from "../../k8s/core/v1.ts";
import { certManagerGroup, type Certificate, type CertificateSpec } from "./cert-manager-kinds.ts";
import type { Issued } from "./issue-certificate.ts";

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
