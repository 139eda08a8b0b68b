// Package v1alpha1 is the first try.
// +groupName=certs.example.com

import type { ObjectMeta } from "tsop";
import type * as shared from "../shared/index.ts";

// +kubebuilder:object:root=true
// +kubebuilder:deprecatedversion
// +kubebuilder:printcolumn:name=Host,type=string,JSONPath=.spec.host

/** Certificate is a certificate. */
export type Certificate = {
  apiVersion: "certs.example.com/v1alpha1";
  kind: "Certificate";
  metadata: ObjectMeta;
  spec?: { host: shared.Host; issuer: shared.Issuer };
};
