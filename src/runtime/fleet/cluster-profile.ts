import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { Condition, KubeObject } from "../../apimachinery/meta.ts";

/** A cluster of an inventory. */
export interface ClusterProfile extends KubeObject {
  status?: {
    conditions?: Condition[];
    accessProviders?: ProfileAccess[];
    /** The former name of accessProviders. */
    credentialProviders?: ProfileAccess[];
  };
}

/** The connection to a cluster for those who have a program of this name. */
export interface ProfileAccess {
  readonly name: string;
  /** As in a kubeconfig. */
  readonly cluster?: {
    readonly server?: string;
    readonly "certificate-authority-data"?: string;
    readonly "proxy-url"?: string;
    readonly extensions?: readonly { readonly name?: string; readonly extension?: unknown }[];
  };
}

export const ClusterProfile: Kind<ClusterProfile> = defineKind<ClusterProfile>({
  group: "multicluster.x-k8s.io",
  version: "v1alpha1",
  kind: "ClusterProfile",
  plural: "clusterprofiles",
});
