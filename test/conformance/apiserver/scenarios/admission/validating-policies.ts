import { crds, customKind, schemaOf } from "../../custom-kind.ts";
import { bind, clean, create, group, rule, settle, type PolicyCase } from "../../policy-bindings.ts";
import { merge, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { maps, words } from "../../steps.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

/** A scenario of policies that are all there at once. */
function stepsOf(policies: readonly PolicyCase[], steps: readonly Step[]): readonly Step[] {
  return [...policies.flatMap(bind), ...settle(), ...steps, ...clean(policies.map(({ name }) => name))];
}

const check = (name: string, expression: string, fields: object = {}): PolicyCase => ({
  name,
  spec: { validations: [{ expression, ...fields }] },
});
const expressions: Readonly<Record<string, string>> = {
  true: "true",
  object: "object.data.size == '3'",
  "no-key": "object.data.nothing == 'x'",
  has: "!has(object.data.nothing) && has(object.metadata.labels)",
  overload: "object.data.size > 2",
  old: "oldObject == null",
  request:
    "request.operation == 'CREATE' && request.kind.kind == 'ConfigMap' && request.kind.group == '' && request.resource.resource == 'configmaps' && request.name == object.metadata.name && request.namespace == object.metadata.namespace && request.dryRun && request.userInfo.username != ''",
  "no-subresource": "request.subResource == ''",
  options: "request.options.kind == 'CreateOptions'",
  namespace:
    "namespaceObject.metadata.name == request.namespace && namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == namespaceObject.metadata.name",
  "namespace-phase": "namespaceObject.status.phase == 'Active' && namespaceObject.spec.finalizers == ['kubernetes']",
  "namespace-time": "namespaceObject.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z')",
};
const update = (label: string, patch: object): RequestStep => PATCH(`${maps}/m-${label}`, merge, patch);
const params = customKind("limits", {
  schema: { openAPIV3Schema: schemaOf({ replicas: { type: "integer" } }) },
});
const paramKind = { apiVersion: "limits.example.com/v1", kind: "Thing" };
const parameterised = [
  { name: "by-name", binding: { paramRef: { name: "small", namespace: "{ns}", parameterNotFoundAction: "Deny" } } },
  { name: "own-namespace", binding: { paramRef: { name: "large", parameterNotFoundAction: "Deny" } } },
  {
    name: "by-label",
    binding: { paramRef: { selector: { matchLabels: { all: "yes" } }, parameterNotFoundAction: "Deny" } },
  },
  { name: "none-denied", binding: { paramRef: { name: "nothing", parameterNotFoundAction: "Deny" } } },
  {
    name: "none-allowed",
    binding: { paramRef: { selector: { matchLabels: { nobody: "has" } }, parameterNotFoundAction: "Allow" } },
  },
  { name: "unset", binding: {} },
].map(({ name, binding }) => ({
  name,
  binding,
  spec: {
    paramKind,
    validations: [
      {
        expression: "int(object.data.size) <= params.spec.replicas",
        messageExpression: "params.kind + ' ' + params.metadata.name + ' says ' + string(params.spec.replicas)",
      },
    ],
  },
}));
const named = (name: string) => ({ paramRef: { name, parameterNotFoundAction: "Deny" } });
const withParams: readonly PolicyCase[] = [
  ...parameterised,
  {
    name: "built-in",
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConditions: [{ name: "p", expression: "params.data.most != '0'" }],
      validations: [
        { expression: "object.data.size < params.data.most", messageExpression: "params.kind + params.apiVersion" },
      ],
    },
    binding: named("limit"),
  },
  {
    name: "unknown",
    spec: { paramKind: { apiVersion: "example.com/v1", kind: "Nothing" }, validations: [{ expression: "true" }] },
    binding: named("limit"),
  },
  {
    name: "unknown-ignored",
    spec: {
      failurePolicy: "Ignore",
      paramKind: { apiVersion: "example.com/v1", kind: "Nothing" },
      validations: [{ expression: "false" }],
    },
    binding: named("limit"),
  },
  {
    name: "wide",
    spec: {
      paramKind: { apiVersion: "v1", kind: "Namespace" },
      validations: [{ expression: "params.metadata.name == 'default'" }],
    },
    binding: { paramRef: { name: "default", namespace: "{ns}", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "wide-found",
    spec: {
      paramKind: { apiVersion: "v1", kind: "Namespace" },
      validations: [{ expression: "params.metadata.name != 'default'", messageExpression: "params.metadata.name" }],
    },
    binding: named("default"),
  },
];

export const scenarios: Scenarios = {
  "policy-expressions": stepsOf(
    Object.entries(expressions).map(([name, expression]) => check(name, expression)),
    Object.keys(expressions).map((name) => create(name, { data: { size: "3" } })),
  ),
  "policy-messages": stepsOf(
    [
      check("plain", "1 > 2"),
      check("message", "1 > 2", { message: " one is too small " }),
      check("expression", "1 > 2", { message: "plain", messageExpression: "'size is ' + object.data.size + ' '" }),
      check("empty", "1 > 2", { message: "plain", messageExpression: "object.data.size == '3' ? '' : 'x'" }),
      check("lines", "1 > 2", { messageExpression: "'a\\nb'" }),
      check("failing", "1 > 2", { message: "plain", messageExpression: "object.data.nothing + ''" }),
      check("long", "1 > 2", { message: "plain", messageExpression: `'${"x".repeat(6000)}'` }),
      ...["Forbidden", "Invalid", "RequestEntityTooLarge"].map((reason) =>
        check(reason.toLowerCase(), "false", { reason, message: reason }),
      ),
      {
        name: "several",
        spec: {
          validations: [
            { expression: "true" },
            { expression: "false", message: "second" },
            { expression: "false", message: "third", reason: "Forbidden" },
          ],
        },
      },
    ],
    words(`
      plain  message  expression  empty  lines  failing  long  forbidden  invalid  requestentitytoolarge  several
    `).map((name) => create(name, { data: { size: "3" } })),
  ),
  "policy-actions": stepsOf(
    [
      { ...check("warn", "false", { message: "mind it" }), binding: { validationActions: ["Warn", "Audit"] } },
      { ...check("audit", "false"), binding: { validationActions: ["Audit"] } },
      { ...check("broken", "object.nothing == 1"), binding: { validationActions: ["Warn"] } },
      {
        name: "ignored",
        spec: { failurePolicy: "Ignore", validations: [{ expression: "object.nothing == 1" }, { expression: "true" }] },
      },
      {
        name: "not-ignored",
        spec: {
          failurePolicy: "Ignore",
          validations: [{ expression: "object.nothing == 1" }, { expression: "false" }],
        },
      },
    ],
    ["warn", "audit", "broken", "ignored", "not-ignored"].map((name) => create(name, { data: { size: "3" } })),
  ),
  "policy-variables": stepsOf(
    [
      {
        name: "used",
        spec: {
          variables: [
            { name: "size", expression: "int(object.data.size)" },
            { name: "twice", expression: "variables.size * 2" },
          ],
          validations: [
            { expression: "variables.twice < 5", messageExpression: "'twice is ' + string(variables.twice)" },
          ],
        },
      },
      {
        name: "failing",
        spec: {
          variables: [{ name: "size", expression: "int(object.data.nothing)" }],
          validations: [{ expression: "variables.size < 5" }],
        },
      },
      {
        name: "unused",
        spec: {
          variables: [{ name: "size", expression: "int(object.data.nothing)" }],
          validations: [{ expression: "true || variables.size < 5" }],
        },
      },
      {
        name: "condition",
        spec: {
          matchConditions: [{ name: "other", expression: "object.metadata.name == 'other'" }],
          validations: [{ expression: "false" }],
        },
      },
      {
        name: "condition-fails",
        spec: {
          matchConditions: [
            { name: "nothing", expression: "object.nothing == 1" },
            { name: "nothing-else", expression: "object.nothing.else == 1" },
          ],
          validations: [{ expression: "true" }],
        },
      },
      {
        name: "condition-ignored",
        spec: {
          failurePolicy: "Ignore",
          matchConditions: [{ name: "nothing", expression: "object.nothing == 1" }],
          validations: [{ expression: "false" }],
        },
      },
    ],
    ["used", "failing", "unused", "condition", "condition-fails", "condition-ignored"].map((name) =>
      create(name, { data: { size: "3" } }),
    ),
  ),
  "policy-matching": stepsOf(
    [
      {
        name: "excluded",
        spec: { constraints: { excludeResourceRules: [rule] }, validations: [{ expression: "false" }] },
      },
      {
        name: "named",
        spec: {
          constraints: { resourceRules: [{ ...rule, resourceNames: ["m-named"] }] },
          validations: [{ expression: "false" }],
        },
      },
      {
        name: "other-name",
        spec: {
          constraints: { resourceRules: [{ ...rule, resourceNames: ["m-another"] }] },
          validations: [{ expression: "false" }],
        },
      },
      {
        name: "elsewhere",
        spec: {
          constraints: { namespaceSelector: { matchLabels: { nobody: "has" } } },
          validations: [{ expression: "false" }],
        },
      },
      {
        name: "bound",
        spec: { validations: [{ expression: "false" }] },
        binding: { matchResources: { objectSelector: { matchLabels: { bound: "yes" } } } },
      },
      {
        name: "bound-rule",
        spec: { validations: [{ expression: "false" }] },
        binding: { matchResources: { resourceRules: [{ ...rule, operations: ["UPDATE"] }] } },
      },
      {
        name: "kept",
        spec: {
          constraints: { resourceRules: [{ ...rule, operations: ["UPDATE", "DELETE"] }] },
          validations: [
            {
              expression: "request.operation != 'DELETE' || oldObject.data.size != '3'",
              messageExpression: "request.operation + ' of ' + request.name + ': ' + string(object == null)",
            },
            { expression: "object == null || object.data.size == oldObject.data.size", message: "can't change" },
          ],
        },
      },
    ],
    [
      ...["excluded", "named", "other-name", "elsewhere", "bound", "bound-rule"].map((name) => create(name)),
      POST(maps, { metadata: { name: "m-bound", labels: { case: "bound", bound: "yes" } } }),
      POST(maps, { metadata: { name: "m-kept", labels: { case: "kept" } }, data: { size: "3" } }, { unrecorded: true }),
      update("kept", { data: { size: "4" } }),
      update("kept", { metadata: { labels: { x: "y" } } }),
      DELETE(`${maps}/m-kept`),
      POST(
        `${maps}?dryRun=All`,
        { metadata: { generateName: "g-", labels: { case: "named" } } },
        { pick: ({ code }) => code },
      ),
    ],
  ),
  "policy-params": [
    ...params.install,
    ...["small", "large"].map((name, index): Step =>
      POST(
        params.path,
        {
          ...params.object(name),
          metadata: { name, labels: { all: "yes" } },
          spec: { replicas: index * 10 },
        },
        { until: (_, status) => status === 201, unrecorded: true },
      ),
    ),
    POST(maps, { metadata: { name: "limit" }, data: { most: "2" } }, { unrecorded: true }),
    ...withParams.flatMap(bind),
    ...settle(),
    {
      ...create("by-name", { data: { size: "3" } }),
      until: ({ message }) => String(message).includes("says"),
      unrecorded: true,
    },
    ...withParams.map(({ name }): Step => create(name, { data: { size: "3" } })),
    ...clean(withParams.map(({ name }) => name)),
    DELETE(`${crds}/${params.crd.metadata.name}`, { unrecorded: true }),
  ],
  "policy-objects": {
    managedFields: true,
    steps: [
      POST(`${group}/validatingadmissionpolicies`, {
        metadata: { name: "o.example.com" },
        spec: {
          matchConstraints: { resourceRules: [{ ...rule, apiGroups: ["nobody"] }] },
          validations: [{ expression: "true" }],
        },
        status: { observedGeneration: 7 },
      }),
      PATCH(`${group}/validatingadmissionpolicies/o.example.com`, merge, {
        spec: { validations: [{ expression: "false" }] },
      }),
      PATCH(`${group}/validatingadmissionpolicies/o.example.com`, merge, {
        spec: { validations: [{ expression: "fals" }] },
      }),
      PATCH(`${group}/validatingadmissionpolicies/o.example.com/status`, merge, {
        metadata: { labels: { a: "b" } },
        spec: { failurePolicy: "Ignore" },
        status: {
          observedGeneration: 2,
          typeChecking: { expressionWarnings: [{ fieldRef: "spec.validations[0].expression", warning: "w" }] },
        },
      }),
      POST(`${group}/validatingadmissionpolicybindings`, {
        metadata: { name: "o" },
        spec: { policyName: "o.example.com", validationActions: ["Deny"], matchResources: {} },
      }),
      PUT(`${group}/validatingadmissionpolicybindings/o`, {
        metadata: { name: "o" },
        spec: { policyName: "o.example.com", validationActions: ["Audit"] },
      }),
      PATCH(`${group}/validatingadmissionpolicybindings/o`, merge, { spec: { validationActions: ["Warn"] } }),
      ...[
        "validatingadmissionpolicies?fieldSelector=metadata.name=o.example.com",
        "validatingadmissionpolicybindings?fieldSelector=metadata.name=o",
      ].map((path): Step =>
        GET(`${group}/${path}`, {
          headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
          pick: ({ columnDefinitions, rows }) => ({
            columns: columnDefinitions.map(({ name, type }: any) => `${name}:${type}`),
            cells: rows[0].cells,
          }),
        }),
      ),
      DELETE(`${group}/validatingadmissionpolicybindings/o`),
      DELETE(`${group}/validatingadmissionpolicies/o.example.com`),
    ],
  },
};
