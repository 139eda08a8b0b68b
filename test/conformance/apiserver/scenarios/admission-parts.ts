import { customKind } from "../custom-kind.ts";
import { apply, merge, type RequestStep, type Scenario, type Step } from "../scenario.ts";
import { bind, clean, settle } from "./policies.ts";
import { configure, remove, webhook } from "./webhooks.ts";

const core = "/api/v1/namespaces/{ns}";
const pods = `${core}/pods`;
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const all = (...resources: string[]): object[] => [
  { apiGroups: ["*"], apiVersions: ["*"], resources, operations: ["*"] },
];
const spec = { containers: [{ name: "c", image: "i" }] };
const create = (path: string, body: object): RequestStep => ({ request: `POST ${path}`, body, unrecorded: true });
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
const execute = (query: string): RequestStep => ({ request: `POST ${pods}/p/exec?${query}` });

/** Each part of an object that has a kind of its own. */
const parts: readonly RequestStep[] = [
  { request: `POST ${pods}/p/binding`, body: binding("p", { a: "b" }) },
  { request: `POST ${pods}/p/binding?dryRun=All&fieldManager=me&fieldValidation=Strict`, body: binding("p") },
  { request: `POST ${core}/bindings`, body: binding("p") },
  { request: `POST ${core}/bindings`, body: { ...binding("p"), metadata: { name: "p", uid: "x", generateName: "g" } } },
  { request: `POST ${core}/bindings`, body: binding("none") },
  { request: `POST ${pods}/none/binding`, body: binding("none") },
  { request: `POST ${pods}/p/binding`, body: binding("other") },
  { request: `POST ${pods}/p/binding`, body: { metadata: { name: "p" }, target: {} } },
  { request: `POST ${pods}/p/eviction`, body: eviction("p") },
  { request: `POST ${pods}/p/eviction?dryRun=All`, body: eviction("p", { deleteOptions: { gracePeriodSeconds: 3 } }) },
  { request: `POST ${pods}/p/eviction`, body: eviction("p", { deleteOptions: { dryRun: ["All"] } }) },
  { request: `POST ${pods}/none/eviction`, body: eviction("none") },
  { request: `POST ${pods}/p/eviction`, body: eviction("other") },
  // Without an audience, a token is for the server, whose name depends on its configuration.
  { request: `POST ${core}/serviceaccounts/sa/token`, body: { spec: { expirationSeconds: 700, audiences: ["x"] } } },
  { request: `POST ${core}/serviceaccounts/sa/token?dryRun=All`, body: { spec: { audiences: ["x"] } } },
  { request: `POST ${core}/serviceaccounts/sa/token`, body: { spec: { expirationSeconds: 7 } } },
  { request: `POST ${core}/serviceaccounts/none/token`, body: {} },
  execute("command=ls&command=-l&stdout=true&container=c"),
  execute("stdin=true&tty=true&stdout=1&stderr=false&command=sh"),
  execute(""),
  { request: `GET ${pods}/p/exec?command=ls&stdout=true` },
  { request: `POST ${pods}/none/exec?command=ls&stdout=true` },
  { request: `POST ${pods}/p/attach?stdin=true` },
  { request: `POST ${pods}/p/portforward` },
  { request: `POST ${pods}/p/portforward?ports=80` },
  {
    request: `PATCH ${pods}/p/ephemeralcontainers`,
    headers: merge,
    body: { spec: { ephemeralContainers: [{ name: "e", image: "i" }] } },
  },
  {
    request: `PATCH ${pods}/p/resize`,
    headers: merge,
    body: { spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }] } },
  },
  { request: `PATCH ${pods}/p/status`, headers: merge, body: { status: { phase: "Running" } } },
  { request: `PATCH ${deployments}/d/scale`, headers: merge, body: { spec: { replicas: 3 } } },
  { request: `PUT ${deployments}/d/scale`, body: { metadata: { name: "d" }, spec: { replicas: 3 } } },
  {
    request: `PATCH ${deployments}/d/scale?fieldManager=me&force=true`,
    headers: apply,
    body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "d" }, spec: { replicas: 3 } },
  },
  {
    request: `POST /apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews`,
    body: {
      metadata: { namespace: "{ns}" },
      spec: { user: "u", resourceAttributes: { namespace: "{ns}", verb: "get", resource: "pods" } },
    },
  },
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
const namespaces = "/api/v1/namespaces";

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

