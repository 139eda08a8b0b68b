import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type {
  MatchResources as Selected,
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from "../../../k8s/admissionregistration/v1.ts";
import type { Store } from "../../storage/store.ts";

/** A validating or mutating policy as it is stored: checked and defaulted. */
export interface AdmissionPolicy extends UnstructuredObject {
  readonly spec: ValidatingAdmissionPolicySpec &
    Pick<MutatingAdmissionPolicySpec, "mutations" | "reinvocationPolicy"> & { matchConstraints: MatchResources };
}

/** The requests that a policy or a binding matches, defaulted. */
export type MatchResources = Selected & Required<Pick<Selected, "namespaceSelector" | "objectSelector">>;

/** A binding, which puts a policy into force. */
export interface PolicyBinding extends UnstructuredObject {
  readonly spec: Omit<ValidatingAdmissionPolicyBindingSpec, "matchResources"> & { matchResources?: MatchResources };
}

export type PolicyEffect = "validating" | "mutating";

const group = "admissionregistration.k8s.io";

/** Yields the policies that have bindings, ordered by name. */
export function* boundPolicies(
  store: Store,
  does: PolicyEffect,
): Iterable<{ policy: AdmissionPolicy; bindings: PolicyBinding[] }> {
  const bindings = [...store.collection({ group, plural: `${does}admissionpolicybindings` }).entries("")];
  for (const [name, policy] of store.collection({ group, plural: `${does}admissionpolicies` }).entries("")) {
    const own = bindings.map(([, binding]) => binding as PolicyBinding).filter(({ spec }) => spec.policyName === name);
    if (own.length > 0) yield { policy: policy as AdmissionPolicy, bindings: own };
  }
}

/** Reports whether any policy may be in force. A server without one never loads CEL. */
export function hasPolicies(store: Store, does: PolicyEffect): boolean {
  return store.collection({ group, plural: `${does}admissionpolicybindings` }).size > 0;
}
