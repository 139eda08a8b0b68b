import { compileExpression, CompileError, type Program } from "../compile-rule.ts";
import { boolType, dynType, formatType, intType, type CelField, type CelType } from "../values/types.ts";
import { CostLimitError, type Evaluate, type Scope } from "../evaluate/comprehend.ts";
import type { RunBudget } from "../evaluate/run-budget.ts";
import { CelError } from "../values/issue.ts";
import type { CelValue } from "../values/values.ts";

interface AdmissionVariables {
  readonly params: boolean;
  /** The variables of a policy. */
  readonly composed?: ReadonlyMap<string, CelType>;
}

/** Returns the types of the variables of an admission expression. */
export function admissionVariables({ params, composed }: AdmissionVariables): Record<string, CelType> {
  return {
    object: dynType,
    oldObject: dynType,
    namespaceObject: namespaceType,
    request: requestType,
    ...(params && { params: dynType }),
    ...(composed && { variables: objectType("kubernetes.variables", Object.fromEntries(composed)) }),
  };
}

/**
 * Compiles an expression whose result has one of these types, or any type. Throws a CompileError in the server's words.
 */
export function compileAdmission(
  source: string,
  variables: Readonly<Record<string, CelType>>,
  results: readonly CelType["kind"][] = [],
): Program & { readonly type: CelType } {
  return compileExpression(source, variables, (type) => {
    if (results.length === 0 || results.includes(type.kind)) return undefined;
    const wanted = results.map((kind) => (kind === "null" ? "null_type" : kind));
    const shown = wanted.length === 1 ? wanted[0] : `one of [${wanted.join(" ")}]`;
    return `must evaluate to ${shown} but got ${declaredName(type)}`;
  });
}

/** Compiles the expression of an applied configuration. */
export function compileMutation(source: string, variables: Readonly<Record<string, CelType>>): Program {
  const refuse = (type: CelType): string | undefined =>
    formatType(type) === "Object" ? undefined : `must evaluate to Object but got ${declaredName(type)}`;
  return compileExpression(source, variables, refuse, { structs: true });
}

/** Returns the reason why an expression cannot be used, if `compile` throws one. */
export function problemOf(compile: () => Program): string | undefined {
  try {
    compile();
    return undefined;
  } catch (error) {
    if (error instanceof CompileError) return error.message;
    throw error;
  }
}

function declaredName(type: CelType): string {
  if (type.kind === "timestamp") return "google.protobuf.Timestamp";
  if (type.kind === "duration") return "google.protobuf.Duration";
  return type.kind === "null" ? "null_type" : formatType(type);
}

function objectType(name: string, types: Readonly<Record<string, CelType>>): CelType {
  const fields = Object.entries(types).map(([field, type]): [string, CelField] => [field, { name: field, type }]);
  return { kind: "object", name, fields: new Map(fields) };
}

const text: CelType = { kind: "string" };
const time: CelType = { kind: "timestamp" };
const texts: CelType = { kind: "list", element: text };
const textMap: CelType = { kind: "map", key: text, value: text };

function textsNamed(...names: string[]): Record<string, CelType> {
  return Object.fromEntries(names.map((name) => [name, text]));
}

const kindType = objectType("kubernetes.GroupVersionKind", textsNamed("group", "version", "kind"));
const resourceType = objectType("kubernetes.GroupVersionResource", textsNamed("group", "version", "resource"));

const requestType = objectType("kubernetes.AdmissionRequest", {
  ...textsNamed("subResource", "requestSubResource", "name", "namespace", "operation"),
  kind: kindType,
  resource: resourceType,
  requestKind: kindType,
  requestResource: resourceType,
  userInfo: objectType("kubernetes.UserInfo", {
    ...textsNamed("username", "uid"),
    groups: texts,
    extra: { kind: "map", key: text, value: texts },
  }),
  dryRun: boolType,
  options: dynType,
});

const namespaceType = objectType("kubernetes.Namespace", {
  metadata: objectType("kubernetes.NamespaceMetadata", {
    ...textsNamed("name", "generateName", "namespace", "UID", "resourceVersion"),
    labels: textMap,
    annotations: textMap,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: intType,
    generation: intType,
    finalizers: texts,
  }),
  spec: objectType("kubernetes.NamespaceSpec", { finalizers: texts }),
  status: objectType("kubernetes.NamespaceStatus", {
    phase: text,
    conditions: {
      kind: "list",
      element: objectType("kubernetes.NamespaceCondition", {
        ...textsNamed("status", "type", "message", "reason"),
        lastTransitionTime: time,
      }),
    },
  }),
});

/** The failure of one admission expression; the others are still evaluated. */
export class ExpressionError extends Error {
  override readonly name: string = "ExpressionError";
}

/** Evaluates an admission expression. Throws an ExpressionError in the server's words, or the budget's BudgetError. */
export function runAdmission(
  { expression, evaluate }: { readonly expression: string; readonly evaluate: Evaluate },
  scope: Scope | undefined,
  budget: RunBudget,
): CelValue {
  try {
    return budget.run(evaluate, scope);
  } catch (error) {
    if (!(error instanceof CelError || error instanceof CostLimitError)) throw error;
    throw new ExpressionError(`expression '${expression}' resulted in error: ${error.message}`, { cause: error });
  }
}
