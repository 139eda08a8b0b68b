import { customKind } from "../../custom-kind.ts";
import { merge, type Scenarios, type Step } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { configure, create, remove, rule, webhook } from "../../webhook-configurations.ts";
import { DELETE, PATCH, POST, PUT } from "../../requests.ts";

const twofold = customKind("twofold");
twofold.crd.spec.versions = ["v1", "v2"].map((name) => ({
  ...twofold.crd.spec.versions[0],
  name,
  storage: name === "v2",
  schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
}));
const ofVersion1 = [
  { apiGroups: ["twofold.example.com"], apiVersions: ["v1"], resources: ["things"], operations: ["CREATE", "UPDATE"] },
];
const twofoldPath = (version: string): string => twofold.path.replace("/v1/", `/${version}/`);
const twofoldObject = (version: string, label: string) => ({
  apiVersion: `twofold.example.com/${version}`,
  kind: "Thing",
  metadata: { name: `t-${label}`, labels: { case: label } },
});
const refusals = ["deny", "deny-silently", "deny-reason", "deny-forbidden", "deny-teapot", "deny-success", "warn"];
const failures = ["other-uid", "no-response", "other-version", "error", "refused", "nowhere"];
const all = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

export const scenarios: Scenarios = {
  "webhooks-services": [
    POST(
      "/api/v1/namespaces/{ns}/services",
      { metadata: { name: "hooks" }, spec: { ports: [{ port: 80 }] } },
      { unrecorded: true },
    ),
    ...configure("Validating", "services", [
      webhook("no-service", { clientConfig: { service: { namespace: "{ns}", name: "absent", path: "/v" } } }),
      webhook("no-port", { clientConfig: { service: { namespace: "{ns}", name: "hooks" } } }),
    ]),
    create("no-service"),
    create("no-port"),
    ...remove("validating", "services"),
  ],
  "webhooks-validating": [
    ...configure("Validating", "validating", [
      ...[...refusals, ...failures, "slow"].map((name) => webhook(name)),
      ...["error", "slow", "other-uid"].map((name) =>
        webhook(name, {
          name: `${name}-ignored.example.com`,
          failurePolicy: "Ignore",
          objectSelector: { matchLabels: { case: `${name}-ignored` } },
        }),
      ),
      webhook("allow", { sideEffects: "NoneOnDryRun" }),
      webhook("deny", {
        name: "conditions.example.com",
        objectSelector: { matchLabels: { case: "conditions" } },
        matchConditions: [
          { name: "no-admin", expression: "request.userInfo.username != 'nobody'" },
          { name: "new", expression: "oldObject == null && object.metadata.name.startsWith('m-')" },
        ],
      }),
      webhook("deny", {
        name: "unmet.example.com",
        objectSelector: { matchLabels: { case: "unmet" } },
        matchConditions: [{ name: "never", expression: "request.operation == 'DELETE'" }],
      }),
    ]),
    ...refusals.map((name) => create(name)),
    ...failures.map((name) => create(name)),
    create("slow"),
    ...["error-ignored", "slow-ignored", "other-uid-ignored", "allow", "conditions", "unmet"].map((name) =>
      create(name),
    ),
    ...remove("validating", "validating"),
  ],
  "webhooks-mutating": {
    managedFields: true,
    steps: [
      ...configure("Mutating", "mutating", [
        ...["patch", "patch-nothing", "patch-wrongly", "patch-untyped", "patch-text", "deny", "warn"].map((name) =>
          webhook(name, { rules: [{ ...rule, operations: ["CREATE", "UPDATE"] }] }),
        ),
        webhook("append-a", { objectSelector: { matchLabels: { case: "twice" } }, reinvocationPolicy: "IfNeeded" }),
        webhook("append-b", { objectSelector: { matchLabels: { case: "twice" } } }),
      ]),
      create("patch"),
      create("patch", "?dryRun=All"),
      PATCH(`${maps}/m-patch`, merge, { data: null, metadata: { annotations: { a: "b" } } }),
      PATCH(
        `${maps}/m-patch?fieldManager=me`,
        { "content-type": "application/apply-patch+yaml" },
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m-patch", annotations: { x: "y" } } },
      ),
      PUT(`${maps}/m-patch`, { metadata: { name: "m-patch", labels: { case: "patch", z: "" } } }),
      create("patch-nothing"),
      create("patch-wrongly"),
      create("patch-untyped"),
      // The words are those of a JSON parser.
      { ...create("patch-text"), pick: ({ code, reason }) => ({ code, reason }) },
      create("deny"),
      create("warn"),
      create("twice"),
      ...remove("mutating", "mutating"),
    ],
  },
  "webhooks-request": [
    { ...create("tell"), unrecorded: true },
    ...configure("Validating", "telling", [webhook("tell", { rules: [{ ...rule, operations: all }] })]),
    POST(`${maps}?fieldManager=me&dryRun=All&fieldValidation=Strict`, {
      metadata: { generateName: "gen-", labels: { case: "tell" } },
      data: { a: "b" },
    }),
    PATCH(`${maps}/m-tell`, merge, { data: { a: "b" } }),
    PUT(`${maps}/m-tell`, { metadata: { name: "m-tell", labels: { case: "tell" } }, data: { b: "c" } }),
    PATCH(
      `${maps}/m-tell?fieldManager=me&force=true`,
      { "content-type": "application/apply-patch+yaml" },
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m-tell" }, data: { x: "y" } },
    ),
    DELETE(`${maps}/m-tell?gracePeriodSeconds=7`),
    DELETE(`${maps}/m-tell`, { body: { propagationPolicy: "Foreground" } }),
    ...remove("validating", "telling"),
  ],
  "webhooks-equivalent": [
    ...twofold.install,
    ...configure("Mutating", "changing", [webhook("append-a", { rules: ofVersion1 })]),
    ...configure("Validating", "asking", [
      webhook("tell", { rules: ofVersion1 }),
      webhook("deny", { rules: ofVersion1, matchPolicy: "Exact" }),
    ]),
    ...["v1", "v2"].flatMap((version): Step[] => [
      POST(twofoldPath(version), twofoldObject(version, "tell")),
      POST(`${twofoldPath(version)}?dryRun=All`, twofoldObject(version, "deny")),
      POST(`${twofoldPath(version)}?dryRun=All`, twofoldObject(version, "append-a")),
    ]),
    POST(twofoldPath("v2"), twofoldObject("v2", "none")),
    PATCH(`${twofoldPath("v2")}/t-none`, merge, { metadata: { labels: { case: "tell" } }, data: { x: "y" } }),
    ...remove("mutating", "changing"),
    ...remove("validating", "asking"),
  ],
};
