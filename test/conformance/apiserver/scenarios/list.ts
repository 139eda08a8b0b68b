import { customKind, schemaOf } from "../custom-kind.ts";
import type { RequestStep, Scenario, Step } from "../scenario.ts";

const kind = customKind("list", {
  schema: { openAPIV3Schema: schemaOf({ color: { type: "string" }, size: { type: "integer" } }) },
  selectableFields: [{ jsonPath: ".spec.color" }],
});
const { path, object } = kind;
const maps = "/api/v1/namespaces/{ns}/configmaps";
const names = ["a", "b", "c", "d", "e"];
const made: readonly Step[] = names.map((name, index) => ({
  request: `POST ${maps}`,
  body: {
    metadata: {
      name,
      labels: { app: name, even: String(index % 2 === 0), n: String(index), ...(index > 2 && { late: "" }) },
    },
  },
  save: { [`rv${index}`]: "metadata.resourceVersion" },
  unrecorded: true,
}));
/** Later reads of old versions are answered from the server's cache, which has the last object once it answers this. */
const fill: readonly Step[] = [...made, { request: `GET ${maps}?resourceVersion={rv4}`, unrecorded: true }];
const get = (query: string): Step => ({ request: `GET ${maps}?${query}` });
const select = (selector: string): Step => get(`labelSelector=${encodeURIComponent(selector)}`);
const fields = (collection: string, selector: string): Step => ({
  request: `GET ${collection}?fieldSelector=${encodeURIComponent(selector)}`,
});

const things = customKind("list-order");
const wrongQueries: readonly string[] = [
  "resourceVersion=x&fieldSelector=spec.a%3Db",
  "resourceVersion=x&fieldSelector=metadata.name",
  "resourceVersion=x&labelSelector=a+in+(b",
  "resourceVersion=x&labelSelector=%3D&fieldSelector=metadata.name&limit=x",
  "resourceVersion=x&labelSelector=%3D&fieldSelector=metadata.name",
  "resourceVersionMatch=Other&fieldSelector=metadata.name",
  "resourceVersionMatch=Other&sendInitialEvents=1",
  "resourceVersionMatch=Other&sendInitialEvents=1&continue=e30",
  "sendInitialEvents=1&labelSelector=%3D",
  "continue=e30&resourceVersion={rv1}&fieldSelector=spec.a%3Db",
  "continue=e30&resourceVersion={rv1}",
  "continue=e30&labelSelector=%3D",
  ...["a\\", "a\\b", "a\\=b", "a\\,b", "a=b", "a!=b", "a==b", "\\\\"].map(
    (value) => `resourceVersion=0&fieldSelector=${encodeURIComponent(`metadata.name=${value}`)}`,
  ),
  ...["=a", "\\=a", "a\\=b=c", "metadata.name\\!=a", "!a", ",", "metadata.name=a,,", "metadata.name!=="].map(
    (selector) => `resourceVersion=0&fieldSelector=${encodeURIComponent(selector)}`,
  ),
];
const watched = "/api/v1/watch/namespaces/{ns}/configmaps";
const watchedNames: readonly string[] = [
  "fieldSelector=metadata.name%3Da",
  "fieldSelector=metadata.name%3Db",
  "fieldSelector=metadata.namespace%3D{ns}",
  "fieldSelector=spec.a%3Db",
  "labelSelector=app%3Db",
];
const partialList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

