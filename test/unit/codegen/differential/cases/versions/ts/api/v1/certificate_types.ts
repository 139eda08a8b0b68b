// +groupName=certs.example.com

import type { Condition, ObjectMeta, Time } from "tsop";
import type { Host } from "../shared";
import { type Issuer as Signer } from "../shared/issuer";

// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:subresource:status

/** Certificate is a certificate. */
export default interface Certificate {
  metadata: ObjectMeta;
  spec?: CertificateSpec;
  status?: CertificateStatus;
}

/** CertificateSpec is what is asked for. */
interface CertificateSpec {
  /**
   * hosts of the certificate
   * +kubebuilder:validation:MinItems=1
   * +listType=set
   */
  hosts: Host[];
  /** issuer signs */
  issuer: Signer;
  backup?: import("../shared/issuer.ts").Issuer;
}

/** CertificateStatus is what was found. */
interface CertificateStatus {
  notAfter?: Time;
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];
}
