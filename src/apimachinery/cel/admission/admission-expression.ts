import { compileExpression, CompileError, type Program } from "../compile-rule.ts";
import { boolType, dynType, formatType, intType, type CelField, type CelType } from "../values/types.ts";

export interface AdmissionVariables {
  readonly params: boolean;
  /** False for expressions of messages. */
  readonly authorizer: boolean;
  /** The variables of a policy. */
  readonly composed?: ReadonlyMap<string, CelType>;
}

/** Returns the types of the variables of an admission expression. */
export function admissionVariables({ params, authorizer, composed }: AdmissionVariables): Record<string, CelType> {
  return {
    object: dynType,
    oldObject: dynType,
    namespaceObject: namespaceType,
    request: requestType,
    ...(params && { params: dynType }),
    ...(authorizer && {
      authorizer: { kind: "opaque", name: "kubernetes.authorization.Authorizer" },
      "authorizer.requestResource": { kind: "opaque", name: "kubernetes.authorization.ResourceCheck" },
    }),
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

/** Compiles an expression of a patch or of an applied configuration. */
export function compileMutation(
  source: string,
  variables: Readonly<Record<string, CelType>>,
  patchType: "ApplyConfiguration" | "JSONPatch",
): Program {
  const wanted = patchType === "JSONPatch" ? "list(JSONPatch)" : "Object";
  const refuse = (type: CelType): string | undefined =>
    formatType(type) === wanted ? undefined : `must evaluate to ${wanted} but got ${declaredName(type)}`;
  return compileExpression(source, variables, refuse, { patches: true });
}

/** Returns the reason why an expression cannot be used; `undefined` if it can. */
export function admissionProblem(...call: Parameters<typeof compileAdmission>): string | undefined {
  return problemOf(() => compileAdmission(...call));
}

/** Returns the reason why an expression cannot be a mutation; `undefined` if it can. */
export function mutationProblem(...call: Parameters<typeof compileMutation>): string | undefined {
  return problemOf(() => compileMutation(...call));
}

function problemOf(compile: () => Program): string | undefined {
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
