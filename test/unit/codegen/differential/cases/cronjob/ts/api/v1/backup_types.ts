import type {
  Bytes,
  Condition,
  Duration,
  Int32,
  Int64,
  IntOrString,
  JSONValue,
  MicroTime,
  ObjectMeta,
  Quantity,
  RawExtension,
  Time,
} from "tsop";

/**
 * ConcurrencyPolicy describes how overlapping runs are treated.
 * Only one of the following may be specified.
 * If none of the following policies is specified, the default one is AllowConcurrent, which is a name that makes this line long.
 */
export type ConcurrencyPolicy = "Allow" | "Forbid" | "Replace";

/**
 * ShortName is a name of few characters.
 * +kubebuilder:validation:MinLength=1
 * +kubebuilder:validation:MaxLength=15
 * +kubebuilder:validation:Pattern=`^[a-z][a-z0-9-]*$`
 */
export type ShortName = string;

/**
 * Ports is a list of ports.
 * +kubebuilder:validation:MaxItems=7
 * +listType=atomic
 */
export type Ports = Int32[];

/** Target says what is saved. */
export interface Target {
  /** name of the target */
  name: ShortName;
  /** path within it: a text with a colon and a # sign */
  path?: string;
  /**
   * nested says where it is
   * +kubebuilder:default={zone: "a", weights: {1,2,3}}
   */
  nested?: Nested;
}

/**
 * Nested has defaults.
 * +structType=atomic
 */
export interface Nested {
  // +kubebuilder:default="b"
  zone?: string;
  // +kubebuilder:validation:items:Minimum=1
  // +kubebuilder:validation:items:Maximum=100
  // +kubebuilder:validation:UniqueItems=false
  weights?: number[];
}

/**
 * BackupSpec defines the desired state of Backup.
 * +kubebuilder:validation:XValidation:rule="self.minimum <= self.maximum",message="minimum is above maximum"
 */
export interface BackupSpec {
  /**
   * The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron.
   * +kubebuilder:validation:MinLength=0
   */
  schedule: string;

  /**
   * startingDeadlineSeconds is the deadline in seconds for starting the run if it misses the scheduled time for any reason. Missed runs count as failed ones.
   *
   * A second paragraph.
   *   indented
   *
   * @remarks tags are not a part of the description
   */
  // +kubebuilder:validation:Minimum=0
  // +kubebuilder:validation:ExclusiveMinimum=true
  startingDeadlineSeconds?: Int64;

  // +kubebuilder:default:=Allow
  concurrencyPolicy?: ConcurrencyPolicy;

  /**
   * shorter than its type allows
   * +kubebuilder:validation:MaxLength=10
   */
  alias?: ShortName;

  // suspend tells the controller to wait. 'quoted' text: yes.
  suspend?: boolean;

  minimum?: Int32;
  // +kubebuilder:validation:MultipleOf=2
  maximum?: Int32;

  // +listType=map
  // +listMapKey=name
  // +kubebuilder:validation:MinItems=1
  targets: Target[];

  /**
   * a set of names
   * +listType=set
   * +kubebuilder:validation:items:MaxLength=5
   */
  tags?: string[];

  ports?: Ports;

  // +mapType=atomic
  labels?: Record<string, string>;

  // +kubebuilder:validation:MinProperties=1
  // +kubebuilder:validation:MaxProperties=9
  byName?: { [name: string]: Target };

  lists?: Record<string, readonly string[]>;

  /**
   * limit of memory
   * +kubebuilder:default="64Mi"
   */
  memory?: Quantity;

  // +kubebuilder:validation:XIntOrString
  // +kubebuilder:validation:Pattern=`^[0-9]+%?$`
  maxUnavailable?: IntOrString;

  at?: Time;
  atExactly?: MicroTime | null;
  // +kubebuilder:example="1h30m"
  timeout?: Duration;

  // +kubebuilder:pruning:PreserveUnknownFields
  extra?: RawExtension;
  // +kubebuilder:validation:EmbeddedResource
  object?: RawExtension;

  values?: JSONValue;

  secret?: Bytes;

  // +kubebuilder:title="A title"
  // +kubebuilder:externalDocs:url="https://example.com/docs",description="more"
  // +kubebuilder:validation:Format=ipv4
  address?: string;

  // +kubebuilder:validation:Schemaless
  // +kubebuilder:validation:Type=object
  // +kubebuilder:pruning:PreserveUnknownFields
  anything?: Target;

  // +k8s:immutable
  fixed: string;
  // +k8s:immutable
  fixedOnce?: string;

  // n and y are odd names
  n?: string;
  y?: string;

  // field10 stands behind field2
  field10?: string;
  field2?: string;

  // +kubebuilder:validation:XIntOrString
  // +kubebuilder:validation:Pattern="^([0-9]+|auto)$"
  replicas?: number | string;

  // +default={"a": [1, "x", true]}
  // +kubebuilder:pruning:PreserveUnknownFields
  tree?: RawExtension;

  // +kubebuilder:default=2
  level?: 1 | 2 | 3;
}

/** BackupStatus defines the observed state of Backup. */
export interface BackupStatus {
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];
  replicas: Int32;
  selector?: string;
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.minimum,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:resource:shortName={bk,bks},categories=all,scope=Cluster,path=backupjobs,singular=backupjob
// +kubebuilder:printcolumn:name="Schedule",type=string,JSONPath=`.spec.schedule`
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp",priority=1,description="how old it is"
// +kubebuilder:printcolumn:JSONPath=".spec.suspend",name="Suspended",type=boolean,priority=0
// +kubebuilder:selectablefield:JSONPath=`.spec.alias`
// +kubebuilder:metadata:annotations="x.example.com/a=1";"x.example.com/b=x=y"
// +kubebuilder:metadata:labels=team=storage
// +kubebuilder:deprecatedversion:warning="use v2"

/** Backup is the Schema for the backups API. */
export interface Backup {
  apiVersion: "batch.tutorial.example.com/v1";
  kind: "Backup";
  metadata: ObjectMeta;

  /** spec defines the desired state */
  spec: BackupSpec;

  status?: BackupStatus;
}
