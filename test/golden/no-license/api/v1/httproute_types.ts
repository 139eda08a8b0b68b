import type { Condition, ObjectMeta } from "tsop";

// Edit this file. `make manifests generate` generates the CRD and zz_generated.kinds.ts from it.

/** HTTPRouteSpec defines the desired state of HTTPRoute. */
export interface HTTPRouteSpec {
  /** Foo is an example field of HTTPRoute. Edit httproute_types.ts to remove or update it. */
  foo?: string;
}

/** HTTPRouteStatus defines the observed state of HTTPRoute. */
export interface HTTPRouteStatus {
  /**
   * Conditions represent the current state of the HTTPRoute: "Available", "Progressing", "Degraded".
   *
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * HTTPRoute is the Schema for the httproutes API.
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface HTTPRoute {
  apiVersion?: "app.example.com/v1";
  kind?: "HTTPRoute";
  metadata: ObjectMeta;
  spec: HTTPRouteSpec;
  status?: HTTPRouteStatus;
}
