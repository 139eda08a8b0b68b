import type { RequestStep, Scenarios } from "../../scenario.ts";
import { POST } from "../../requests.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const rule = { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] };
const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
const told = ({ code, details, spec }: any): unknown => (code ? { code, causes: details?.causes } : spec);
const policy = (spec: unknown, metadata: object = { name: "p.example.com" }): RequestStep =>
  POST(`${group}/validatingadmissionpolicies?dryRun=All`, { metadata, spec }, { pick: told });

/** What is wrong beside things that are right. */
const wrong = (spec: object): RequestStep =>
  policy({ matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "true" }], ...spec });

const matching = (constraints: object): RequestStep =>
  wrong({ matchConstraints: { resourceRules: [rule], ...constraints } });
const validation = (fields: object, spec: object = {}): RequestStep =>
  wrong({ validations: [{ expression: "true", ...fields }], ...spec });
const binding = (spec: unknown): RequestStep =>
  POST(`${group}/validatingadmissionpolicybindings?dryRun=All`, { metadata: { name: "b" }, spec }, { pick: told });
const bound = (spec: object): RequestStep =>
  binding({ policyName: "p.example.com", validationActions: ["Deny"], ...spec });
const mutating = (spec: object): RequestStep =>
  POST(
    `${group}/mutatingadmissionpolicies?dryRun=All`,
    {
      metadata: { name: "m.example.com" },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        reinvocationPolicy: "Never",
        mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } }],
        ...spec,
      },
    },
    { pick: told },
  );
const applied = (expression: string, spec: object = {}): RequestStep =>
  mutating({ mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }], ...spec });

export const scenarios: Scenarios = {
  "policy-refusals": [
    policy(undefined),
    policy({}),
    policy({ matchConstraints: {} }),
    wrong({}),
    wrong({ failurePolicy: "Maybe" }),
    ...[{}, { apiVersion: "v1" }, { apiVersion: "example.com/v1", kind: "Thing" }].map((paramKind) =>
      wrong({ paramKind }),
    ),
    matching({ matchPolicy: "Some" }),
    matching({ namespaceSelector: { matchLabels: { "a b": "c d" } }, objectSelector: { matchLabels: { x: "" } } }),
    matching({ objectSelector: { matchExpressions: [{ key: "a", operator: "In" }] } }),
    matching({ resourceRules: [{}] }),
    matching({ resourceRules: [{ ...rule, operations: ["*", "CREATE"], apiGroups: ["*", "apps"], scope: "Some" }] }),
    matching({ resourceRules: [{ ...rule, operations: ["PATCH"], apiVersions: ["", "*"] }] }),
    matching({ resourceRules: [{ ...rule, resources: ["a", ""] }] }),
    matching({ resourceRules: [{ ...rule, resourceNames: ["a", "a", "b/c", "."] }] }),
    matching({ excludeResourceRules: [{ ...rule, apiVersions: [] }] }),
    ...[
      [{}],
      [{ name: "a b", expression: "true" }],
      [
        { name: "a", expression: "true" },
        { name: "a", expression: " " },
      ],
      [{ name: "a", expression: "object.spec.paused" }],
      [{ name: "a", expression: "params.a == 'b'" }],
      [{ name: "a", expression: "variables.a" }],
      [{ name: "a", expression: "request.nothing == 'x' || namespaceObject.nothing == 'y'" }],
    ].map((matchConditions) => wrong({ matchConditions })),
    wrong({ matchConditions: Array.from({ length: 65 }, (_, n) => ({ name: `c${n}`, expression: "true" })) }),
    ...[
      [{}],
      [{ name: "a-b", expression: "1" }],
      [{ name: "if", expression: "1" }],
      [{ name: "a", expression: "" }],
      [{ name: "a", expression: "variables.b" }],
      [{ name: "a", expression: "object.x +" }],
      [
        { name: "a", expression: "[1, 2]" },
        { name: "b", expression: "variables.a.all(x, x == 'text')" },
      ],
    ].map((variables) => wrong({ variables })),
    validation({ expression: "" }),
    validation({ expression: "object.x" }),
    validation({ expression: "object.x ==" }),
    validation({ expression: "'text'" }),
    validation({ expression: "nothing == 1" }),
    validation({ expression: "variables.a" }, { variables: [{ name: "a", expression: "'text'" }] }),
    validation({ expression: "variables.a == 'text'" }, { variables: [{ name: "a", expression: "'text'" }] }),
    validation({ expression: "variables.c" }, { variables: [{ name: "a", expression: "true" }] }),
    validation({ expression: "params.a" }),
    validation({ expression: "params.a == 'b'" }, { paramKind }),
    validation({ message: " " }),
    validation({ message: "a\nb" }),
    validation({ messageExpression: " " }),
    validation({ messageExpression: "1" }),
    validation({ messageExpression: "object.name" }),
    validation({ messageExpression: "string(timestamp('2020-01-01T00:00:00Z'))" }),
    validation({ messageExpression: "timestamp('2020-01-01T00:00:00Z')" }),
    validation({ reason: "Nope" }),
    validation({ reason: "Forbidden" }),
    ...["1", "null", "object.x"].map((valueExpression) => wrong({ auditAnnotations: [{ key: "a", valueExpression }] })),
    policy({}, { name: "P_x" }),
  ],
  "mutating-policy-refusals": [
    mutating({}),
    mutating({ mutations: [], reinvocationPolicy: "" }),
    mutating({ reinvocationPolicy: "Sometimes" }),
    mutating({ matchConstraints: { resourceRules: [{ ...rule, operations: ["DELETE", "*"] }] } }),
    ...[{}, { patchType: "Strategic" }, { patchType: "ApplyConfiguration" }].map((mutation) =>
      mutating({ mutations: [mutation] }),
    ),
    applied("1"),
    applied("object"),
    applied("Object.metadata{}"),
    applied("Object{ metadata: Object.metadata{ labels: {'a': 'b'} } }"),
    applied("Object{ metadata: Object.metadata{ labels: nothing } }"),
    applied("Other{}"),
    applied("Object{ data: variables.x }", { variables: [{ name: "x", expression: "{'a': 'b'}" }] }),
    applied("Object{ data: variables.y }"),
    wrong({ validations: [{ expression: "Object{} == Object{}" }] }),
    POST(
      `${group}/mutatingadmissionpolicybindings?dryRun=All`,
      {
        metadata: { name: "b" },
        spec: { matchResources: { resourceRules: [{ ...rule, operations: ["DELETE"] }] } },
      },
      { pick: told },
    ),
    POST(
      `${group}/mutatingadmissionpolicybindings?dryRun=All`,
      { metadata: { name: "b" }, spec: { policyName: "m.example.com", matchResources: {} } },
      { pick: told },
    ),
  ],
  "policy-binding-refusals": [
    binding(undefined),
    binding({}),
    bound({}),
    bound({ policyName: "A_b" }),
    bound({ validationActions: ["Deny", "Warn", "Warn", "Some"] }),
    bound({ validationActions: ["Audit", "Warn"] }),
    bound({ matchResources: {} }),
    bound({ matchResources: { matchPolicy: "X", resourceRules: [{ ...rule, resources: [] }] } }),
    ...[
      {},
      { name: "a/b" },
      { name: "a", selector: {}, parameterNotFoundAction: "Deny" },
      { name: "a", parameterNotFoundAction: "Maybe" },
      { name: "a", namespace: "n", parameterNotFoundAction: "Allow" },
      { selector: { matchExpressions: [{ key: "a", operator: "Some" }] }, parameterNotFoundAction: "Allow" },
    ].map((paramRef) => bound({ paramRef })),
  ],
};
