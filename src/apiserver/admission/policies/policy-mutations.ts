import type { ServedResource, ResourceEntry } from "../../registry/served-resource.ts";
import { RunBudget } from "../../../apimachinery/cel/evaluate/run-budget.ts";
import {
  type CelValue,
  CelDuration,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelUint,
  isCelMap,
  showKey,
} from "../../../apimachinery/cel/values/values.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { ApiError } from "../../../apimachinery/status.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { forbidden } from "../../refusals.ts";
import { type AdmissionAttributes, inVersion, type AdmissionScope } from "../admission-attributes.ts";
import { admissionValues, holdConditions } from "../match-conditions.ts";
import { namespaceOf, isBeyondPolicies, policyResource } from "../match-rules.ts";
import type { ParamKind, ParamRef } from "../../../k8s/admissionregistration/v1.ts";
import { boundPolicies, type AdmissionPolicy, type PolicyBinding, type PolicyEffect } from "./active-policies.ts";
import { policyProgram, type CompiledExpression } from "./policy-program.ts";
import type { Scope } from "../../../apimachinery/cel/evaluate/comprehend.ts";
import { runAdmission } from "../../../apimachinery/cel/admission/admission-expression.ts";
import { typeProblems } from "../../ssa/check-applied.ts";
import { mergeObjects } from "../../ssa/merge-objects.ts";
import { typedObject, type Typed } from "../../ssa/typed-node.ts";
import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import { storageKey } from "../../storage/store.ts";

/** A policy that selects a write, with one of its bindings, and one of its parameters or the reason why it has none. */
export interface Invocation {
  readonly policy: AdmissionPolicy;
  readonly binding: PolicyBinding;
  /** The resource as which the policy sees the write. */
  readonly resource: ServedResource;
  readonly params: UnstructuredObject | undefined;
  readonly failure?: MissingParams;
}

/** Yields the invocations of policies for a write. One without its parameters is left out if failures are ignored. */
export async function* invocations(
  scope: AdmissionScope,
  attributes: AdmissionAttributes,
  does: PolicyEffect,
): AsyncIterable<Invocation> {
  const namespace = namespaceOf(scope.store, attributes);
  for (const { policy, bindings } of boundPolicies(scope.store, does)) {
    const { paramKind, matchConstraints, failurePolicy } = policy.spec;
    const resource = policyResource(matchConstraints, attributes, namespace);
    if (resource === undefined) continue;
    for (const binding of bindings) {
      const { matchResources, paramRef: ref } = binding.spec;
      if (matchResources && policyResource(matchResources, attributes, namespace) === undefined) continue;
      const found = await boundParams(scope, { paramKind, ref, namespace: attributes.namespace });
      const one = { policy, binding, resource };
      if (!("failure" in found)) for (const params of found.params) yield { ...one, params };
      else if (failurePolicy !== "Ignore") yield { ...one, params: undefined, failure: found };
    }
  }
}

/** Applies all mutating policies one after the other; each sees the changes of those before it. */
export async function applyPolicies(
  scope: AdmissionScope,
  attributes: AdmissionAttributes,
): Promise<UnstructuredObject | undefined> {
  let { object } = attributes;
  if (!object || isBeyondPolicies(attributes)) return object;
  const failures: string[] = [];
  for await (const found of invocations(scope, attributes, "mutating")) {
    const { policy, binding, failure } = found;
    if (failure) failures.push(refusal(policy, failure.of === "binding" ? binding : undefined, failure.failure));
    else object = await carryOut(scope, found, { ...attributes, object }, failures);
  }
  if (failures.length > 0) throw denial(attributes, failures);
  return object;
}

