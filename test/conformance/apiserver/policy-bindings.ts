import type { RequestStep, Step } from "./scenario.ts";
import { maps } from "./steps.ts";
import { DELETE, POST } from "./requests.ts";

export const group = "/apis/admissionregistration.k8s.io/v1";
export const rule: object = {
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["configmaps"],
  operations: ["CREATE", "UPDATE"],
};
const mine = { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } };

export interface PolicyCase {
  readonly name: string;
  readonly spec: object;
  readonly binding?: object;
}

/** A policy for the objects of the scenario's namespace with the label `case: <name>`, and its binding. */
export function bind({ name, spec, binding = {} }: PolicyCase): Step[] {
  const { constraints, ...rest } = spec as { constraints?: object };
  return [
    POST(
      `${group}/validatingadmissionpolicies`,
      {
        metadata: { name: `${name}-{ns}` },
        spec: {
          matchConstraints: {
            resourceRules: [rule],
            namespaceSelector: mine,
            objectSelector: { matchLabels: { case: name } },
            ...constraints,
          },
          ...rest,
        },
      },
      { unrecorded: true },
    ),
    POST(
      `${group}/validatingadmissionpolicybindings`,
      {
        metadata: { name: `${name}-{ns}` },
        spec: { policyName: `${name}-{ns}`, validationActions: ["Deny"], ...binding },
      },
      { unrecorded: true },
    ),
  ];
}

/** The server learns of policies a moment later: waits for one that came after all others. */
export function settle(): Step[] {
  return [
    ...bind({ name: "probe", spec: { validations: [{ expression: "false" }] } }),
    { ...create("probe"), until: (_, status) => status === 422, unrecorded: true },
  ];
}

export function clean(names: readonly string[]): Step[] {
  return [...names, "probe"].flatMap((name) =>
    ["validatingadmissionpolicybindings", "validatingadmissionpolicies"].map((plural): Step =>
      DELETE(`${group}/${plural}/${name}-{ns}`, { unrecorded: true }),
    ),
  );
}

export function create(label: string, fields: object = {}): RequestStep {
  return POST(`${maps}?dryRun=All`, { metadata: { name: `m-${label}`, labels: { case: label } }, ...fields });
}
