import type { RequestStep, Scenario, Step } from "../apiserver/scenario.ts";
import { pick, type Random } from "./mutate.ts";
import type { Subject } from "./subject.ts";

/** Generates objects of one kind with labels, changes of them, and then lists and watches with random parameters. */
export function randomReads(name: string, subject: Subject, random: Random): Scenario {
  const steps: Step[] = [];
  const names = ["a", "b", "c", "d"].slice(0, 2 + Math.floor(random() * 3));
  for (const each of names) steps.push(create(subject, each, random));
  const changes = 1 + Math.floor(random() * 4);
  for (let at = 0; at < changes; at++) steps.push(change(subject, pick(names, random), at, random));
  const lists = Array.from({ length: 6 }, () => list(subject, names, random));
  const watches = Array.from({ length: 6 }, () => watch(subject, names, random));
  return { name, steps: [...steps, ...lists, { together: watches }] };
}

const labels: readonly Record<string, string>[] = [
  {},
  { app: "a" },
  { app: "b" },
  { app: "a", tier: "1" },
  { tier: "", "example.com/x": "y" },
];

function create({ path, object }: Subject, name: string, random: Random): RequestStep {
  const { metadata, ...rest } = structuredClone(object);
  const body = { ...rest, metadata: { ...metadata, name, labels: pick(labels, random) } };
  return { request: `POST ${path}`, body, save: { [name]: "metadata.resourceVersion" } };
}

function change({ path }: Subject, name: string, at: number, random: Random): RequestStep {
  if (random() < 0.2) return { request: `DELETE ${path}/${name}`, body: { gracePeriodSeconds: 0 } };
  return {
    request: `PATCH ${path}/${name}`,
    headers: { "content-type": "application/merge-patch+json" },
    body: { metadata: { labels: { app: pick(["a", "b", null], random), tier: pick(["1", "2", null], random) } } },
    save: { [`change${at}`]: "metadata.resourceVersion" },
  };
}

const partialList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
const accepts = [
  "application/json",
  "application/json",
  "application/json",
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  "application/vnd.kubernetes.protobuf,application/json",
  "text/html",
  "*/*",
];

const labelSelectors = [
  "app=a",
  "app==b",
  "app!=a",
  "app",
  "!app",
  "app in (a, b),tier notin (1)",
  "tier=",
  "tier>0",
  "tier<2",
  "tier>x",
  "example.com/x=y",
  "app in ()",
  "app=a,",
  ",",
  "=",
  "app in (a",
  "-x=y",
  "app=é",
  "app = a , tier",
  `app=${"x".repeat(64)}`,
  "a/b/c",
  "app notin (a)",
];

const fieldSelectors = [
  "metadata.name=a",
  "metadata.name!=a",
  "metadata.name==b",
  "metadata.namespace={ns}",
  "metadata.namespace!={ns}",
  "metadata.name=a,metadata.namespace={ns}",
  "metadata.name=a,metadata.name=b",
  "metadata.uid=x",
  "spec.nodeName=",
  "spec.nodeName=n",
  "status.phase=Pending",
  "status.phase!=Pending",
  "type=Opaque",
  "spec.restartPolicy=Always",
  "status.successful=0",
  "metadata.name",
  "=a",
  "metadata.name=a\\,b",
  "metadata.name=a\\",
  "metadata.name>a",
  "name=a",
  "spec.type=ClusterIP",
  "spec.clusterIP=None",
  "",
];

function list(subject: Subject, names: readonly string[], random: Random): RequestStep {
  const at = random() < 0.15 ? `${subject.path}/${pick([...names, "none"], random)}` : subject.path;
  return {
    request: `GET ${at}${query([...selection(random), ...paging(names, random)], random)}`,
    headers: { accept: pick([...accepts, partialList], random) },
    pick: withoutDescriptions,
  };
}

function watch(subject: Subject, names: readonly string[], random: Random): RequestStep {
  const at = random() < 0.1 ? `${subject.path}/${pick(names, random)}` : subject.path;
  const versions = [...names.map((name) => `{${name}}`), "{change0}", "{change1}", "0", "", "x", "-1"];
  const parts = [
    pick(["watch=true", "watch=1", "watch"], random),
    "timeoutSeconds=1",
    ...selection(random),
    ...(random() < 0.8 ? [`resourceVersion=${pick(versions, random)}`] : []),
    ...(random() < 0.3 ? [`allowWatchBookmarks=${pick(["true", "false"], random)}`] : []),
    ...(random() < 0.1 ? [`limit=${pick(["1", "0"], random)}`] : []),
  ];
  return {
    request: `GET ${at}${query(parts, random)}`,
    headers: { accept: pick(accepts, random) },
    pick: eventsOf,
  };
}

/** The embedded server's tables do not repeat the documentation of the fields. */
function withoutDescriptions(body: any): unknown {
  if (!Array.isArray(body?.columnDefinitions)) return body;
  return {
    ...body,
    columnDefinitions: body.columnDefinitions.map(({ description: _description, ...column }: any) => column),
  };
}

/** The server decides when to send a bookmark, and for a built-in kind it has the fields of Go's empty object. */
function eventsOf(body: any): unknown {
  if (body?.kind === "Status") return body;
  const events = (Array.isArray(body) ? body : [body]).map(({ type, object }: any) =>
    type === "BOOKMARK" ? object.metadata.annotations : { type, object: withoutDescriptions(object) },
  );
  return events.filter((event) => event !== undefined);
}

function selection(random: Random): string[] {
  return [
    ...(random() < 0.4 ? [`labelSelector=${encodeURIComponent(pick(labelSelectors, random))}`] : []),
    ...(random() < 0.4
      ? [`fieldSelector=${encodeURIComponent(pick(fieldSelectors, random)).replaceAll("%7Bns%7D", "{ns}")}`]
      : []),
  ];
}

function paging(names: readonly string[], random: Random): string[] {
  const versions = [...names.map((name) => `{${name}}`), "{change0}", "0", "", "x", "-1"];
  return [
    ...(random() < 0.3 ? [`limit=${pick(["1", "2", "0", "500", "-1", "x", "1.5"], random)}`] : []),
    ...(random() < 0.3 ? [`resourceVersion=${pick(versions, random)}`] : []),
    ...(random() < 0.1 ? [`continue=${pick(["", "e30"], random)}`] : []),
    ...(random() < 0.1
      ? [pick(["pretty=true", "pretty", "includeObject=Object", "includeObject=None", "includeObject=X"], random)]
      : []),
    ...(random() < 0.05 ? ["unknown=1"] : []),
  ];
}

function query(parts: readonly string[], random: Random): string {
  if (parts.length === 0) return "";
  const ordered = random() < 0.5 ? parts : parts.toReversed();
  return `?${ordered.join("&")}`;
}
