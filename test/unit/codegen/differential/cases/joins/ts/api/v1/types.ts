// +groupName=net.example.com

import type { Int32, IntOrString, ObjectMeta, Quantity } from "tsop";

/**
 * Timing is a part of other types.
 * +kubebuilder:validation:XValidation:rule="self.after >= 0",message="negative"
 */
interface Timing {
  /**
   * after so many seconds
   * +kubebuilder:validation:Minimum=0
   */
  after: Int32;
  jitter?: string;
}

/**
 * Limits are limits.
 */
interface Limits {
  soft?: number;
  hard?: number;
}

/**
 * Route is one route.
 * +kubebuilder:validation:ExactlyOneOf={host,path,prefix}
 * +kubebuilder:validation:AtLeastOneOf=timeout;retries
 * +kubebuilder:validation:XValidation:rule="!has(self.host) || size(self.host) > 0",message="host is empty",reason=FieldValueRequired,fieldPath=".host"
 * +kubebuilder:validation:XValidation:rule="!oldSelf.hasValue() || size(self.name) < 5",messageExpression="'too long: ' + self.name",optionalOldSelf=true
 */
interface Route extends Timing, Limits {
  name: string;
  host?: string;
  path?: string;
  prefix?: string;
  // +kubebuilder:validation:XValidation:rule="self > 0"
  timeout?: Int32;
  retries?: Int32;
}

/**
 * Code is a code.
 * +kubebuilder:validation:MinLength=2
 * +kubebuilder:validation:MaxLength=20
 * +kubebuilder:validation:Pattern=`^[A-Z]+$`
 * +kubebuilder:validation:XValidation:rule="self != 'NO'"
 */
type Code = string;

/**
 * LongCode is a longer code.
 * +kubebuilder:validation:MinLength=5
 */
type LongCode = Code;

/**
 * Percent is a share.
 * +kubebuilder:validation:Minimum=0
 * +kubebuilder:validation:Maximum=100
 */
type Percent = Int32;

/**
 * Names is a list.
 * +kubebuilder:validation:items:MinLength=1
 * +kubebuilder:validation:MaxItems=10
 */
type Names = string[];

/**
 * Weights is a map.
 * +kubebuilder:validation:MaxProperties=5
 */
type Weights = { [zone: string]: Percent };

/** GatewaySpec is what is wanted. */
export interface GatewaySpec {
  // +kubebuilder:validation:MaxLength=10
  // +kubebuilder:validation:Pattern=`^G`
  // +kubebuilder:validation:XValidation:rule="self != 'GO'"
  code: Code;
  longCode?: LongCode;
  /**
   * share of it
   * +kubebuilder:validation:Maximum=50
   */
  percent?: Percent;
  maybePercent?: Percent | null;
  names?: Names;
  weights?: Weights;
  // +listType=map
  // +listMapKey=name
  routes?: Route[];
  byName?: Record<string, Route>;
  matrix?: Percent[][];
  // +kubebuilder:validation:Enum=a;b
  port?: IntOrString;
  // +kubebuilder:validation:XIntOrString
  // +kubebuilder:validation:Pattern=`^[0-9]+m$`
  cpu?: Quantity;
  // +k8s:immutable
  zone?: Code;
  // +k8s:immutable
  extra?: Limits;
  // +mapType=granular
  annotations?: Record<string, string>;
  // +structType=atomic
  limits?: Limits;
  flags?: boolean[];
}

/**
 * Gateway is the Schema for the gateways API.
 * +kubebuilder:object:root=true
 * +kubebuilder:validation:XValidation:rule="self.metadata.name.size() < 20",message="name is too long"
 */
export interface Gateway {
  metadata: ObjectMeta;
  spec: GatewaySpec;
}
