import { apply, merge, strategic, type RequestStep, type Scenarios, type Step } from "../../../scenario.ts";
import { core, namespaces } from "../../../steps.ts";
import { PATCH, POST, PUT } from "../../../requests.ts";

const prefix = "pod-security.kubernetes.io/";
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
const createNamespace = (name: string, modes: object): RequestStep =>
  POST(namespaces, { metadata: { name: `{ns}-${name}`, labels: labelsOf(modes) } }, { pick: outcome });
const relabel = (modes: object, query = ""): RequestStep =>
  PATCH(`${core}${query}`, merge, { metadata: { labels: labelsOf(modes) } }, { pick: outcome });

/** Changes the labels of the scenario's namespace, and waits until a pod is answered so. */
export function label(modes: object, spec: object, isKnown: NonNullable<RequestStep["until"]>): Step[] {
  const probe = { metadata: { name: "probe" }, spec };
  return [relabel(modes), POST(`${core}/pods?dryRun=All`, probe, { until: isKnown, unrecorded: true })];
}

export const isRejected = (_: unknown, status: number): boolean => status === 403;
const saysOf =
  (level: string) =>
  ({ message = "" }: any): boolean =>
    message.includes(`"${level}"`);
const pod = (name: string, spec: object, query = "?dryRun=All"): RequestStep =>
  POST(`${core}/pods${query}`, { metadata: { name }, spec }, { pick: outcome });
const labels = { a: "b" };

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

function withoutSuffix({ code, message }: any): unknown {
  return { code, message: message?.replace(/"g-\w+"/, '"g-<suffix>"') };
}

function image(name: string, value: string): RequestStep {
  return PATCH(
    `${core}/pods/${name}`,
    strategic,
    { spec: { containers: [{ name: "c", image: value }] } },
    { pick: outcome },
  );
}

function resize(name: string): RequestStep {
  return PATCH(
    `${core}/pods/${name}/resize`,
    strategic,
    { spec: { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] } },
    { pick: outcome },
  );
}

function debug(name: string, securityContext: object): RequestStep {
  return PATCH(
    `${core}/pods/${name}/ephemeralcontainers`,
    strategic,
    { spec: { ephemeralContainers: [{ name: "debug", image: "i", securityContext }] } },
    { pick: outcome },
  );
}

export const scenarios: Scenarios = {
  "pod-security-labels": [
    ...labelings.map((modes, index) => createNamespace(`labels-${index}`, modes)),
    { ...createNamespace("dry", { enforce: "nope" }), request: `POST ${namespaces}?dryRun=All` },
    ...[{ enforce: "nope" }, { warn: "restricted", "warn-version": "v1" }, { audit: "" }].map((modes) =>
      relabel(modes),
    ),
    PATCH(
      `${core}?fieldManager=m`,
      apply,
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "{ns}", labels: labelsOf({ warn: "nope" }) } },
      { pick: outcome },
    ),
    // A subresource is not checked, and what is wrong already may stay so.
    PATCH(`${core}/status`, merge, { metadata: { labels: labelsOf({ enforce: "nope" }) } }, { pick: outcome }),
    { ...pod("probe", host), until: isRejected, unrecorded: true },
    pod("a", insecure),
    PATCH(core, merge, { metadata: { labels: { x: "y" } } }, { pick: outcome }),
    relabel({ enforce: "other" }),
    relabel({ warn: "other" }),
    relabel({ enforce: null }),
  ],
  "pod-security-pods": [
    ...["b", "a"].map((name) => pod(name, insecure, "")),
    pod("c", { ...host, hostNetwork: true }, ""),
    pod("d", secure, ""),
    pod("e", { ...insecure, schedulingGates: [{ name: "a.b/c" }] }, ""),
    ...label({ enforce: "restricted" }, insecure, isRejected),
    pod("f", insecure, ""),
    pod("f", secure, ""),
    POST(`${core}/pods`, { metadata: { generateName: "g-" }, spec: insecure }, { pick: withoutSuffix }),
    // What is wrong otherwise is told first.
    pod("f", { ...host, containers: [{ name: "c" }] }),
    pod("a", insecure, ""),
    PUT(`${core}/pods/z`, { metadata: { name: "z" }, spec: insecure }, { pick: outcome }),
    PATCH(
      `${core}/pods/z?fieldManager=m`,
      apply,
      { apiVersion: "v1", kind: "Pod", metadata: { name: "z" }, spec: insecure },
      { pick: outcome },
    ),
    PATCH(`${core}/pods/a`, merge, { metadata: { labels } }, { pick: outcome }),
    PATCH(`${core}/pods/a`, merge, { spec: { activeDeadlineSeconds: 9 } }, { pick: outcome }),
    PATCH(`${core}/pods/e`, merge, { spec: { schedulingGates: [] } }, { pick: outcome }),
    image("a", "i:1"),
    image("a", "i:2"),
    image("d", "i:2"),
    PATCH(`${core}/pods/a/status`, merge, { status: { phase: "Running" } }, { pick: outcome }),
    POST(`${core}/pods/b/binding`, { metadata: { name: "b" }, target: { name: "n" } }),
    resize("a"),
    debug("a", {}),
    debug("d", {}),
    debug("d", secure.containers[0]!.securityContext),
    ...label({ enforce: "baseline" }, host, saysOf("baseline:latest")),
    ...label({ enforce: "restricted", warn: "baseline" }, insecure, isRejected),
    ...label({ enforce: "privileged" }, host, (_, status) => status === 201),
    pod("h", host),
    pod("h", insecure),
  ],
};
