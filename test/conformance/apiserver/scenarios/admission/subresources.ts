import { customKind } from "../../custom-kind.ts";
import { bind, clean, settle } from "../../policy-bindings.ts";
import { apply, merge, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { core, deployments, namespaces, pods } from "../../steps.ts";
import { configure, remove, webhook } from "../../webhook-configurations.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

const all = (...resources: string[]): object[] => [
  { apiGroups: ["*"], apiVersions: ["*"], resources, operations: ["*"] },
];
const spec = { containers: [{ name: "c", image: "i" }] };
const create = (path: string, body: object): RequestStep => POST(path, body, { unrecorded: true });
const createPod = (name: string, labels: object = {}): RequestStep =>
  create(pods, { metadata: { name, labels }, spec });
const createDeployment = (name: string, labels: object = {}): RequestStep =>
  create(deployments, {
    metadata: { name, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec },
    },
  });
const binding = (name: string, labels: object = {}, node = "n"): object => ({
  metadata: { name, labels },
  target: { kind: "Node", name: node },
});
const eviction = (name: string, fields: object = {}): object => ({ metadata: { name }, ...fields });
const execute = (query: string): RequestStep => POST(`${pods}/p/exec?${query}`);

/** Each part of an object that has a kind of its own. */
const parts: readonly RequestStep[] = [
  POST(`${pods}/p/binding`, binding("p", { a: "b" })),
  POST(`${pods}/p/binding?dryRun=All&fieldManager=me&fieldValidation=Strict`, binding("p")),
  POST(`${core}/bindings`, binding("p")),
  POST(`${core}/bindings`, { ...binding("p"), metadata: { name: "p", uid: "x", generateName: "g" } }),
  POST(`${core}/bindings`, binding("none")),
  POST(`${pods}/none/binding`, binding("none")),
  POST(`${pods}/p/binding`, binding("other")),
  POST(`${pods}/p/eviction`, eviction("p")),
  POST(`${pods}/p/eviction?dryRun=All`, eviction("p", { deleteOptions: { gracePeriodSeconds: 3 } })),
  POST(`${pods}/p/eviction`, eviction("p", { deleteOptions: { dryRun: ["All"] } })),
  POST(`${pods}/none/eviction`, eviction("none")),
  POST(`${pods}/p/eviction`, eviction("other")),
  // Without an audience, a token is for the server, whose name depends on its configuration.
  POST(`${core}/serviceaccounts/sa/token`, { spec: { expirationSeconds: 700, audiences: ["x"] } }),
  POST(`${core}/serviceaccounts/sa/token?dryRun=All`, { spec: { audiences: ["x"] } }),
  POST(`${core}/serviceaccounts/sa/token`, { spec: { expirationSeconds: 7 } }),
  POST(`${core}/serviceaccounts/none/token`, {}),
  execute("command=ls&command=-l&stdout=true&container=c"),
  execute("stdin=true&tty=true&stdout=1&stderr=false&command=sh"),
  execute(""),
  GET(`${pods}/p/exec?command=ls&stdout=true`),
  POST(`${pods}/none/exec?command=ls&stdout=true`),
  POST(`${pods}/p/attach?stdin=true`),
  POST(`${pods}/p/portforward`),
  POST(`${pods}/p/portforward?ports=80`),
  PATCH(`${pods}/p/ephemeralcontainers`, merge, { spec: { ephemeralContainers: [{ name: "e", image: "i" }] } }),
  PATCH(`${pods}/p/resize`, merge, {
    spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }] },
  }),
  PATCH(`${pods}/p/status`, merge, { status: { phase: "Running" } }),
  PATCH(`${deployments}/d/scale`, merge, { spec: { replicas: 3 } }),
  PUT(`${deployments}/d/scale`, { metadata: { name: "d" }, spec: { replicas: 3 } }),
  PATCH(`${deployments}/d/scale?fieldManager=me&force=true`, apply, {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name: "d" },
    spec: { replicas: 3 },
  }),
  POST("/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews", {
    metadata: { namespace: "{ns}" },
    spec: { user: "u", resourceAttributes: { namespace: "{ns}", verb: "get", resource: "pods" } },
  }),
];

const twofold = customKind("parted");
twofold.crd.spec.versions = ["v1", "v2"].map((name) => ({
  ...twofold.crd.spec.versions[0],
  name,
  storage: name === "v2",
  schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
  subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
}));
const patterns = ["pods/*", "*/binding", "*/*", "*", "pods", "bindings", "pods/binding", "bindings/*"];
const labelOf = (pattern: string): string => pattern.replaceAll("*", "all").replaceAll("/", "-");
const probed = (pattern: string): Record<string, unknown> =>
  webhook("deny", {
    name: `${labelOf(pattern)}.example.com`,
    rules: all(pattern),
    objectSelector: { matchLabels: { case: labelOf(pattern) } },
  });
