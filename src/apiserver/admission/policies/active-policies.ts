import type { LabelSelector, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Store } from "../../storage/store.ts";
import type { MatchCondition, WebhookRule } from "../../call-webhook.ts";

/** A validating or mutating policy as it is stored: checked and defaulted. */
export interface AdmissionPolicy extends UnstructuredObject {
  readonly spec: {
    readonly failurePolicy: "Fail" | "Ignore";
    readonly paramKind?: ParamKind;
    readonly matchConstraints: MatchResources;
    readonly matchConditions?: readonly MatchCondition[];
    readonly variables?: readonly PolicyVariable[];
    readonly validations?: readonly PolicyValidation[];
    /** Of a MutatingAdmissionPolicy. */
    readonly mutations?: readonly PolicyMutation[];
    readonly reinvocationPolicy?: "Never" | "IfNeeded";
  };
}

export interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

export interface PolicyValidation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: PolicyReason;
}

interface PolicyMutation {
  readonly applyConfiguration?: { readonly expression: string };
}

export type PolicyReason = "Forbidden" | "Invalid" | "RequestEntityTooLarge";

export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface MatchResources {
  readonly matchPolicy: "Exact" | "Equivalent";
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  readonly resourceRules?: readonly WebhookRule[];
  readonly excludeResourceRules?: readonly WebhookRule[];
}

/** A binding, which puts a policy into force. */
export interface PolicyBinding extends UnstructuredObject {
  readonly spec: {
    readonly policyName: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchResources;
    readonly validationActions: readonly ("Deny" | "Warn" | "Audit")[];
  };
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  readonly parameterNotFoundAction: "Allow" | "Deny";
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
