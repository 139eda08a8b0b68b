import { scopeOf, type Program } from "../../apimachinery/cel/compile-rule.ts";
import type { CelValue } from "../../apimachinery/cel/values/values.ts";
import { admissionVariables, compileAdmission } from "../../apimachinery/cel/admission/admission-expression.ts";
import { ExpressionError, runAdmission } from "../../apimachinery/cel/admission/run-admission.ts";
import { conditionBudget, RunBudget } from "../../apimachinery/cel/evaluate/run-budget.ts";
import type { MatchCondition } from "../call-webhook.ts";
import { dynamicValue } from "../../apimachinery/cel/values/dynamic-value.ts";
import { authorizerValue, resourceCheckValue, type CelAuthorizer } from "../../apimachinery/cel/functions/authz.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { serviceAccountUser } from "../../apimachinery/service-account.ts";
import type { User } from "../api-server.ts";
import type { Authorizer } from "../access/authorization.ts";
import type { AdmissionAttributes, AdmissionPrograms } from "./admission-attributes.ts";
import { admissionReview } from "./admission-review.ts";

/**
 * Reports whether all conditions hold. Throws an Error if one cannot be evaluated, unless another one is false, or if
 * together they cost too much.
 */
export function holdConditions(
  conditions: readonly MatchCondition[],
  values: Readonly<Record<string, CelValue>>,
  programs: AdmissionPrograms,
): boolean {
  const scope = scopeOf(values);
  const budget = new RunBudget(conditionBudget);
  const failures = new Set<string>();
  let hold = true;
  for (const condition of conditions) {
    try {
      const { evaluate } = programOf(condition, programs);
      if (runAdmission({ expression: condition.expression, evaluate }, scope, budget) === false) hold = false;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      failures.add(error.message);
    }
  }
  if (failures.size === 0 || !hold) return hold;
  throw new Error(failures.size === 1 ? [...failures][0] : `[${[...failures].join(", ")}]`);
}

function programOf(condition: MatchCondition, { conditions }: AdmissionPrograms): Program {
  const known = conditions.get(condition);
  if (known) return known;
  // Whether it may use params was checked when it was stored.
  const variables = admissionVariables({ params: true, authorizer: true });
  const program = compileAdmission(condition.expression, variables, ["bool"]);
  conditions.set(condition, program);
  return program;
}

export interface AdmissionSurroundings {
  readonly authorize: Authorizer;
  /** The namespace of the object, if expressions may see it. */
  readonly namespace?: UnstructuredObject | undefined;
  readonly params?: UnstructuredObject | undefined;
}

/** Returns the variables of an admission expression. */
export function admissionValues(
  attributes: AdmissionAttributes,
  { authorize, namespace, params }: AdmissionSurroundings,
): Record<string, CelValue> {
  const { object, oldObject, user, resource, subresource = "", name } = attributes;
  const authorizer = authorizerFor(user, authorize);
  const what = { group: resource.group, resource: resource.plural, namespace: attributes.namespace ?? "" };
  return {
    object: dynamicValue(object),
    oldObject: dynamicValue(oldObject),
    request: dynamicValue(requestOf(attributes)),
    namespaceObject: dynamicValue(namespace && shownNamespace(namespace)),
    params: dynamicValue(params),
    authorizer: authorizerValue(authorizer),
    "authorizer.requestResource": resourceCheckValue(authorizer, { ...what, subresource, name }),
  };
}

/** Returns the request without the objects, which have variables of their own. */
function requestOf(attributes: AdmissionAttributes): Record<string, unknown> {
  const { request } = admissionReview(attributes, { uid: "", apiVersion: "" }) as { request: Record<string, unknown> };
  const { uid: _uid, object: _object, oldObject: _oldObject, ...rest } = request;
  return rest;
}

function shownNamespace({ metadata, spec, status }: UnstructuredObject): Record<string, unknown> {
  const { managedFields: _fields, ownerReferences: _owners, ...shown } = metadata;
  return { metadata: shown, spec, status };
}

function authorizerFor(user: User, authorize: Authorizer): CelAuthorizer {
  return {
    serviceAccount: (namespace, name) => authorizerFor(serviceAccountUser(namespace, name), authorize),
    decide({ verb, path = "", resource }) {
      if (!resource) return authorize({ user, verb, path });
      const { group, subresource, namespace, name } = resource;
      return authorize({
        user,
        verb,
        group,
        resource: resource.resource,
        ...(subresource && { subresource }),
        ...(namespace && { namespace }),
        ...(name && { name }),
      });
    },
  };
}
