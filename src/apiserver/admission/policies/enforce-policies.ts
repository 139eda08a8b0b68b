import { ExpressionError, runAdmission } from "../../../apimachinery/cel/admission/admission-expression.ts";
import { BudgetError, RunBudget } from "../../../apimachinery/cel/evaluate/run-budget.ts";
import type { CelValue } from "../../../apimachinery/cel/values/values.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { ApiError, statusCodes } from "../../../apimachinery/status.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { forbidden } from "../../refusals.ts";
import { type AdmissionAttributes, inVersion } from "../admission-attributes.ts";
import { admissionValues, holdConditions } from "../match-conditions.ts";
import { namespaceOf, isBeyondPolicies } from "../match-rules.ts";
import type { AdmissionScope } from "../admission-attributes.ts";
import { invocations, type Invocation } from "./policy-mutations.ts";
import { policyProgram, type PolicyProgram } from "./policy-program.ts";

/** Evaluates the validating policies, which refuse or warn. All are evaluated, and the first refusal is returned. */
export async function enforcePolicies(scope: AdmissionScope, attributes: AdmissionAttributes): Promise<void> {
  if (isBeyondPolicies(attributes)) return;
  const namespace = namespaceOf(scope.store, attributes);
  const refusals: Refusal[] = [];
  for await (const found of invocations(scope, attributes, "validating")) {
    const { attributes: shown } = await inVersion(attributes, found.resource);
    refusals.push(...judge(scope, found, { shown, namespace }));
  }
  if (refusals[0]) throw denial(attributes, refusals[0]);
}

interface Refusal {
  readonly policy: string;
  /** Absent if the policy itself cannot be evaluated. */
  readonly binding?: string;
  readonly message: string;
  readonly reason?: keyof typeof statusCodes | undefined;
}

interface PolicyWrite {
  /** The write in the version that the policy's rules name. */
  readonly shown: AdmissionAttributes;
  readonly namespace: UnstructuredObject | undefined;
}

/** Evaluates a policy for one of its bindings. Adds warnings at once, and returns refusals. */
function judge(scope: AdmissionScope, found: Invocation, write: PolicyWrite): Refusal[] {
  const { policy, binding, failure } = found;
  const by = { policy: policy.metadata.name ?? "", binding: binding.metadata.name ?? "" };
  if (failure)
    return [{ policy: by.policy, ...(failure.of === "binding" && { binding: by.binding }), message: failure.failure }];
  const { validationActions } = binding.spec;
  const refusals: Refusal[] = [];
  for (const decision of evaluate(scope, found, write)) {
    if (validationActions.includes("Warn"))
      scope.warnings.push(
        `Validation failed for ValidatingAdmissionPolicy '${by.policy}' with binding '${by.binding}': ${decision.message}`,
      );
    if (validationActions.includes("Deny")) refusals.push({ ...by, ...decision });
  }
  return refusals;
}

type Decisions = readonly Pick<Refusal, "message" | "reason">[];

function evaluate(
  { programs }: AdmissionScope,
  { policy, params }: Invocation,
  { shown, namespace }: PolicyWrite,
): Decisions {
  const { matchConditions, failurePolicy } = policy.spec;
  const ignores = failurePolicy === "Ignore";
  const fail = (message: string): Decisions => (ignores ? [] : [{ message }]);
  const inNamespace = shown.resource.namespaced ? namespace : undefined;
  try {
    if (matchConditions && !holdConditions(matchConditions, admissionValues(shown, { params }), programs)) return [];
  } catch (error) {
    return fail(messageOf(error));
  }
  const program = policyProgram(policy, programs.policies);
  const values = admissionValues(shown, { params, namespace: inNamespace });
  try {
    return decide(program, values, ignores);
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    return fail(error.message);
  }
}

type Values = Readonly<Record<string, CelValue>>;

/** Evaluates the validations, and then all messages with the rest of the budget. */
function decide(program: PolicyProgram, values: Values, ignores: boolean): Decisions {
  const budget = new RunBudget();
  const scope = program.scopeOf(values, budget);
  const results = program.validations.map((validation) => attempt(validation, scope, budget));
  const messages = computeMessages(program, values, budget);
  return program.validations.flatMap(({ source }, index) => {
    const { value, failure } = results[index]!;
    const problem = failure ?? messages.problem;
    if (problem !== undefined) return ignores ? [] : [{ message: problem }];
    if (value === true) return [];
    const text =
      usableMessage(messages.texts[index]) ||
      source.message?.trim() ||
      `failed expression: ${source.expression.trim()}`;
    return [{ message: text, reason: source.reason as Refusal["reason"] }];
  });
}

/** Evaluates the messages of all validations, also of those that hold, as their cost counts. */
function computeMessages(
  program: PolicyProgram,
  values: Values,
  budget: RunBudget,
): { readonly texts: readonly unknown[]; readonly problem?: string } {
  const scope = program.scopeOf(values, budget);
  try {
    return { texts: program.validations.map(({ message }) => message && attempt(message, scope, budget).value) };
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    return { texts: [], problem: `failed messageExpression: ${error.message}` };
  }
}

const longestMessage = 5 * 1024;

/** Returns a computed message, unless it is too long or has several lines. */
function usableMessage(value: unknown): string {
  const text = typeof value === "string" ? value.trim() : "";
  return text.includes("\n") || Buffer.byteLength(text) > longestMessage ? "" : text;
}

function attempt(...run: Parameters<typeof runAdmission>): { readonly value?: CelValue; readonly failure?: string } {
  try {
    return { value: runAdmission(...run) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { failure: error.message };
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
