// +groupName=example.com
import type {
  Condition,
  Duration,
  Int32,
  IntOrString,
  JSONValue,
  ObjectMeta,
  Quantity,
  RawExtension,
  Time,
} from "tsop";
import type { PodSpec } from "tsop/k8s/core/v1";

/**
 * A ship. Its name is written as <name> or `<name>`; a|b in text.
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:resource:scope=Cluster,shortName=sh;shp,categories=sea
 * +kubebuilder:deprecatedversion:warning="use v2 of <Ship>"
 * +kubebuilder:validation:XValidation:rule="self.metadata.name != 'a' || self.spec.size > 1",message="too | small"
 */
export interface Ship {
  metadata: ObjectMeta;
  // +required
  spec: ShipSpec;
  status?: { /** Last seen. */ seen?: Time; conditions?: Condition[] };
}

/** Text of an embedding. */
export type Storage<T> = { /** The value. */ value: T; size?: Quantity };

// +kubebuilder:validation:Pattern=`^[a-z|]+$`
// +kubebuilder:validation:MaxLength=8
export type Callsign = string;

export type Phase = "Docked" | "AtSea";

/** Either wind or engine. */
// +kubebuilder:validation:ExactlyOneOf=wind;engine
export interface Drive {
  wind?: { sails: Int32 };
  engine?: Engine | null;
}

export interface Engine {
  // +kubebuilder:validation:Minimum=0
  // +kubebuilder:validation:ExclusiveMinimum=true
  power?: number;
}

export interface ShipSpec {
  // +required
  // +kubebuilder:validation:MinLength=3
  callsign: Callsign;
  phase?: Phase;
  /**
   * The drive,
   * over two lines.
   *
   * And two paragraphs.
   */
  drive?: Drive;
  spare?: Drive;
  // +kubebuilder:default=3
  size?: Int32;
  port?: IntOrString;
  timeout?: Duration;
  free?: JSONValue;
  raw?: RawExtension;
  pod?: PodSpec;
  text?: Storage<string>;
  number?: Storage<number>;
  labels?: Record<string, string>;
  // +kubebuilder:validation:MaxProperties=3
  decks?: Record<string, { area?: number }>;
  // +listType=map
  // +listMapKey=name
  // +kubebuilder:validation:MinItems=1
  crew?: { /** Name. */ name: string; rank?: "captain" | "mate" }[];
  // +listType=set
  // +kubebuilder:validation:items:Pattern=`^x`
  tags?: string[];
  matrix?: Int32[][];
  // +kubebuilder:validation:Schemaless
  // +kubebuilder:pruning:PreserveUnknownFields
  self?: ShipSpec;
}
