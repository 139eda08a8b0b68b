import type { RequestStep, Scenarios, Step } from "../../../scenario.ts";
import { host, insecure, isRejected, label, outcome } from "./writes.ts";
import { core } from "../../../steps.ts";
import { DELETE, POST } from "../../../requests.ts";

const admission = "/apis/admissionregistration.k8s.io/v1";

/** A policy for the new pods of the scenario's namespace that have the label `case: <name>`, and its binding. */
function policy(does: "mutating" | "validating", name: string, spec: object): Step[] {
  const rule = { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] };
  const matchConstraints = {
    resourceRules: [rule],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } },
    objectSelector: { matchLabels: { case: name } },
  };
  const validationActions = does === "validating" ? ["Deny"] : undefined;
  return [
    { plural: `${does}admissionpolicies`, fields: { matchConstraints, ...spec } },
    { plural: `${does}admissionpolicybindings`, fields: { policyName: `${name}-{ns}`, validationActions } },
  ].map(({ plural, fields }) =>
    POST(`${admission}/${plural}`, { metadata: { name: `${name}-{ns}` }, spec: fields }, { unrecorded: true }),
  );
}

const withoutPid = "Object{ spec: Object.spec{ hostPID: false } }";

function of(name: string, spec: object): RequestStep {
  return POST(`${core}/pods?dryRun=All`, { metadata: { name: "a", labels: { case: name } }, spec }, { pick: outcome });
}

/** Pod Security judges what the mutating admission has made, before validating policies do. */
export const scenarios: Scenarios = {
  "pod-security-order": [
    ...policy("mutating", "mutated", {
      reinvocationPolicy: "Never",
      mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: withoutPid } }],
    }),
    ...policy("validating", "denied", { validations: [{ expression: "false" }] }),
    { ...of("denied", insecure), until: (_, status) => status === 422, unrecorded: true },
    { ...of("mutated", host), until: ({ spec }) => spec?.hostPID !== true, unrecorded: true },
    ...label({ enforce: "baseline" }, host, isRejected),
    of("mutated", host),
    of("denied", host),
    of("denied", insecure),
    ...["mutating", "validating"].flatMap((does, index) =>
      [`${does}admissionpolicybindings`, `${does}admissionpolicies`].map((plural): Step =>
        DELETE(`${admission}/${plural}/${["mutated", "denied"][index]}-{ns}`, { unrecorded: true }),
      ),
    ),
  ],
};