async function carryOut(
  { store, programs }: AdmissionScope,
  { policy, binding, resource, params }: Invocation,
  attributes: AdmissionAttributes & { readonly object: UnstructuredObject },
  failures: string[],
): Promise<UnstructuredObject> {
  const { object } = attributes;
  const fail = (error: unknown): void => {
    if (policy.spec.failurePolicy !== "Ignore") failures.push(refusal(policy, binding, messageOf(error)));
  };
  const values = (shown: AdmissionAttributes, namespace?: UnstructuredObject): Record<string, CelValue> =>
    admissionValues(shown, { params, ...(shown.resource.namespaced && { namespace }) });
  const wanted = await inVersion(attributes, resource);
  const { matchConditions } = policy.spec;
  try {
    if (matchConditions && !holdConditions(matchConditions, values(wanted.attributes), programs)) return object;
  } catch (error) {
    fail(error);
    return object;
  }
  const program = policyProgram(policy, programs.policies);
  let mutated = wanted.attributes.object!;
  for (const mutation of program.mutations) {
    try {
      const shown = { ...wanted.attributes, object: mutated };
      const budget = new RunBudget();
      mutated = applyMutation(
        shown,
        mutation,
        program.scopeOf(values(shown, namespaceOf(store, shown)), budget),
        budget,
      );
    } catch (error) {
      fail(error);
    }
  }
  const changed = mutated === wanted.attributes.object ? object : mutated;
  return wanted.equivalent && changed !== object ? await wanted.equivalent.from(changed) : changed;
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

/** Applies one mutation to the object of a write. Throws an Error that names the problem. */
function applyMutation(
  { object, resource }: Pick<AdmissionAttributes, "resource"> & { readonly object: UnstructuredObject },
  mutation: CompiledExpression,
  scope: Scope | undefined,
  budget: RunBudget,
): UnstructuredObject {
  const value = runAdmission(mutation, scope, budget);
  checkNames(value, "Object");
  const { apiVersion, kind } = object;
  const applied = { ...(jsonOf(value) as object), apiVersion, kind };
  const typed = typedObject(resource.schema());
  try {
    checkApplied(applied, typed);
    return mergeObjects(object, applied, typed) as UnstructuredObject;
  } catch (error) {
    throw new Error(`error applying patch: ${messageOf(error)}`, { cause: error });
  }
}

/** Checks that each object's type name is its path: `Object.spec` is the type of the object at `spec`. */
function checkNames(value: CelValue | undefined, path: string): void {
  if (Array.isArray(value)) for (const item of value as readonly CelValue[]) checkNames(item, path);
  if (!(value instanceof CelOpaque)) return;
  if (value.typeName !== path)
    throw new Error(
      `type mismatch: unexpected type name ${JSON.stringify(value.typeName)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`,
    );
  for (const [name, child] of value.content as ReadonlyMap<string, CelValue>) checkNames(child, `${path}.${name}`);
}

/** Refuses what does not match the schema. */
function checkApplied(applied: unknown, typed: Typed): void {
  const problems = typeProblems(applied, typed);
  if (problems.length > 0) throw new Error(`failed to convert patch object to typed object: ${problems.join("\n")}`);
}

/** Converts the value of an expression to JSON. */
function jsonOf(value: CelValue): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value !== "object") return value;
  if (value instanceof CelOpaque && value.content instanceof Map)
    return Object.fromEntries(
      [...(value.content as ReadonlyMap<string, CelValue>)].map(([name, child]) => [name, jsonOf(child)]),
    );
  if (Array.isArray(value)) return (value as readonly CelValue[]).map(jsonOf);
  if (isCelMap(value))
    return Object.fromEntries(value.keys().map((key) => [showKey(key), jsonOf(value.get(key) ?? null)]));
  if (value instanceof CelOptional) return value.value === undefined ? null : jsonOf(value.value);
  if (value instanceof CelUint) return Number(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof CelTimestamp) return new Date(Number(value.nanos / 1_000_000n)).toISOString();
  if (value instanceof CelDuration) return `${Number(value.nanos) / 1e9}s`;
  throw new Error("a value that JSON cannot express");
}

/** The reason why the parameters of a policy or a binding are missing. */
interface MissingParams {
  readonly failure: string;
  readonly of: "policy" | "binding";
}

interface Reference {
  readonly paramKind: ParamKind | undefined;
  readonly ref: ParamRef | undefined;
  readonly namespace: string | undefined;
}

/** Finds the parameters of a policy and its binding for a write in a namespace. */
async function boundParams(
  scope: AdmissionScope,
  { paramKind, ref, namespace }: Reference,
): Promise<{ readonly params: readonly (UnstructuredObject | undefined)[] } | MissingParams> {
  let entry: ResourceEntry | undefined;
  try {
    entry = paramKind && paramEntry(scope, paramKind);
  } catch (error) {
    return { failure: `failed to configure policy: ${messageOf(error)}`, of: "policy" };
  }
  if (!entry || !ref) return { params: [undefined] };
  try {
    return { params: await bindingParams(scope, entry, { ref, namespace }) };
  } catch (error) {
    return { failure: `failed to configure binding: ${messageOf(error)}`, of: "binding" };
  }
}

/** Finds the resource of a policy's parameters. Throws an Error for a kind that is not served. */
function paramEntry({ registry }: AdmissionScope, { apiVersion = "", kind }: ParamKind): ResourceEntry {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  for (const entry of registry.entries()) {
    const { resource } = entry;
    if (resource.group === group && resource.version === version && resource.kind === kind) return entry;
  }
  const shown = `${apiVersion}, Kind=${kind}`;
  throw new Error(`failed to find resource referenced by paramKind: '${shown}'`);
}

/** Finds the parameters that a binding names. Throws an Error for an invalid reference. */
async function bindingParams(
  { store }: AdmissionScope,
  entry: ResourceEntry,
  { ref, namespace }: { readonly ref: ParamRef; readonly namespace: string | undefined },
): Promise<UnstructuredObject[]> {
  const { namespaced } = entry.resource;
  const from = namespaced ? ref.namespace || namespace : undefined;
  if (namespaced && !from)
    throw new Error("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
  if (!namespaced && ref.namespace)
    throw new Error("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  const collection = store.collection(entry.storage);
  const found = ref.name
    ? [collection.get(storageKey(from, ref.name))].filter((object) => object !== undefined)
    : [...collection.entries(from ? `${from}/` : "")].map(([, object]) => object).filter(selects(ref));
  if (found.length === 0 && ref.parameterNotFoundAction === "Deny")
    throw new Error("no params found for policy binding with `Deny` parameterNotFoundAction");
  await entry.load?.(found);
  return found.map((object) => entry.read(object));
}

function selects({ selector = {} }: ParamRef): (object: UnstructuredObject) => boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0) return () => true;
  const matcher = labelSelectorMatcher(selector);
  return ({ metadata }) => matcher.matches(metadata.labels ?? {});
}
