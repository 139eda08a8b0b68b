import { customKind } from "../../custom-kind.ts";
import { bind, clean, settle } from "../../policy-bindings.ts";
import type { RequestStep, Scenarios, Step } from "../../scenario.ts";
import { bind as bindMutations } from "./mutating-policies.ts";
import { maps } from "../../steps.ts";
import { configure, remove, webhook } from "../../webhook-configurations.ts";
import { DELETE, POST } from "../../requests.ts";

const count = (length: number, map: (index: number) => any = (index) => index): any[] =>
  Array.from({ length }, (_, i) => map(i));
const pairs = (list: string): string => `${list}.all(x, ${list}.all(y, x + y >= 0))`;
const integers = (maxItems: number): object => ({ type: "array", maxItems, items: { type: "integer" } });
const outcome = ({ code, message, details }: any): unknown =>
  code === undefined ? "accepted" : { code, message, causes: details?.causes };

/** A kind whose rules are allowed, but cost more with many integers than one evaluation or one object may. */
const costly = customKind("cel-costs", {
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            limit: {
              type: "object",
              properties: { ints: integers(700) },
              "x-kubernetes-validations": [
                { rule: "size(self.ints) < 2", message: "first" },
                { rule: pairs("self.ints") },
                { rule: "size(self.ints) < 3", message: "last" },
              ],
            },
            absorbed: {
              type: "object",
              properties: { ints: integers(700) },
              "x-kubernetes-validations": [
                { rule: `${pairs("self.ints")} || true`, message: " is absorbed " },
                { rule: "false", message: "last" },
              ],
            },
            budget: {
              type: "object",
              properties: { ints: integers(365) },
              "x-kubernetes-validations": [
                { rule: "size(self.ints) < 2", message: "first" },
                ...count(11, () => ({ rule: pairs("self.ints") })),
                { rule: "size(self.ints) < 3", message: "last" },
              ],
            },
            message: {
              type: "object",
              properties: { ints: integers(700) },
              "x-kubernetes-validations": [
                {
                  rule: "size(self.ints) < 2",
                  message: "plain",
                  messageExpression: `${pairs("self.ints")} ? "a" : 'b'`,
                  fieldPath: ".ints",
                },
                { rule: "size(self.ints) < 3", message: "last" },
              ],
            },
            messageBudget: {
              type: "object",
              properties: { ints: integers(365) },
              "x-kubernetes-validations": [
                ...count(10, () => ({ rule: pairs("self.ints") })),
                { rule: "size(self.ints) < 2", messageExpression: `${pairs("self.ints")} ? 'a' : 'b'` },
                { rule: "size(self.ints) < 3", message: "last" },
              ],
            },
            items: {
              type: "array",
              maxItems: 400,
              items: {
                type: "object",
                properties: { ints: integers(50) },
                "x-kubernetes-validations": count(2, () => ({ rule: pairs("self.ints") })),
              },
            },
          },
        },
      },
    },
  },
});

const createCostly = (name: string, spec: object): RequestStep =>
  POST(`${costly.path}?dryRun=All`, costly.object(name, { spec }), { pick: outcome });
const cheap = pairs("lists.range(330)");
const expensive = pairs("lists.range(400)");
const cheaps = (length: number, fields: object = {}): object[] =>
  count(length, (index) => ({ expression: `${cheap} || ${index} > 0`, ...fields }));
const variables = count(12, (index) => ({ name: `v${index}`, expression: `${cheap} || ${index} > 0` }));
const all = variables.map(({ name }) => `variables.${name}`).join(" && ");
const conditions = (...expressions: string[]): object[] =>
  expressions.map((expression, index) => ({ name: `c${index}.example.com`, expression }));
