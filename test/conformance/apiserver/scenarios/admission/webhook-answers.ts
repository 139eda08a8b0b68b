import { customKind } from "../../custom-kind.ts";
import { apply, merge, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { maps, text, words } from "../../steps.ts";
import { configure, create, remove, rule, webhook } from "../../webhook-configurations.ts";
import { GET, PATCH, POST, PUT } from "../../requests.ts";

const hooked = customKind("hooked", {
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            x: text,
            n: { type: "integer", minimum: 1, default: 1 },
            deep: { type: "object", properties: { x: text, d: { ...text, default: "d" } } },
          },
        },
        status: { type: "object", properties: { phase: text } },
      },
    },
  },
  subresources: { status: {} },
});
const ofHooked = [
  { apiGroups: ["hooked.example.com"], apiVersions: ["v1"], resources: ["things"], operations: ["CREATE", "UPDATE"] },
];
const changes = words(`
  spec-unknown  spec-deep  spec-invalid  spec-type  spec-null  spec-none  status-add  top-unknown  meta-label
  meta-number  meta-unknown  meta-name  meta-namespace  meta-uid  meta-generation  meta-version  kind-other
  version-other
`);
const thing = (label: string, name = `t-${label}`): unknown =>
  hooked.object(name, { metadata: { name, labels: { case: label } }, spec: { x: "y" } });
const createThing = (label: string, query = ""): RequestStep => POST(`${hooked.path}${query}`, thing(label));
const patchThing = (label: string): RequestStep =>
  PATCH(`${hooked.path}/t-none?fieldManager=edit`, merge, {
    metadata: { labels: { case: label } },
    spec: { x: label },
  });
const patches = words(`
  patch-map  patch-null  patch-number  patch-nulls  patch-empty  patch-no-op  patch-unknown-op  patch-no-path
  patch-no-value  patch-root  patch-test  patch-remove-none  patch-encoding  patch-no-text  patch-merge
  patch-type-alone  patch-denied
`);
const unchanged = ["deny", "warn"];
const statuses = words(`
  deny-403  deny-403-silently  deny-404  deny-message-list  deny-reason-number  deny-details-text  deny-causes-map
  deny-status-map  deny-unknown  deny-nulls  allow-nulls  warn-text  warn-numbers  warn-null  annotations-list
  annotations-number  http-500-empty  http-500-untyped  http-500-html
`);
const answers = words(`
  deny-details  deny-typed  allow-text  http-500-status  http-403-status  http-422-status  http-409
  http-503  http-204  http-empty  http-null  http-array
`);

/** Spellings of a URL's path, which reach the webhook in one form. */
const paths = ["//deny", "/deny/", "/x/../deny", "/./deny", "/x//../deny//", "/%64eny", "/deny%2F", "", "/"];

export const scenarios: Scenarios = {
  "webhooks-custom": {
    managedFields: true,
    steps: [
      ...hooked.install,
      ...configure(
        "Mutating",
        "custom-changes",
        changes.map((name) => webhook(name, { rules: ofHooked })),
      ),
      ...changes.map((name) => createThing(name)),
      ...changes.map((name) => createThing(name, "?dryRun=All")),
      createThing("none"),
      ...changes.map((name) => patchThing(name)),
      PATCH(`${hooked.path}/t-applied?fieldManager=me`, apply, thing("spec-deep", "t-applied")),
      PATCH(`${hooked.path}/t-none/status?fieldManager=me`, merge, {
        metadata: { labels: { case: "spec-deep" } },
        status: { phase: "x" },
      }),
      ...remove("mutating", "custom-changes"),
    ],
  },
  "webhooks-patches": [
    ...configure(
      "Mutating",
      "patches",
      patches.map((name) => webhook(name)),
    ),
    ...patches.map((name) => create(name)),
    ...remove("mutating", "patches"),
  ],
  "webhooks-answers": [
    ...configure("Validating", "answers", [
      ...answers.map((name) => webhook(name)),
      webhook("beta", { name: "beta-to-v1.example.com", objectSelector: { matchLabels: { case: "beta-to-v1" } } }),
      webhook("deny", {
        name: "leaf.example.com",
        objectSelector: { matchLabels: { case: "leaf" } },
        clientConfig: { url: "{webhook}/deny", caBundle: "{cert}" },
      }),
      webhook("patch", { objectSelector: { matchLabels: { case: "patch-validating" } } }),
    ]),
    ...answers.map((name) => create(name)),
    ...["beta-to-v1", "leaf", "patch-validating"].map((name) => create(name)),
    ...remove("validating", "answers"),
  ],
  "webhooks-unchanged": {
    managedFields: true,
    steps: [
      ...unchanged.flatMap((name) => [
        create(name),
        PATCH(`${maps}/m-${name}?fieldManager=me`, apply, {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: `m-${name}` },
          data: { a: "b" },
        }),
      ]),
      ...configure(
        "Validating",
        "unchanged",
        unchanged.map((name) => webhook(name, { rules: [{ ...rule, operations: ["UPDATE"] }] })),
      ),
      // An update that changes nothing is validated, too.
      ...unchanged.flatMap((name) => [
        PATCH(`${maps}/m-${name}`, merge, {}),
        PATCH(`${maps}/m-${name}?dryRun=All`, merge, { data: { a: "b" } }),
        PUT(`${maps}/m-${name}`, { metadata: { name: `m-${name}`, labels: { case: name } }, data: { a: "b" } }),
        PATCH(`${maps}/m-${name}?fieldManager=me`, apply, {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: `m-${name}` },
          data: { a: "b" },
        }),
        GET(`${maps}/m-${name}`),
      ]),
      ...remove("validating", "unchanged"),
    ],
  },
  "webhooks-statuses": [
    ...configure(
      "Validating",
      "statuses",
      statuses.map((name) => webhook(name)),
    ),
    ...statuses.map((name) => create(name)),
    ...remove("validating", "statuses"),
  ],
  "webhooks-paths": [
    ...configure(
      "Validating",
      "paths",
      paths.map((path, index) =>
        webhook("deny", {
          name: `p${index}.example.com`,
          objectSelector: { matchLabels: { case: `p${index}` } },
          clientConfig: { url: `{webhook}${path}`, caBundle: "{ca}" },
        }),
      ),
    ),
    ...paths.map((_, index) => create(`p${index}`)),
    ...remove("validating", "paths"),
  ],
  "webhooks-built-in-versions": [
    ...configure("Validating", "built-in-versions", [
      webhook("tell", {
        rules: [
          {
            ...rule,
            apiGroups: ["autoscaling"],
            apiVersions: ["v1"],
            resources: ["horizontalpodautoscalers"],
            operations: ["CREATE", "UPDATE"],
          },
          { ...rule, apiGroups: ["events.k8s.io"], resources: ["events"], operations: ["CREATE"] },
        ],
      }),
    ]),
    ...["v1", "v2"].map((version): Step =>
      POST(`/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers`, {
        metadata: { name: version, labels: { case: "tell" } },
        spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
      }),
    ),
    POST("/api/v1/namespaces/{ns}/events", {
      metadata: { name: "e", labels: { case: "tell" } },
      involvedObject: { kind: "Pod", name: "p", namespace: "{ns}" },
      reason: "R",
      type: "Normal",
    }),
    ...remove("validating", "built-in-versions"),
  ],
};
