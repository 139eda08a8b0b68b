import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { core, maps } from "../../steps.ts";
import { configure, create, remove, webhook } from "../../webhook-configurations.ts";
import { DELETE, GET, POST } from "../../requests.ts";

const all = [
  {
    apiGroups: ["", "apps"],
    apiVersions: ["v1"],
    resources: ["*/*"],
    operations: ["CREATE", "UPDATE", "DELETE", "CONNECT"],
  },
];
const container = { name: "c", image: "i" };
const labels = { case: "tell" };
const made = (path: string, body: object): RequestStep => POST(path, body, { unrecorded: true });
const dry = (method: string, path: string, body?: object): RequestStep => ({
  request: `${method} ${path}?dryRun=All`,
  ...(method === "PATCH" && { headers: merge }),
  ...(body && { body }),
});

function deployed(name: string): object {
  return {
    metadata: { name, labels },
    spec: {
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: { containers: [container] } },
    },
  };
}

const objects = [
  made(maps, { metadata: { name: "m", labels }, data: { a: "b" } }),
  made(`${core}/pods`, { metadata: { name: "p", labels }, spec: { containers: [container] } }),
  made("/apis/apps/v1/namespaces/{ns}/deployments", deployed("d")),
  made(`${core}/serviceaccounts`, { metadata: { name: "s", labels } }),
];
const deployment = "/apis/apps/v1/namespaces/{ns}/deployments/d";

/** Each kind of write, as a dry run. */
const writes = [
  dry("POST", maps, { metadata: { name: "m-tell", labels } }),
  dry("PUT", `${maps}/m`, { metadata: { name: "m", labels }, data: { a: "c" } }),
  dry("PATCH", `${maps}/m`, { data: { a: "d" } }),
  dry("PATCH", `${maps}/m`, {}),
  dry("DELETE", `${maps}/m`),
  dry("DELETE", maps),
  dry("POST", "/apis/apps/v1/namespaces/{ns}/deployments", deployed("new")),
  dry("PUT", deployment, deployed("d")),
  dry("PATCH", deployment, { spec: { replicas: 2 } }),
  dry("PATCH", `${deployment}/scale`, { spec: { replicas: 3 } }),
  dry("PATCH", `${deployment}/status`, { status: { observedGeneration: 1 } }),
  dry("POST", `${core}/pods/p/eviction`, { metadata: { name: "p" } }),
  dry("POST", `${core}/pods/p/binding`, { target: { kind: "Node", name: "n" } }),
  dry("POST", `${core}/serviceaccounts/s/token`, { spec: { audiences: ["a"] } }),
  DELETE(`${maps}/m`, { body: { kind: "DeleteOptions", apiVersion: "v1", dryRun: ["All"] } }),
  DELETE(`${maps}/m`, { body: { kind: "DeleteOptions", apiVersion: "v1", dryRun: ["Some"] } }),
  DELETE(`${maps}/m?dryRun=Some`),
  POST(`${maps}?dryRun=`, { metadata: { name: "m-tell", labels } }),
  POST(`${maps}?dryRun=All&dryRun=All`, { metadata: { name: "m-tell", labels } }),
] satisfies RequestStep[];

const group = "/apis/admissionregistration.k8s.io/v1";
const configuration = (kind: string, fields: object, without?: string): RequestStep => {
  const hook: Record<string, unknown> = { ...webhook("allow"), ...fields };
  if (without !== undefined) delete hook[without];
  return POST(
    `${group}/${kind}webhookconfigurations?dryRun=All`,
    { metadata: { name: "a" }, webhooks: [hook] },
    { pick: ({ code, message, details }) => ({ code, message, details }) },
  );
};

/** Dry runs tell webhooks so, whichever of the two allowed effects these declare. */
export const scenarios: Scenarios = {
  ...Object.fromEntries(
    (["None", "NoneOnDryRun"] as const).flatMap((sideEffects) =>
      (["Validating", "Mutating"] as const).map((kind) => {
        const name = `dry-run-${kind}-${sideEffects}`.toLowerCase();
        const steps = [
          ...objects,
          ...configure(kind, name, [webhook("tell", { rules: all, sideEffects, objectSelector: {} })]),
          ...writes,
          ...remove(kind === "Validating" ? "validating" : "mutating", name),
          GET(`${maps}/m`),
          create("tell", "?dryRun=All"),
        ];
        return [name, steps];
      }),
    ),
  ),
  "webhook-configurations-effects": ["validating", "mutating"].flatMap((kind) => [
    ...["None", "NoneOnDryRun", "Some", "Unknown", "Nope", "", null].map((sideEffects) =>
      configuration(kind, { sideEffects }),
    ),
    configuration(kind, {}, "sideEffects"),
    ...[-1, 0, 1, 30, 31, 2_147_483_648, 1.5, "5", null].map((timeoutSeconds) =>
      configuration(kind, { timeoutSeconds }),
    ),
    configuration(kind, {}, "timeoutSeconds"),
    configuration(kind, { sideEffects: "Some", timeoutSeconds: 0, failurePolicy: "Nope" }),
  ]),
};
