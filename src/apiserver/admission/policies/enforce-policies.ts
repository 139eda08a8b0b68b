import { CelError } from "../../../cel/values/issue.ts";
import type { Scope } from "../../../cel/evaluate/comprehend.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { ApiError, statusCodes } from "../../../apimachinery/status.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { forbidden } from "../../refusals.ts";
import { type AdmissionAttributes, inVersion } from "../admission-attributes.ts";
import { admissionValues, holdConditions } from "../match-conditions.ts";
import { namespaceOf, isBeyondPolicies, policyResource } from "../match-rules.ts";
import type { AdmissionScope } from "../admission-attributes.ts";
import { boundPolicies, type AdmissionPolicy, type PolicyBinding, type PolicyReason } from "./active-policies.ts";
import { boundParams } from "./policy-params.ts";
import { policyProgram, type CompiledValidation } from "./policy-program.ts";

/** Evaluates the validating policies, which refuse or warn. All are evaluated, and the first refusal is returned. */
export async function enforcePolicies(scope: AdmissionScope, attributes: AdmissionAttributes): Promise<void> {
  if (isBeyondPolicies(attributes)) return;
  const namespace = namespaceOf(scope.store, attributes);
  const refusals: Refusal[] = [];
  for (const { policy, bindings } of boundPolicies(scope.store, "validating")) {
    const resource = policyResource(policy.spec.matchConstraints, attributes, namespace);
    if (resource === undefined) continue;
    const { attributes: shown } = await inVersion(attributes, resource);
    const write = { attributes, shown, namespace, policy };
    for (const binding of bindings) refusals.push(...(await judge(scope, binding, write)));
  }
  if (refusals[0]) throw denial(attributes, refusals[0]);
}

interface Refusal {
  readonly policy: string;
  /** Absent if the policy itself cannot be evaluated. */
  readonly binding?: string;
  readonly message: string;
  readonly reason?: PolicyReason | undefined;
}

interface PolicyWrite {
  readonly attributes: AdmissionAttributes;
  /** The write in the version that the policy's rules name. */
  readonly shown: AdmissionAttributes;
  readonly namespace: UnstructuredObject | undefined;
  readonly policy: AdmissionPolicy;
}

/** Evaluates a policy for one of its bindings. Adds warnings at once, and returns refusals. */
async function judge(scope: AdmissionScope, binding: PolicyBinding, write: PolicyWrite): Promise<Refusal[]> {
  const { policy, attributes, namespace } = write;
  const by = { policy: policy.metadata.name ?? "", binding: binding.metadata.name ?? "" };
  const { paramKind, failurePolicy } = policy.spec;
  const fail = (message: string): Refusal[] => (failurePolicy === "Ignore" ? [] : [{ ...by, message }]);
  const { matchResources, paramRef: ref, validationActions } = binding.spec;
  if (matchResources && policyResource(matchResources, attributes, namespace) === undefined) return [];
  const found = await boundParams(scope, {
    ...(paramKind && { paramKind }),
    ...(ref && { ref }),
    namespace: attributes.namespace,
  });
  if ("failure" in found)
    return fail(found.failure).map(({ policy: name, binding: own, message }) => ({
      policy: name,
      ...(found.of === "binding" && own !== undefined && { binding: own }),
      message,
    }));
  const refusals: Refusal[] = [];
  for (const each of found.params) {
    const { decisions, audits } = evaluate(scope, write, each);
    for (const decision of decisions) {
      if (validationActions.includes("Warn"))
        scope.warnings.push(
          `Validation failed for ValidatingAdmissionPolicy '${by.policy}' with binding '${by.binding}': ${decision.message}`,
        );
      if (validationActions.includes("Deny")) refusals.push({ ...by, ...decision });
    }
    // Nothing is audited, but an audit annotation that cannot be evaluated is a refusal.
    refusals.push(...audits.map((message) => ({ ...by, message })));
  }
  return refusals;
}

interface Verdict {
  readonly decisions: readonly Pick<Refusal, "message" | "reason">[];
  readonly audits: readonly string[];
}

function evaluate(
  { authorize, programs }: AdmissionScope,
  { shown, namespace, policy }: PolicyWrite,
  params: UnstructuredObject | undefined,
): Verdict {
  const { matchConditions, failurePolicy } = policy.spec;
  const ignores = failurePolicy === "Ignore";
  const fail = (message: string): Verdict => ({ decisions: ignores ? [] : [{ message }], audits: [] });
  const surroundings = { authorize, params };
  const inNamespace = shown.resource.namespaced ? namespace : undefined;
  try {
    if (matchConditions && !holdConditions(matchConditions, admissionValues(shown, surroundings), programs))
      return { decisions: [], audits: [] };
  } catch (error) {
    return fail(messageOf(error));
  }
  const program = policyProgram(policy, programs.policies);
  const scope = program.scopeOf(admissionValues(shown, { ...surroundings, namespace: inNamespace }));
  const decisions = program.validations.flatMap((validation) => decide(validation, scope, ignores));
  const audits = program.audits.flatMap(({ expression, evaluate: run }) => {
    const failure = attempt(expression, () => run(scope)).failure;
    return failure === undefined || ignores ? [] : [failure];
  });
  return { decisions, audits };
}

function decide(
  { source, evaluate: run, message }: CompiledValidation,
  scope: Scope | undefined,
  ignores: boolean,
): Pick<Refusal, "message" | "reason">[] {
  const { value, failure } = attempt(source.expression, () => run(scope));
  if (failure !== undefined) return ignores ? [] : [{ message: failure }];
  if (value === true) return [];
  const said = message && attempt("", () => message(scope)).value;
  const text = usableMessage(said) || source.message?.trim() || `failed expression: ${source.expression.trim()}`;
  return [{ message: text, reason: source.reason }];
}

const longestMessage = 5 * 1024;

/** Returns a computed message, unless it is too long or has several lines. */
function usableMessage(value: unknown): string {
  const text = typeof value === "string" ? value.trim() : "";
  return text.includes("\n") || Buffer.byteLength(text) > longestMessage ? "" : text;
}

function attempt<T>(expression: string, run: () => T): { value?: T; failure?: string } {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return { failure: `expression '${expression}' resulted in error: ${error.message}` };
  }
}

function denial({ resource, name }: AdmissionAttributes, refusal: Refusal): ApiError {
  const { policy, binding, reason = "Invalid" } = refusal;
  const by = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const message = `ValidatingAdmissionPolicy ${by} denied request: ${refusal.message}`;
  const { status } = forbidden(resource, name || "Unknown", message);
  return new ApiError({
    ...status,
    reason,
    details: { ...status.details, causes: [{ message }] },
    code: statusCodes[reason],
  });
}
