// +groupName=db.example.com
// +kubebuilder:validation:Optional

import type { Float, Int32, Int64, ObjectMeta } from "tsop";

/** Storage is storage. */
export interface Storage {
  // +kubebuilder:default="10Gi"
  size?: string;
  // +kubebuilder:default={"ReadWriteOnce"}
  modes?: string[];
}

/** DatabaseSpec is optional by default. */
export interface DatabaseSpec {
  // +kubebuilder:default=3
  replicas?: Int32;
  // +kubebuilder:default=-5
  negative?: number;
  // +kubebuilder:default=true
  enabled?: boolean;
  // +kubebuilder:default=bare text
  bare?: string;
  // +kubebuilder:default=512Mi
  memory?: string;
  // +kubebuilder:default="007"
  agent?: string;
  // +kubebuilder:default=087
  octal?: string;
  // +kubebuilder:default=2024-01-15
  day?: string;
  // +kubebuilder:default=""
  empty?: string;
  // +kubebuilder:default=a;b;c
  list?: string[];
  // +kubebuilder:default={1,2,3}
  numbers?: number[];
  // +kubebuilder:default={}
  emptyList?: string[];
  // +kubebuilder:default={}
  storage?: Storage;
  // +kubebuilder:default={size: "1Gi", modes: {a, b}}
  other?: Storage;
  // +kubebuilder:default={a: "1", "b c": x}
  map?: Record<string, string>;
  // +kubebuilder:default={{size: 1Gi, modes: {a}}, {size: 2Gi}}
  storages?: Storage[];
  // +kubebuilder:default={{1,1},{2,3}}
  matrix?: number[][];
  // +default="json"
  json?: string;
  // +default=[{"size":"1Gi"}]
  jsonList?: Storage[];
  // +default=5
  // +kubebuilder:default=6
  both?: number;
  // +kubebuilder:example={a: 1, b: {c: true}}
  // +kubebuilder:example="second"
  example?: string;
  // +required
  name: string;
  // +kubebuilder:validation:Required
  password: string;
  // +kubebuilder:validation:MultipleOf=0.5
  // +kubebuilder:validation:Minimum=0.25
  // +kubebuilder:default=1.5
  factor?: Float;
  // +kubebuilder:validation:Maximum=1e6
  large?: Float;
  // +kubebuilder:validation:Minimum=-9223372036854775808
  // +kubebuilder:validation:Maximum=9223372036854775807
  whole?: Int64;
  // +kubebuilder:validation:Enum=1;2;"foo";true
  mixed?: string;
  // +kubebuilder:validation:Enum="";a
  maybeEmpty?: string;
}

/**
 * Database is the Schema for the databases API.
 * +kubebuilder:object:root=true
 */
export interface Database {
  metadata: ObjectMeta;

  // +required
  spec: DatabaseSpec;
}
