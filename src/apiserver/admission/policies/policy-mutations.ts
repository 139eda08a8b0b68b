import type { ServedResource } from "../../registry/served-resource.ts";
import { RunBudget } from "../../../apimachinery/cel/evaluate/run-budget.ts";
import type { CelValue } from "../../../apimachinery/cel/values/values.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { ApiError } from "../../../apimachinery/status.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { forbidden } from "../../refusals.ts";
import { type AdmissionAttributes, inVersion } from "../admission-attributes.ts";
import { admissionValues, holdConditions } from "../match-conditions.ts";
import { namespaceOf, isBeyondPolicies, policyResource } from "../match-rules.ts";
import type { AdmissionScope } from "../admission-attributes.ts";
import { applyMutation } from "./apply-mutation.ts";
import { boundPolicies, type AdmissionPolicy, type PolicyBinding } from "./active-policies.ts";
import { boundParams } from "./policy-params.ts";
import { policyProgram } from "./policy-program.ts";

interface Invocation {
  readonly policy: AdmissionPolicy;
  readonly binding: PolicyBinding;
  readonly resource: ServedResource;
  readonly params: UnstructuredObject | undefined;
}

/** The changes that policies make to one object before it is written. */
export class PolicyMutations {
  private readonly scope: AdmissionScope;
  private readonly attributes: AdmissionAttributes;
  /** Invocations that are repeated if a later one changes the object, with the object that they left. */
  private readonly repeatable = new Map<Invocation, UnstructuredObject>();

  constructor(scope: AdmissionScope, attributes: AdmissionAttributes) {
    this.scope = scope;
    this.attributes = attributes;
  }

  /** Applies all policies one after the other; each sees the changes of those before it. */
  async all(): Promise<UnstructuredObject | undefined> {
    let { object } = this.attributes;
    if (!object || isBeyondPolicies(this.attributes)) return object;
    const failures: string[] = [];
    for await (const found of this.invocations()) {
      if (typeof found === "string") failures.push(found);
      else object = await this.carryOut(found, object, failures);
    }
    if (failures.length > 0) throw denial(this.attributes, failures);
    return this.again(object);
  }

  /** Repeats the invocations that ask for it if the object has changed since. */
  async again(object: UnstructuredObject | undefined): Promise<UnstructuredObject | undefined> {
    let latest = object;
    const failures: string[] = [];
    for (const [invocation, left] of this.repeatable)
      if (latest && !equalJson(left, latest)) latest = await this.carryOut(invocation, latest, failures);
    if (failures.length > 0) throw denial(this.attributes, failures);
    return latest;
  }

  /** Yields each invocation, or the reason why it is impossible. */
  private async *invocations(): AsyncIterable<Invocation | string> {
    const attributes = this.attributes;
    const namespace = namespaceOf(this.scope.store, attributes);
    for (const { policy, bindings } of boundPolicies(this.scope.store, "mutating")) {
      const { paramKind, matchConstraints } = policy.spec;
      const resource = policyResource(matchConstraints, attributes, namespace);
      if (resource === undefined) continue;
      for (const binding of bindings) {
        const { matchResources, paramRef: ref } = binding.spec;
        if (matchResources && policyResource(matchResources, attributes, namespace) === undefined) continue;
        const found = await boundParams(this.scope, {
          ...(paramKind && { paramKind }),
          ...(ref && { ref }),
          namespace: attributes.namespace,
        });
        if (!("failure" in found)) for (const params of found.params) yield { policy, binding, resource, params };
        else if (policy.spec.failurePolicy !== "Ignore")
          yield refusal(policy, found.of === "binding" ? binding : undefined, found.failure);
      }
    }
  }

  private async carryOut(
    invocation: Invocation,
    object: UnstructuredObject,
    failures: string[],
  ): Promise<UnstructuredObject> {
    const { policy, binding, resource, params } = invocation;
    const fail = (error: unknown): void => {
      if (policy.spec.failurePolicy !== "Ignore") failures.push(refusal(policy, binding, messageOf(error)));
    };
    const wanted = await inVersion({ ...this.attributes, object }, resource);
    const { matchConditions, reinvocationPolicy } = policy.spec;
    try {
      if (
        matchConditions &&
        !holdConditions(matchConditions, this.values(wanted.attributes, params), this.scope.programs)
      )
        return object;
    } catch (error) {
      fail(error);
      return object;
    }
    const program = policyProgram(policy, this.scope.programs.policies);
    let mutated = wanted.attributes.object!;
    for (const mutation of program.mutations) {
      try {
        const shown = { ...wanted.attributes, object: mutated };
        const budget = new RunBudget();
        const scope = program.scopeOf(this.values(shown, params, namespaceOf(this.scope.store, shown)), budget);
        mutated = applyMutation(shown, mutation, scope, budget);
      } catch (error) {
        fail(error);
      }
    }
    const changed = mutated === wanted.attributes.object ? object : mutated;
    const result = wanted.equivalent && changed !== object ? await wanted.equivalent.from(changed) : changed;
    if (reinvocationPolicy === "IfNeeded") this.repeatable.set(invocation, result);
    return result;
  }

  private values(
    shown: AdmissionAttributes,
    params: UnstructuredObject | undefined,
    namespace?: UnstructuredObject,
  ): Record<string, CelValue> {
    const { authorize } = this.scope;
    return admissionValues(shown, { authorize, params, ...(shown.resource.namespaced && { namespace }) });
  }
}

function refusal(policy: AdmissionPolicy, binding: PolicyBinding | undefined, why: string): string {
  const name = policy.metadata.name ?? "";
  return binding
    ? `policy '${name}' with binding '${binding.metadata.name}' denied request: ${why}`
    : `policy ${JSON.stringify(name)} denied request: ${why}`;
}

function denial({ resource, name }: AdmissionAttributes, failures: readonly string[]): ApiError {
  const { status } = forbidden(resource, name || "Unknown", "");
  const causes = failures.map((message) => ({ message }));
  const isConfiguration = failures[0]?.includes("denied request: failed to configure") ?? false;
  return new ApiError({
    ...status,
    message: failures[0] ?? "",
    reason: isConfiguration ? "Forbidden" : "Invalid",
    details: { ...status.details, causes },
  });
}