export const admissionPartScenarios: readonly Scenario[] = [
  {
    name: "admission-of-namespaces",
    steps: [
      ...configure("Validating", "of-namespaces", [
        webhook("tell", {
          rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces/*"], operations: ["*"] }],
          namespaceSelector: told,
          objectSelector: {},
        }),
      ]),
      { request: `POST ${namespaces}`, body: { metadata: { name: "{ns}-new", labels: { case: "tell" } } } },
      { request: `PATCH ${namespaces}/{ns}`, headers: merge, body: { metadata: { labels: { case: "tell" } } } },
      ...remove("validating", "of-namespaces"),
      { request: `PATCH ${namespaces}/{ns}`, headers: merge, body: { metadata: { labels: { case: "tell" } } } },
      ...configure("Validating", "on-namespaces", [
        webhook("tell", {
          rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces/*"], operations: ["*"] }],
          namespaceSelector: told,
          objectSelector: {},
        }),
      ]),
      { request: `PATCH ${namespaces}/{ns}`, headers: merge, body: { metadata: { labels: { more: "yes" } } } },
      { request: `PATCH ${namespaces}/{ns}/status`, headers: merge, body: { status: { phase: "Active" } } },
      { request: `PUT ${namespaces}/{ns}/finalize`, body: { metadata: { name: "{ns}" }, spec: {} } },
      { request: `DELETE ${namespaces}/{ns}` },
      ...remove("validating", "on-namespaces"),
    ],
  },
  {
    name: "admission-of-parts",
    steps: [
      createPod("p"),
      createDeployment("d"),
      create(`${core}/serviceaccounts`, { metadata: { name: "sa" } }),
      ...configure("Validating", "of-parts", [webhook("tell", { rules: all("*/*"), objectSelector: {} })]),
      ...parts,
      ...remove("validating", "of-parts"),
      ...configure("Mutating", "in-parts", [webhook("tell", { rules: all("*/*"), objectSelector: {} })]),
      ...parts,
      { request: `POST ${core}/serviceaccounts/sa/token`, body: {} },
      ...remove("mutating", "in-parts"),
    ],
  },
  {
    name: "admission-patterns",
    steps: [
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
        condition(
          "run",
          "pods/exec",
          "request.operation == 'CONNECT' && object.command == ['rm'] && !has(object.stdin)",
        ),
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
          rules: [
            { apiGroups: [""], apiVersions: ["v1"], resources: ["pods", "pods/eviction"], operations: ["DELETE"] },
          ],
          objectSelector: {},
        }),
      ]),
      ...patterns.flatMap((pattern): Step[] => [
        picked({ request: `POST ${pods}/p/binding?dryRun=All`, body: binding("p", { case: labelOf(pattern) }) }),
        picked({ request: `POST ${core}/bindings?dryRun=All`, body: binding("p", { case: labelOf(pattern) }) }),
      ]),
      picked({ request: `POST ${pods}/p/binding?dryRun=All`, body: binding("p", {}, "bad") }),
      picked({ request: `POST ${pods}/p/eviction?dryRun=All`, body: eviction("p", { deleteOptions: {} }) }),
      picked({ request: `POST ${pods}/p/eviction?dryRun=All`, body: eviction("p") }),
      { request: `POST ${pods}/v/eviction`, body: eviction("v") },
      picked(execute("command=rm&stdout=true")),
      picked({ request: `POST ${pods}/p/attach?stdin=true` }),
      picked({ request: `POST ${core}/serviceaccounts/sa/token`, body: { spec: { audiences: ["bad"] } } }),
      picked({ request: `PATCH ${deployments}/d/scale?dryRun=All`, headers: merge, body: { spec: { replicas: 3 } } }),
      picked({ request: `PATCH ${deployments}/d/scale?dryRun=All`, headers: merge, body: { spec: { replicas: 1 } } }),
      ...remove("validating", "patterns"),
    ],
  },
  {
    name: "admission-of-changed-parts",
    steps: [
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
      { request: `POST ${pods}/p/binding`, body: binding("p") },
      { request: `GET ${pods}/p`, pick: ({ spec: { nodeName } }: any) => nodeName },
      { request: `POST ${core}/bindings`, body: binding("q") },
      { request: `GET ${pods}/q`, pick: ({ spec: { nodeName } }: any) => nodeName },
      { request: `POST ${pods}/e/eviction`, body: eviction("e") },
      { request: `GET ${pods}/e`, pick: ({ metadata: { name } }: any) => name },
      { request: `POST ${core}/serviceaccounts/sa/token`, body: {}, pick: ({ spec: asked }: any) => asked },
      { request: `PATCH ${deployments}/d/scale`, headers: merge, body: { spec: { replicas: 3 } } },
      { request: `PATCH ${deployments}/d/scale`, headers: merge, body: {} },
      { request: `PUT ${deployments}/d/scale`, body: { metadata: { name: "d" }, spec: { replicas: 4 } } },
      { request: `GET ${deployments}/d`, pick: ({ spec: { replicas } }: any) => replicas },
      ...remove("mutating", "changed-parts"),
    ],
  },
  {
    name: "admission-of-other-versions",
    steps: [
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
        ["scale", "status"].map((part) => ({
          request: `PATCH ${twofold.path.replace("/v1/", `/${version}/`)}/t/${part}`,
          headers: merge,
          body: { spec: { replicas: 2 }, status: { replicas: 2 } },
        })),
      ),
      ...remove("validating", "other-versions"),
    ],
  },
  {
    name: "policies-of-parts",
    steps: [
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
      picked({ request: `POST ${pods}/p/binding?dryRun=All`, body: binding("p", {}, "bad") }),
      picked({ request: `POST ${pods}/p/binding?dryRun=All`, body: binding("p") }),
      picked({ request: `POST ${core}/bindings?dryRun=All`, body: binding("p", {}, "bad") }),
      picked({ request: `POST ${pods}/p/eviction?dryRun=All`, body: eviction("p") }),
      picked({
        request: `POST ${pods}/p/eviction?dryRun=All`,
        body: eviction("p", { deleteOptions: { gracePeriodSeconds: 7 } }),
      }),
      picked(execute("command=ls&stdout=true&stdin=true")),
      picked({ request: `POST ${pods}/p/portforward?ports=80` }),
      picked({ request: `POST ${core}/serviceaccounts/sa/token`, body: { spec: { expirationSeconds: 7000 } } }),
      picked({ request: `PATCH ${deployments}/d/scale?dryRun=All`, headers: merge, body: { spec: { replicas: 9 } } }),
      ...clean(Object.keys(judgements)),
    ],
  },
];
