import { apply, jsonPatch, merge, strategic, type RequestStep, type Scenario, type Step } from "../scenario.ts";

const prefix = "pod-security.kubernetes.io/";
const namespaces = "/api/v1/namespaces";
export const core = "/api/v1/namespaces/{ns}";
const container = { name: "c", image: "i:1" };
export const insecure: object = { containers: [container] };
const secure = {
  containers: [{ ...container, securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } }],
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
};
export const host: object = { ...insecure, hostPID: true };

const labelsOf = (modes: object): object =>
  Object.fromEntries(Object.entries(modes).map(([mode, value]) => [`${prefix}${mode}`, value]));
export const outcome = ({ code, message, details, metadata }: any): unknown =>
  code === undefined ? { name: metadata.name, labels: metadata.labels } : { code, message, details };

const createNamespace = (name: string, modes: object): RequestStep => ({
  request: `POST ${namespaces}`,
  body: { metadata: { name: `{ns}-${name}`, labels: labelsOf(modes) } },
  pick: outcome,
});
const relabel = (modes: object, query = ""): RequestStep => ({
  request: `PATCH ${core}${query}`,
  headers: merge,
  body: { metadata: { labels: labelsOf(modes) } },
  pick: outcome,
});

/** Changes the labels of the scenario's namespace, and waits until a pod is answered so. */
export function label(modes: object, spec: object, isKnown: NonNullable<RequestStep["until"]>): Step[] {
  const probe = { metadata: { name: "probe" }, spec };
  return [relabel(modes), { request: `POST ${core}/pods?dryRun=All`, body: probe, until: isKnown, unrecorded: true }];
}
export const isRejected = (_: unknown, status: number): boolean => status === 403;
const warnsOf =
  (part: string): NonNullable<RequestStep["until"]> =>
  (_body, _status, warnings) =>
    warnings.some((warning) => warning.includes(part));
const saysOf =
  (level: string) =>
  ({ message = "" }: any): boolean =>
    message.includes(`"${level}"`);
const pod = (name: string, spec: object, query = "?dryRun=All"): RequestStep => ({
  request: `POST ${core}/pods${query}`,
  body: { metadata: { name }, spec },
  pick: outcome,
});

const labels = { a: "b" };
const template = (spec: object): object => ({ metadata: { labels }, spec });
const selector = { matchLabels: labels };
const job = (spec: object): object => ({ template: { spec: { restartPolicy: "Never", ...spec } } });
/** Controllers, and what their specs are for pods. */
const controllers: Readonly<Record<string, (spec: object) => object>> = {
  "/api/v1 podtemplates": (spec) => ({ template: template(spec) }),
  "/api/v1 replicationcontrollers": (spec) => ({ spec: { selector: labels, template: template(spec) } }),
  "/apis/apps/v1 replicasets": (spec) => ({ spec: { selector, template: template(spec) } }),
  "/apis/apps/v1 deployments": (spec) => ({ spec: { selector, template: template(spec) } }),
  "/apis/apps/v1 statefulsets": (spec) => ({ spec: { selector, serviceName: "s", template: template(spec) } }),
  "/apis/apps/v1 daemonsets": (spec) => ({ spec: { selector, template: template(spec) } }),
  "/apis/batch/v1 jobs": (spec) => ({ spec: job(spec) }),
  "/apis/batch/v1 cronjobs": (spec) => ({ spec: { schedule: "* * * * *", jobTemplate: { spec: job(spec) } } }),
};
const pathOf = (key: string): string => key.replace(" ", "/namespaces/{ns}/");
const deployments = pathOf("/apis/apps/v1 deployments");
const deployment = { metadata: { name: "a" }, ...controllers["/apis/apps/v1 deployments"]!(insecure) };

/** Labels of new namespaces; the wrong ones are refused. */
const labelings: readonly object[] = [
  {
    enforce: "restricted",
    "enforce-version": "v1.36",
    audit: "baseline",
    warn: "privileged",
    "warn-version": "latest",
  },
  { enforce: "Baseline" },
  { enforce: "", "enforce-version": "" },
  {
    enforce: "nope",
    "enforce-version": "1.30",
    audit: "no",
    "audit-version": "v1",
    warn: "x",
    "warn-version": "v1.01",
  },
  { "enforce-version": "v2.0" },
  { "warn-version": "v1.30.1" },
  { "audit-version": "v1.99999999999999999999" },
  { unknown: "x" },
];