const policies: Readonly<Record<string, object>> = {
  limit: { validations: [{ expression: expensive }, { expression: "false", message: "last" }] },
  absorbed: { validations: [{ expression: `${expensive} || true` }] },
  ignored: { failurePolicy: "Ignore", validations: [{ expression: expensive }] },
  "ignored-then-false": {
    failurePolicy: "Ignore",
    validations: [{ expression: expensive }, { expression: "false", message: "last" }],
  },
  budget: { validations: [{ expression: "false", message: "first" }, ...cheaps(12)] },
  "budget-ignored": {
    failurePolicy: "Ignore",
    validations: [{ expression: "false", message: "first" }, ...cheaps(12)],
  },
  huge: { validations: [{ expression: "object.data.text.contains(object.data.text + 'x')" }] },
  variable: { variables: [{ name: "v", expression: expensive }], validations: [{ expression: "variables.v" }] },
  "variable-absorbed": {
    variables: [{ name: "v", expression: expensive }],
    validations: [{ expression: "variables.v || true" }],
  },
  "variable-once": {
    variables: [{ name: "v", expression: cheap }],
    validations: count(20, () => ({ expression: "variables.v" })),
  },
  "variables-budget": { variables, validations: [{ expression: all }] },
  message: {
    validations: [{ expression: "false", message: "plain", messageExpression: `${expensive} ? 'a' : 'b'` }],
  },
  "message-budget": { validations: cheaps(6, { messageExpression: `${cheap} ? 'a' : 'b'` }) },
  "message-budget-ignored": {
    failurePolicy: "Ignore",
    validations: [
      { expression: "false", message: "first" },
      ...cheaps(6, { messageExpression: `${cheap} ? 'a' : 'b'` }),
    ],
  },
  condition: { matchConditions: conditions(expensive), validations: [{ expression: "false" }] },
  "condition-false": {
    matchConditions: conditions(expensive, "false"),
    validations: [{ expression: "false" }],
  },
  "condition-ignored": {
    failurePolicy: "Ignore",
    matchConditions: conditions(expensive),
    validations: [{ expression: "false" }],
  },
  "condition-budget": {
    matchConditions: conditions("false", cheap, `${cheap} || false`, `${cheap} && true`),
    validations: [{ expression: "true" }],
  },
};
const create = (label: string): RequestStep =>
  POST(
    `${maps}?dryRun=All`,
    { metadata: { name: `m-${label}`, labels: { case: label } }, data: { text: "a".repeat(60_000) } },
    { pick: outcome },
  );
const apply = (expression: string): object => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression: `Object{ data: {'added': ${expression} ? 'yes' : 'no'} }` },
});
const mutations: Readonly<Record<string, readonly [readonly object[], object?]>> = {
  limit: [[apply(expensive)]],
  "limit-ignored": [[apply(expensive)], { failurePolicy: "Ignore" }],
  "budget-of-each": [count(12, () => apply(cheap))],
  "variables-budget": [[apply(all)], { variables }],
  condition: [[apply("true")], { matchConditions: conditions(expensive) }],
};

export const scenarios: Scenarios = {
  "cel-costs-rules": [
    ...costly.install,
    createCostly("cheap", { limit: { ints: [1] }, budget: { ints: [1] }, message: { ints: [1] } }),
    createCostly("limit", { limit: { ints: count(700) } }),
    createCostly("absorbed", { absorbed: { ints: count(700) } }),
    createCostly("budget", { budget: { ints: count(365) } }),
    createCostly("message", { message: { ints: count(700) } }),
    createCostly("message-budget", { messageBudget: { ints: count(365) } }),
    createCostly("items", { items: count(400, () => ({ ints: count(50) })) }),
  ],
  "cel-costs-policies": [
    ...Object.entries(policies).flatMap(([name, spec]) => bind({ name, spec })),
    ...settle(),
    ...Object.keys(policies).map(create),
    ...clean(Object.keys(policies)),
  ],
  "cel-costs-mutations": [
    ...Object.entries(mutations).flatMap(([name, [own, spec]]) => bindMutations(name, own, spec)),
    ...bindMutations("probe", [apply("true")]),
    { ...create("probe"), pick: ({ data }) => data, until: ({ data }) => data?.added === "yes", unrecorded: true },
    ...Object.keys(mutations).map(create),
    ...[...Object.keys(mutations), "probe"].flatMap((name) =>
      ["mutatingadmissionpolicybindings", "mutatingadmissionpolicies"].map((plural): Step =>
        DELETE(`/apis/admissionregistration.k8s.io/v1/${plural}/${name}-{ns}`, { unrecorded: true }),
      ),
    ),
  ],
  "cel-costs-webhooks": [
    ...configure("Validating", "cel-costs", [
      webhook("limit", { matchConditions: conditions(expensive) }),
      webhook("ignored", { failurePolicy: "Ignore", matchConditions: conditions(expensive) }),
      webhook("false", { matchConditions: conditions(expensive, "false") }),
      webhook("budget", { matchConditions: conditions("false", cheap, `${cheap} || false`, `${cheap} && true`) }),
    ]),
    ...["limit", "ignored", "false", "budget"].map(create),
    ...remove("validating", "cel-costs"),
  ],
};
