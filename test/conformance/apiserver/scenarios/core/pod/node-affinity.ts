import type { RequestStep, Scenarios } from "../../../scenario.ts";
import { POST } from "../../../requests.ts";

const container = { name: "c", image: "i" };
const pod = (spec: object, name = "a"): RequestStep =>
  POST(
    "/api/v1/namespaces/{ns}/pods?dryRun=All",
    { metadata: { name }, spec: { containers: [container], serviceAccountName: "default", ...spec } },
    { pick: ({ spec, ...rest }: any) => refusal(rest) ?? spec.volumes ?? "accepted" },
  );

function refusal({ code, message, details }: any): unknown {
  return code === undefined ? undefined : { code, causes: details?.causes?.map(withoutStruct) ?? message };
}

/** A real server prints Go structs, and their differences. */
const withoutStruct = (cause: any): any => ({
  ...cause,
  message: cause.message.replace(/Invalid value: \{.*\}:/, "Invalid value: {…}:").replace(/\n@@.*$/s, ""),
});

export const scenarios: Scenarios = {
  "pod-node-affinity": [
    ...[
      { nodeSelectorTerms: null },
      ...[
        { key: "a", operator: "x" },
        { key: "a" },
        { key: "", operator: "Exists" },
        { key: "a b", operator: "In", values: ["b c"] },
      ].map((requirement) => ({ nodeSelectorTerms: [{ matchExpressions: [requirement] }] })),
      ...[
        { key: "metadata.name", operator: "In", values: ["A b"] },
        { key: "x", operator: "Foo" },
      ].map((requirement) => ({ nodeSelectorTerms: [{ matchFields: [requirement] }] })),
    ].map((needed) => pod({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: needed } } })),
    pod({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } }),
    pod({ affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{}] } } }),
    ...["Lt", "Gt", "x", ""].map((operator) => pod({ tolerations: [{ key: "a", operator, effect: "x" }] })),
  ],
};