export const podSecurityWriteScenarios: readonly Scenario[] = [
  {
    name: "pod-security-labels",
    steps: [
      ...labelings.map((modes, index) => createNamespace(`labels-${index}`, modes)),
      { ...createNamespace("dry", { enforce: "nope" }), request: `POST ${namespaces}?dryRun=All` },
      ...[{ enforce: "nope" }, { warn: "restricted", "warn-version": "v1" }, { audit: "" }].map((modes) =>
        relabel(modes),
      ),
      {
        request: `PATCH ${core}?fieldManager=m`,
        headers: apply,
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "{ns}", labels: labelsOf({ warn: "nope" }) } },
        pick: outcome,
      },
      // A subresource is not checked, and what is wrong already may stay so.
      {
        request: `PATCH ${core}/status`,
        headers: merge,
        body: { metadata: { labels: labelsOf({ enforce: "nope" }) } },
        pick: outcome,
      },
      { ...pod("probe", host), until: isRejected, unrecorded: true },
      pod("a", insecure),
      { request: `PATCH ${core}`, headers: merge, body: { metadata: { labels: { x: "y" } } }, pick: outcome },
      relabel({ enforce: "other" }),
      relabel({ warn: "other" }),
      relabel({ enforce: null }),
    ],
  },
  {
    name: "pod-security-pods",
    steps: [
      ...["b", "a"].map((name) => pod(name, insecure, "")),
      pod("c", { ...host, hostNetwork: true }, ""),
      pod("d", secure, ""),
      pod("e", { ...insecure, schedulingGates: [{ name: "a.b/c" }] }, ""),
      // A real server counts the pods that its cache has.
      { ...relabel({ enforce: "restricted" }, "?dryRun=All"), until: warnsOf("(and 2 other pods)"), unrecorded: true },
      ...label({ enforce: "restricted" }, insecure, isRejected),
      pod("f", insecure, ""),
      pod("f", secure, ""),
      { request: `POST ${core}/pods`, body: { metadata: { generateName: "g-" }, spec: insecure }, pick: withoutSuffix },
      // What is wrong otherwise is told first.
      pod("f", { ...host, containers: [{ name: "c" }] }),
      pod("a", insecure, ""),
      { request: `PUT ${core}/pods/z`, body: { metadata: { name: "z" }, spec: insecure }, pick: outcome },
      {
        request: `PATCH ${core}/pods/z?fieldManager=m`,
        headers: apply,
        body: { apiVersion: "v1", kind: "Pod", metadata: { name: "z" }, spec: insecure },
        pick: outcome,
      },
      { request: `PATCH ${core}/pods/a`, headers: merge, body: { metadata: { labels } }, pick: outcome },
      { request: `PATCH ${core}/pods/a`, headers: merge, body: { spec: { activeDeadlineSeconds: 9 } }, pick: outcome },
      { request: `PATCH ${core}/pods/e`, headers: merge, body: { spec: { schedulingGates: [] } }, pick: outcome },
      image("a", "i:1"),
      image("a", "i:2"),
      image("d", "i:2"),
      { request: `PATCH ${core}/pods/a/status`, headers: merge, body: { status: { phase: "Running" } }, pick: outcome },
      { request: `POST ${core}/pods/b/binding`, body: { metadata: { name: "b" }, target: { name: "n" } } },
      resize("a"),
      debug("a", {}),
      debug("d", {}),
      debug("d", secure.containers[0]!.securityContext),
      ...label({ enforce: "baseline" }, host, saysOf("baseline:latest")),
      ...label({ "enforce-version": "v1.20" }, host, saysOf("baseline:v1.20")),
      ...label({ enforce: "restricted", warn: "baseline" }, insecure, isRejected),
      ...label({ enforce: "privileged" }, host, (_, status) => status === 201),
      pod("h", host),
      pod("h", insecure),
    ],
  },
  {
    name: "pod-security-warnings",
    steps: [
      // The warning of an enforced level concerns controllers, too.
      ...label({ enforce: "restricted" }, insecure, isRejected),
      ...Object.entries(controllers).flatMap(([key, objectOf]) =>
        [insecure, secure, host].map((spec): RequestStep => ({
          request: `POST ${pathOf(key)}?dryRun=All`,
          body: { metadata: { name: "a" }, ...objectOf(spec) },
          pick: outcome,
        })),
      ),
      { request: `POST ${deployments}`, body: deployment, pick: outcome },
      { request: `PUT ${deployments}/a`, body: deployment, pick: outcome },
      { request: `PATCH ${deployments}/a`, headers: merge, body: { metadata: { labels } }, pick: outcome },
      { request: `PATCH ${deployments}/a/scale`, headers: merge, body: { spec: { replicas: 3 } }, pick: outcome },
      { request: `PATCH ${deployments}/a/status`, headers: merge, body: { status: { replicas: 3 } }, pick: outcome },
      {
        request: `PATCH ${deployments}/a`,
        headers: strategic,
        body: { spec: { template: { spec: secure } } },
        pick: outcome,
      },
      // A real server may try the next patch on an older object of its cache first, and warn of it, too.
      {
        request: `GET ${deployments}/a?resourceVersion=0`,
        until: ({ spec }) => spec?.template.spec.securityContext.runAsNonRoot === true,
        unrecorded: true,
      },
      {
        request: `PATCH ${deployments}/a`,
        headers: jsonPatch,
        body: [{ op: "add", path: "/spec/template/spec/hostPID", value: true }],
        pick: outcome,
      },
      ...label(
        { "enforce-version": "v1.29", warn: "baseline", "warn-version": "v1.30" },
        insecure,
        saysOf("restricted:v1.29"),
      ),
      { request: `POST ${deployments}?dryRun=All`, body: { ...deployment, metadata: { name: "b" } }, pick: outcome },
      { request: `PATCH ${deployments}/a`, headers: merge, body: { metadata: { labels: { c: "d" } } }, pick: outcome },
      ...label({ enforce: "baseline", warn: "restricted" }, insecure, (_, status) => status === 201),
      pod("b", insecure),
      pod("b", host),
      ...label({ enforce: "privileged", warn: null, audit: "restricted" }, host, (_, status) => status === 201),
      pod("b", host),
    ],
  },
];

function withoutSuffix({ code, message }: any): unknown {
  return { code, message: message?.replace(/"g-\w+"/, '"g-<suffix>"') };
}

function image(name: string, value: string): RequestStep {
  return {
    request: `PATCH ${core}/pods/${name}`,
    headers: strategic,
    body: { spec: { containers: [{ name: "c", image: value }] } },
    pick: outcome,
  };
}

function resize(name: string): RequestStep {
  return {
    request: `PATCH ${core}/pods/${name}/resize`,
    headers: strategic,
    body: { spec: { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] } },
    pick: outcome,
  };
}

function debug(name: string, securityContext: object): RequestStep {
  return {
    request: `PATCH ${core}/pods/${name}/ephemeralcontainers`,
    headers: strategic,
    body: { spec: { ephemeralContainers: [{ name: "debug", image: "i", securityContext }] } },
    pick: outcome,
  };
}