export const listScenarios: readonly Scenario[] = [
  {
    name: "paging",
    steps: [
      ...fill,
      { ...(get("limit=2") as any), save: { next: "metadata.continue" } },
      get("limit=2&continue={next}"),
      get("limit=2&continue={next}&resourceVersion=1"),
      get("limit=2&continue={next}&resourceVersion=0"),
      get("limit=2&continue={next}&resourceVersionMatch=Exact"),
      get("limit=2&continue=Z2FyYmFnZQ"),
      get("limit=2&labelSelector=even%3Dtrue"),
      get("limit=0"),
      get("limit=-1"),
      get("limit=x"),
      get("limit=2&resourceVersion=0"),
    ],
  },
  {
    name: "versions",
    steps: [
      ...fill,
      get("resourceVersion={rv2}"),
      get("resourceVersion={rv2}&resourceVersionMatch=NotOlderThan"),
      get("resourceVersion={rv2}&resourceVersionMatch=Exact"),
      get("resourceVersion={rv2}&limit=2"),
      get("resourceVersion={rv2}&limit=2&resourceVersionMatch=NotOlderThan"),
      get("resourceVersion=0&resourceVersionMatch=Exact"),
      get("resourceVersion=0&resourceVersionMatch=NotOlderThan"),
      get("resourceVersionMatch=Exact"),
      get("resourceVersion=1&resourceVersionMatch=Bogus"),
      get("resourceVersion=garbage"),
      get("resourceVersion=999999999"),
      get("resourceVersion=999999999&resourceVersionMatch=Exact"),
      get("sendInitialEvents=true"),
    ],
  },
  {
    name: "label-selectors",
    steps: [
      ...fill,
      ...[
        "app=a",
        "app==a",
        "app!=a",
        "app in (a,b)",
        "app notin (a,b)",
        "late",
        "!late",
        "n>2",
        "n<2",
        "app=a,even=true",
        "late=",
      ].map(select),
      ...[
        "app=",
        "app in ()",
        "=a",
        "app in a",
        "app===a",
        "a b",
        "n>x",
        "app=a b",
        "app=&",
        ",",
        "app=a,",
        "!",
        "bad key!=x",
        "x=bad_value_",
      ].map(select),
    ],
  },
  {
    name: "field-selectors",
    steps: [
      ...kind.install,
      ...fill,
      ...["red", "blue"].map((color) => ({
        request: `POST ${path}`,
        body: object(color, { spec: { color } }),
        unrecorded: true,
      })),
      fields(path, "metadata.name=red"),
      fields(path, "metadata.name!=red"),
      fields(path, "spec.color=blue"),
      fields(path, "spec.color!=blue,metadata.name=red"),
      fields(path, "spec.size=1"),
      fields(path, "garbage"),
      fields(path, "metadata.namespace={ns}"),
      fields(maps, "metadata.name=a"),
      fields(maps, "data.x=1"),
      fields("/api/v1/namespaces/{ns}/pods", "spec.nodeName=n"),
      fields("/api/v1/namespaces/{ns}/pods", "spec.nothing=n"),
      fields("/api/v1/namespaces/{ns}/secrets", "type=Opaque"),
      fields("/api/v1/namespaces/{ns}/secrets", "data=x"),
      fields("/api/v1/namespaces/{ns}/events", "involvedObject.name=x,reason=y"),
      fields("/apis/apps/v1/namespaces/{ns}/replicasets", "status.replicas=0"),
      fields("/apis/batch/v1/namespaces/{ns}/jobs", "status.successful=0"),
      fields("/api/v1/namespaces", "status.phase=Nope"),
      fields("/api/v1/nodes", "spec.unschedulable=true"),
      fields("/api/v1/namespaces/{ns}/services", "spec.type=ClusterIP"),
    ],
  },
  {
    name: "order-of-parameters",
    steps: [
      ...things.install,
      ...fill,
      // What cannot be parsed is refused before wrong combinations, these before unknown fields and versions.
      ...wrongQueries.map((query) => get(query)),
      {
        together: wrongQueries.map((query): RequestStep => ({
          request: `GET ${maps}?watch=1&timeoutSeconds=1&${query}`,
        })),
      },
      {
        together: watchedNames.map((query): RequestStep => ({ request: `GET ${watched}/a?timeoutSeconds=1&${query}` })),
      },
      { ...(get("labelSelector=none") as RequestStep), headers: { accept: partialList } },
      { request: `GET ${things.path}`, headers: { accept: partialList } },
      { request: `POST ${things.path}`, body: things.object("one", {}), headers: { accept: partialList } },
      { request: `GET ${things.path}/one`, headers: { accept: partialList } },
      { request: `GET ${maps}/a`, headers: { accept: partialList } },
      { request: `GET ${maps}`, headers: { accept: partialList.replace("List", "") } },
      { request: `GET ${things.path}`, headers: { accept: partialList.replace("List", "") } },
      fields("/apis/batch/v1/namespaces/{ns}/jobs", "spec.a=b"),
    ],
  },
  {
    name: "representations",
    steps: [
      { request: `POST ${maps}`, body: { metadata: { name: "a" }, data: { x: "1" } }, unrecorded: true },
      { request: `GET ${maps}/a`, headers: { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" } },
      {
        request: `GET ${maps}`,
        headers: { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" },
      },
      { request: `GET ${maps}`, headers: { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" } },
      {
        request: `GET ${maps}/a`,
        headers: { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" },
      },
      {
        request: `GET ${maps}?includeObject=Object`,
        headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
      },
      {
        request: `GET ${maps}?includeObject=None`,
        headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
      },
      {
        request: `GET ${maps}?includeObject=Bogus`,
        headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
      },
      { request: `GET ${maps}/a`, headers: { accept: "application/vnd.nothing" } },
      { request: `GET ${maps}/none`, headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } },
      { request: `GET ${maps}/a`, headers: { accept: "application/vnd.kubernetes.nothing, application/json" } },
      { request: `POST ${maps}`, body: { metadata: { name: "b" } }, headers: { accept: "text/html" } },
      { request: `GET ${maps}/b` },
    ],
  },
];