const condition = (name: string, resource: string, expression: string): Record<string, unknown> =>
  webhook("deny", {
    name: `${name}.example.com`,
    rules: all(resource),
    objectSelector: {},
    matchConditions: [{ name, expression }],
  });
const code = ({ code: refused, message }: any): unknown => (refused === undefined ? "accepted" : { refused, message });
const picked = (step: RequestStep): RequestStep => ({ ...step, pick: code });
const told = { matchLabels: { case: "tell" } };

/** What policies demand of parts: the resource and an expression. */
const judgements: Readonly<Record<string, readonly [string, string]>> = {
  bound: ["pods/binding", "object.target.name != 'bad' || oldObject != null"],
  bindings: ["bindings", "object.target.name != 'bad'"],
  evicted: ["pods/eviction", "has(object.deleteOptions) && object.deleteOptions.gracePeriodSeconds < 5"],
  executed: ["pods/exec", "!has(object.stdin) || !object.stdin"],
  forwarded: ["pods/portforward", "object.ports == [443]"],
  issued: ["serviceaccounts/token", "object.spec.expirationSeconds <= 3600"],
  scaled: [
    "*/scale",
    "object.spec.replicas < 5 && object.kind == 'Scale' && request.resource.resource == 'deployments'",
  ],
};

export const scenarios: Scenarios = {
  "admission-of-namespaces": [
    ...configure("Validating", "of-namespaces", [
      webhook("tell", {
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces/*"], operations: ["*"] }],
        namespaceSelector: told,
        objectSelector: {},
      }),
    ]),
    POST(namespaces, { metadata: { name: "{ns}-new", labels: { case: "tell" } } }),
    PATCH(`${namespaces}/{ns}`, merge, { metadata: { labels: { case: "tell" } } }),
    ...remove("validating", "of-namespaces"),
    PATCH(`${namespaces}/{ns}`, merge, { metadata: { labels: { case: "tell" } } }),
    ...configure("Validating", "on-namespaces", [
      webhook("tell", {
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces/*"], operations: ["*"] }],
        namespaceSelector: told,
        objectSelector: {},
      }),
    ]),
    PATCH(`${namespaces}/{ns}`, merge, { metadata: { labels: { more: "yes" } } }),
    PATCH(`${namespaces}/{ns}/status`, merge, { status: { phase: "Active" } }),
    PUT(`${namespaces}/{ns}/finalize`, { metadata: { name: "{ns}" }, spec: {} }),
    DELETE(`${namespaces}/{ns}`),
    ...remove("validating", "on-namespaces"),
  ],
  "admission-of-parts": [
    createPod("p"),
    createDeployment("d"),
    create(`${core}/serviceaccounts`, { metadata: { name: "sa" } }),
    ...configure("Validating", "of-parts", [webhook("tell", { rules: all("*/*"), objectSelector: {} })]),
    ...parts,
    ...remove("validating", "of-parts"),
    ...configure("Mutating", "in-parts", [webhook("tell", { rules: all("*/*"), objectSelector: {} })]),
    ...parts,
    POST(`${core}/serviceaccounts/sa/token`, {}),
    ...remove("mutating", "in-parts"),
  ],
  "admission-patterns": [
    createPod("p"),
    createPod("v"),
    createDeployment("d", { case: "labelled" }),
    create(`${core}/serviceaccounts`, { metadata: { name: "sa" } }),
    ...configure("Validating", "patterns", [
      ...patterns.map(probed),
      condition(
        "bound",
        "pods/binding",
        "object.target.name == 'bad' && oldObject == null && request.kind.kind == 'Binding'",
      ),
      condition("evicted", "pods/eviction", "request.kind.group == 'policy' && has(object.deleteOptions)"),
      condition("run", "pods/exec", "request.operation == 'CONNECT' && object.command == ['rm'] && !has(object.stdin)"),
      condition(
        "token",
        "serviceaccounts/*",
        "request.kind.kind == 'TokenRequest' && object.spec.audiences == ['bad']",
      ),
      condition("scale", "*/scale", "object.kind == 'Scale' && object.spec.replicas > oldObject.spec.replicas"),
      webhook("deny", {
        name: "labelled.example.com",
        rules: all("*/scale", "pods/exec"),
        objectSelector: { matchLabels: { case: "labelled" } },
      }),
      webhook("deny", {
        name: "unlabelled.example.com",
        rules: all("pods/attach"),
        objectSelector: { matchExpressions: [{ key: "x", operator: "DoesNotExist" }] },
      }),
      webhook("deny", { name: "attached.example.com", rules: all("pods/attach"), objectSelector: {} }),
      webhook("deny", {
        name: "deleted.example.com",
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods", "pods/eviction"], operations: ["DELETE"] }],
        objectSelector: {},
      }),
    ]),
    ...patterns.flatMap((pattern): Step[] => [
      picked(POST(`${pods}/p/binding?dryRun=All`, binding("p", { case: labelOf(pattern) }))),
      picked(POST(`${core}/bindings?dryRun=All`, binding("p", { case: labelOf(pattern) }))),
    ]),
    picked(POST(`${pods}/p/binding?dryRun=All`, binding("p", {}, "bad"))),
    picked(POST(`${pods}/p/eviction?dryRun=All`, eviction("p", { deleteOptions: {} }))),
    picked(POST(`${pods}/p/eviction?dryRun=All`, eviction("p"))),
    POST(`${pods}/v/eviction`, eviction("v")),
    picked(execute("command=rm&stdout=true")),
    picked(POST(`${pods}/p/attach?stdin=true`)),
    picked(POST(`${core}/serviceaccounts/sa/token`, { spec: { audiences: ["bad"] } })),
    picked(PATCH(`${deployments}/d/scale?dryRun=All`, merge, { spec: { replicas: 3 } })),
    picked(PATCH(`${deployments}/d/scale?dryRun=All`, merge, { spec: { replicas: 1 } })),
    ...remove("validating", "patterns"),
  ],
  "admission-of-changed-parts": [
    createPod("p"),
    createPod("q"),
    createPod("e"),
    createDeployment("d"),
    create(`${core}/serviceaccounts`, { metadata: { name: "sa" } }),
    ...configure("Mutating", "changed-parts", [
      webhook("target-other", { rules: all("pods/binding"), objectSelector: {} }),
      webhook("replicas-seven", { rules: all("*/scale"), objectSelector: {} }),
      webhook("dry-eviction", { rules: all("pods/eviction"), objectSelector: {} }),
      webhook("audience", { rules: all("serviceaccounts/token"), objectSelector: {} }),
    ]),
    POST(`${pods}/p/binding`, binding("p")),
    GET(`${pods}/p`, { pick: ({ spec: { nodeName } }: any) => nodeName }),
    POST(`${core}/bindings`, binding("q")),
    GET(`${pods}/q`, { pick: ({ spec: { nodeName } }: any) => nodeName }),
    POST(`${pods}/e/eviction`, eviction("e")),
    GET(`${pods}/e`, { pick: ({ metadata: { name } }: any) => name }),
    POST(`${core}/serviceaccounts/sa/token`, {}, { pick: ({ spec: asked }: any) => asked }),
    PATCH(`${deployments}/d/scale`, merge, { spec: { replicas: 3 } }),
    PATCH(`${deployments}/d/scale`, merge, {}),
    PUT(`${deployments}/d/scale`, { metadata: { name: "d" }, spec: { replicas: 4 } }),
    GET(`${deployments}/d`, { pick: ({ spec: { replicas } }: any) => replicas }),
    ...remove("mutating", "changed-parts"),
  ],
  "admission-of-other-versions": [
    ...twofold.install,
    create(twofold.path, twofold.object("t", { spec: { replicas: 1 } })),
    ...configure("Validating", "other-versions", [
      webhook("tell", {
        rules: [{ ...all("things/*")[0], apiGroups: ["parted.example.com"], apiVersions: ["v1"] }],
        objectSelector: {},
      }),
      webhook("tell", {
        name: "autoscaler.example.com",
        rules: [{ ...all("horizontalpodautoscalers/status")[0], apiGroups: ["autoscaling"], apiVersions: ["v2"] }],
        objectSelector: {},
      }),
    ]),
    ...["v1", "v2"].flatMap((version): Step[] =>
      ["scale", "status"].map((part) =>
        PATCH(`${twofold.path.replace("/v1/", `/${version}/`)}/t/${part}`, merge, {
          spec: { replicas: 2 },
          status: { replicas: 2 },
        }),
      ),
    ),
    ...remove("validating", "other-versions"),
  ],
  "policies-of-parts": [
    createPod("p"),
    createDeployment("d"),
    create(`${core}/serviceaccounts`, { metadata: { name: "sa" } }),
    ...Object.entries(judgements).flatMap(([name, [resource, expression]]) =>
      bind({
        name,
        spec: { constraints: { resourceRules: all(resource), objectSelector: {} }, validations: [{ expression }] },
      }),
    ),
    ...settle(),
    picked(POST(`${pods}/p/binding?dryRun=All`, binding("p", {}, "bad"))),
    picked(POST(`${pods}/p/binding?dryRun=All`, binding("p"))),
    picked(POST(`${core}/bindings?dryRun=All`, binding("p", {}, "bad"))),
    picked(POST(`${pods}/p/eviction?dryRun=All`, eviction("p"))),
    picked(POST(`${pods}/p/eviction?dryRun=All`, eviction("p", { deleteOptions: { gracePeriodSeconds: 7 } }))),
    picked(execute("command=ls&stdout=true&stdin=true")),
    picked(POST(`${pods}/p/portforward?ports=80`)),
    picked(POST(`${core}/serviceaccounts/sa/token`, { spec: { expirationSeconds: 7000 } })),
    picked(PATCH(`${deployments}/d/scale?dryRun=All`, merge, { spec: { replicas: 9 } })),
    ...clean(Object.keys(judgements)),
  ],
};
