import { defineKind, type Kind, type ObjectMeta } from "tsop";

/** A kind that another project defines. */
export interface Certificate {
  apiVersion?: "cert-manager.io/v1";
  kind?: "Certificate";
  metadata: ObjectMeta;
  spec?: { secretName?: string };
}

export const Certificate: Kind<Certificate> = defineKind({
  group: "cert-manager.io",
  version: "v1",
  kind: "Certificate",
  plural: "certificates",
});
