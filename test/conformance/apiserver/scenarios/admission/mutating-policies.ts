import type { RequestStep, Scenarios, Step } from "../../scenario.ts";
import { maps, pods } from "../../steps.ts";
import { DELETE, PATCH, POST } from "../../requests.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const rule = {
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["configmaps", "pods"],
  operations: ["CREATE", "UPDATE"],
};
const apply = (expression: string) => ({ patchType: "ApplyConfiguration", applyConfiguration: { expression } });

/** A policy for the objects of the scenario's namespace with the label `case: <name>`, and its binding. */
export function bind(name: string, mutations: readonly object[], spec: object = {}): Step[] {
  return [
    POST(
      `${group}/mutatingadmissionpolicies`,
      {
        metadata: { name: `${name}-{ns}` },
        spec: {
          matchConstraints: {
            resourceRules: [rule],
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } },
            objectSelector: { matchLabels: { case: name } },
          },
          reinvocationPolicy: "Never",
          mutations,
          ...spec,
        },
      },
      { unrecorded: true },
    ),
    POST(
      `${group}/mutatingadmissionpolicybindings`,
      { metadata: { name: `${name}-{ns}` }, spec: { policyName: `${name}-{ns}` } },
      { unrecorded: true },
    ),
  ];
}

const create = (label: string): RequestStep =>
  POST(`${maps}?dryRun=All`, { metadata: { name: `m-${label}`, labels: { case: label } }, data: { size: "3" } });
const createPod = (label: string): RequestStep =>
  POST(
    `${pods}?dryRun=All`,
    {
      metadata: { name: `p-${label}`, labels: { case: label } },
      spec: {
        containers: [
          { name: "c", image: "i" },
          { name: "d", image: "i" },
        ],
      },
    },
    {
      pick: ({ code, message, details, spec, metadata }) =>
        code
          ? { code, message, details }
          : {
              labels: metadata.labels,
              containers: spec.containers.map(({ name, image, env }: any) => ({ name, image, env })),
              terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
              tolerations: spec.tolerations,
            },
    },
  );
const policies: Readonly<Record<string, readonly object[]>> = {
  applied: [apply("Object{ metadata: Object.metadata{ labels: {'added': 'yes'} }, data: {'more': object.data.size} }")],
  fails: [apply("Object{ data: {'more': object.data.nothing} }")],
  mismatch: [apply("Object{ metadata: Object.spec{ labels: {'a': 'b'} } }")],
  unknown: [apply("Object{ nothing: 'x' }")],
};
const podPolicies: Readonly<Record<string, readonly object[]>> = {
  containers: [
    apply(
      "Object{ spec: Object.spec{ terminationGracePeriodSeconds: 5, containers: object.spec.containers.map(c, Object.spec.containers{ name: c.name, env: [Object.spec.containers.env{ name: 'SIDE', value: c.name }] }) } }",
    ),
  ],
};

/** Policies that change objects, by patches or by what they would apply. */
export const scenarios: Scenarios = {
  "mutating-policies": [
    ...Object.entries({ ...policies, ...podPolicies }).flatMap(([name, mutations]) => bind(name, mutations)),
    ...bind("ignored", policies["fails"]!, { failurePolicy: "Ignore" }),
    ...bind("conditional", policies["applied"]!, {
      matchConditions: [{ name: "large", expression: "object.data.size == '4'" }],
    }),
    ...bind("with-variables", [apply("Object{ data: variables.more }")], {
      variables: [{ name: "more", expression: "{'more': object.data.size + '0'}" }],
    }),
    ...bind("probe", [apply("Object{ data: {'probed': 'yes'} }")]),
    { ...create("probe"), until: ({ data }) => data?.probed === "yes", unrecorded: true },
    ...[...Object.keys(policies), "ignored", "conditional", "with-variables"].map(create),
    ...Object.keys(podPolicies).map(createPod),
    POST(maps, { metadata: { name: "m-stays", labels: { case: "none" } }, data: { size: "3" } }, { unrecorded: true }),
    PATCH(
      `${maps}/m-stays`,
      { "content-type": "application/merge-patch+json" },
      { metadata: { labels: { case: "applied" } } },
    ),
    ...[...Object.keys({ ...policies, ...podPolicies }), "ignored", "conditional", "with-variables", "probe"].flatMap(
      (name) =>
        ["mutatingadmissionpolicybindings", "mutatingadmissionpolicies"].map((plural): Step =>
          DELETE(`${group}/${plural}/${name}-{ns}`, { unrecorded: true }),
        ),
    ),
  ],
};
