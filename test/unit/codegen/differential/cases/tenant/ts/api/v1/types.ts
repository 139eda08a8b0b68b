// +groupName=tenancy.example.com
import type { Int32, Int64, IntOrString, LabelSelector, ObjectMeta, Quantity } from "tsop";
import type { ConfigMapKeySelector, ResourceList } from "tsop/k8s/core/v1";
import type { NetworkPolicyIngressRule } from "tsop/k8s/networking/v1";
import type { PolicyRule } from "tsop/k8s/rbac/v1";

/** Quota limits what a tenant uses. */
export interface Quota {
  /** hard limits by resource */
  hard: ResourceList;
  /**
   * +kubebuilder:validation:Enum=Cluster;Namespace
   * +kubebuilder:default=Namespace
   */
  scope?: string;
  /**
   * share of the cluster
   * +kubebuilder:validation:XIntOrString
   * +kubebuilder:validation:Pattern="^(100|[0-9]{1,2})%$"
   * +kubebuilder:default="10%"
   */
  share?: IntOrString;
  burst?: Quantity;
}

/**
 * Owner may do everything in the tenant's namespaces.
 * +structType=atomic
 */
export interface Owner {
  /**
   * kind of subject
   * +kubebuilder:validation:Enum=User;Group;ServiceAccount
   */
  kind: string;
  /**
   * +kubebuilder:validation:MinLength=1
   * +kubebuilder:validation:XValidation:rule="!self.startsWith('system:')",message="system users can't own tenants"
   */
  name: string;
}

/**
 * Source is where templates come from.
 * +kubebuilder:validation:ExactlyOneOf=inline;configMap;url
 * +kubebuilder:validation:AtMostOneOf=checksum;insecure
 */
export interface Source {
  inline?: string;
  configMap?: ConfigMapKeySelector;
  /**
   * +kubebuilder:validation:Format=uri
   * +kubebuilder:validation:MaxLength=2048
   */
  url?: string;
  /** +kubebuilder:validation:Pattern=`^sha256:[0-9a-f]{64}$` */
  checksum?: string;
  insecure?: boolean;
}

/** TenantSpec says who gets what. */
export interface TenantSpec {
  /**
   * owners of the tenant
   * +listType=atomic
   * +kubebuilder:validation:MinItems=1
   */
  owners: Owner[];
  quota?: Quota;
  /** namespaceSelector picks the namespaces */
  namespaceSelector: LabelSelector;
  /**
   * +mapType=atomic
   * +kubebuilder:validation:MinProperties=1
   */
  labels?: Record<string, string>;
  /** network says who may talk to the tenant */
  network?: NetworkPolicyIngressRule[];
  rules?: PolicyRule[];
  /** templates by name */
  templates?: Record<string, Source>;
  /**
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:validation:ExclusiveMinimum=true
   * +kubebuilder:validation:MultipleOf=5
   */
  priority?: Int64;
  /**
   * expires on this day
   * +kubebuilder:validation:Format=date
   * +kubebuilder:example="2030-12-31"
   */
  expires?: string;
  /** limits by hour and zone */
  limits?: Record<string, Record<string, Int32>>;
  /**
   * +kubebuilder:validation:UniqueItems=false
   * +kubebuilder:validation:MaxItems=3
   */
  windows?: string[][];
}

/**
 * Tenant is a customer of the cluster.
 * +kubebuilder:object:root=true
 * +kubebuilder:resource:scope=Cluster,shortName=tn
 * +kubebuilder:printcolumn:name="Owners",type=string,JSONPath=`.spec.owners[*].name`,description="who owns it"
 * +kubebuilder:metadata:labels="app.kubernetes.io/part-of=tenancy";"tier=platform"
 */
export interface Tenant {
  metadata: ObjectMeta;
  spec: TenantSpec;
}

/**
 * TenantClass has no spec.
 * +kubebuilder:object:root=true
 * +kubebuilder:resource:scope=Cluster,path=tenantclasses
 */
export interface TenantClass {
  metadata: ObjectMeta;
  /** provisioner that makes tenants of this class */
  provisioner: string;
  /** +kubebuilder:pruning:PreserveUnknownFields */
  parameters?: Owner;
}
