// +groupName=postgres.example.com
import type { Condition, Duration, Int32, Int64, ObjectMeta, Quantity, Time } from "tsop";
import type { Container, LocalObjectReference, ResourceRequirements, SecretKeySelector } from "tsop/k8s/core/v1";

/**
 * Phase is where a cluster stands in its life.
 * +kubebuilder:validation:Enum=Creating;Running;Failing Over;Failed
 */
export type Phase = string;

/**
 * Extension is the name of an extension, such as `postgis`.
 * +kubebuilder:validation:Pattern=`^[a-z][a-z0-9_]{0,62}$`
 */
export type Extension = string;

/**
 * Storage says where the data lives.
 * +kubebuilder:validation:XValidation:rule="!has(oldSelf.storageClass) || self.storageClass == oldSelf.storageClass",message="storageClass can't be changed"
 */
export interface Storage {
  /**
   * size of each volume; it can only grow
   * +kubebuilder:default="10Gi"
   * +kubebuilder:validation:XValidation:rule="quantity(self).compareTo(quantity(oldSelf)) >= 0",message="volumes can't shrink"
   */
  size?: Quantity;
  /**
   * storageClass of the volumes
   * +kubebuilder:validation:MaxLength=253
   */
  storageClass?: string;
}

/** Backup says when and where backups are written. */
export interface Backup {
  /**
   * schedule in cron format
   * +kubebuilder:default="0 3 * * *"
   * +kubebuilder:validation:MinLength=9
   */
  schedule?: string;
  /**
   * keep so many backups
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=365
   * +kubebuilder:default=7
   */
  keep?: Int32;
  /** credentials of the bucket */
  credentials: SecretKeySelector;
  /**
   * timeout of one backup
   * +kubebuilder:default="1h"
   */
  timeout?: Duration;
}

/** User is a database role. */
export interface User {
  /** +kubebuilder:validation:MinLength=1 */
  name: string;
  /**
   * +kubebuilder:validation:Enum=superuser;createdb;createrole;login
   * +listType=set
   */
  options?: string[];
  /**
   * databases the user may connect to
   * +listType=set
   * +kubebuilder:validation:MaxItems=32
   * +kubebuilder:validation:items:MinLength=1
   * +kubebuilder:validation:items:MaxLength=63
   */
  databases?: string[];
  /** passwordRef; a password is made when it is absent */
  passwordRef?: SecretKeySelector | null;
}

/**
 * ClusterSpec defines the desired state of Cluster
 * +kubebuilder:validation:XValidation:rule="!self.highAvailability || self.instances >= 2",message="high availability needs two instances",fieldPath=".instances"
 */
export interface ClusterSpec {
  /**
   * instances is the number of servers, the primary included.
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=9
   * +kubebuilder:default=1
   * +optional
   */
  instances?: Int32;
  /**
   * highAvailability keeps a standby.
   * +kubebuilder:default=false
   * +optional
   */
  highAvailability?: boolean;
  /**
   * version of PostgreSQL: major only.
   * +kubebuilder:validation:Enum=14;15;16;17
   * +k8s:immutable
   */
  version: number;
  /** +kubebuilder:default={} */
  storage?: Storage;
  backup?: Backup;
  /**
   * +listType=map
   * +listMapKey=name
   * +kubebuilder:validation:MaxItems=100
   */
  users?: User[];
  /** +listType=set */
  extensions?: Extension[];
  /**
   * parameters of postgresql.conf, "name: value"
   * +kubebuilder:validation:MaxProperties=200
   * +kubebuilder:default={max_connections: "100", "shared_buffers": 128MB}
   */
  parameters?: Record<string, string>;
  /**
   * +kubebuilder:pruning:PreserveUnknownFields
   * +kubebuilder:validation:Schemaless
   * +kubebuilder:validation:Type=object
   */
  patroni?: Record<string, string>;
  /** resources of the server's container */
  resources?: ResourceRequirements;
  /** monitoring.enabled starts an exporter */
  monitoring?: LocalObjectReference;
  /**
   * sidecars run beside each server
   * +listType=map
   * +listMapKey=name
   */
  sidecars?: Container[];
}

/** ClusterStatus defines the observed state of Cluster. */
export interface ClusterStatus {
  phase?: Phase;
  /**
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
  /** readyInstances counts servers that answer */
  readyInstances?: Int32;
  selector?: string;
  lastBackup?: Time | null;
  /** +kubebuilder:validation:Format=int64 */
  observedGeneration?: Int64;
}

/**
 * Cluster is a PostgreSQL cluster.
 *
 * It has one primary and any number of standbys; see
 * https://www.postgresql.org/docs/current/high-availability.html for what that means.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:subresource:scale:specpath=.spec.instances,statuspath=.status.readyInstances,selectorpath=.status.selector
 * +kubebuilder:resource:path=pgclusters,singular=pgcluster,shortName=pg;pgc,categories=all;databases
 * +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`
 * +kubebuilder:printcolumn:name="Instances",type=integer,format=int32,JSONPath=`.spec.instances`
 * +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
 * +kubebuilder:printcolumn:name="Memory",type=string,priority=1,JSONPath=`.spec.resources.limits.memory`
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
 * +kubebuilder:selectablefield:JSONPath=`.spec.version`
 * +kubebuilder:selectablefield:JSONPath=`.status.phase`
 */
export interface Cluster {
  metadata: ObjectMeta;
  /**
   * spec defines the desired state of Cluster
   * +required
   */
  spec: ClusterSpec;
  /**
   * status defines the observed state of Cluster
   * +optional
   */
  status?: ClusterStatus;
}

// +kubebuilder:rbac:groups=postgres.example.com,resources=pgclusters,verbs=get;list;watch;update;patch
// +kubebuilder:rbac:groups=postgres.example.com,resources=pgclusters/status;pgclusters/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=statefulsets,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups="",resources=services;configmaps;secrets;persistentvolumeclaims,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups="",resources=pods/exec,verbs=create
