import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, MicroTime } from "../../apimachinery/meta.ts";

/** The object that replicas compete for. */
export interface Lease extends KubeObject {
  spec?: LeaseSpec;
}

export interface LeaseSpec {
  /** Empty if the lease is free. */
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: MicroTime;
  renewTime?: MicroTime;
  leaseTransitions?: number;
}

export const Lease: Kind<Lease> = defineKind<Lease>({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
});
