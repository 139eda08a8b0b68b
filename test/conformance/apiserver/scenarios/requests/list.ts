import { customKind, schemaOf } from "../../custom-kind.ts";
import type { Scenarios, Step } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { GET, POST } from "../../requests.ts";

const kind = customKind("list", {
  schema: { openAPIV3Schema: schemaOf({ color: { type: "string" }, size: { type: "integer" } }) },
  selectableFields: [{ jsonPath: ".spec.color" }],
});
const { path, object } = kind;
const names = ["a", "b", "c", "d", "e"];
const made: readonly Step[] = names.map((name, index) =>
  POST(
    maps,
    {
      metadata: {
        name,
        labels: { app: name, even: String(index % 2 === 0), n: String(index), ...(index > 2 && { late: "" }) },
      },
    },
    { save: { [`rv${index}`]: "metadata.resourceVersion" }, unrecorded: true },
  ),
);

/** Later reads of old versions are answered from the server's cache, which has the last object once it answers this. */
const fill: readonly Step[] = [...made, GET(`${maps}?resourceVersion={rv4}`, { unrecorded: true })];

const get = (query: string): Step => GET(`${maps}?${query}`);
const select = (selector: string): Step => get(`labelSelector=${encodeURIComponent(selector)}`);
const fields = (collection: string, selector: string): Step =>
  GET(`${collection}?fieldSelector=${encodeURIComponent(selector)}`);

export const scenarios: Scenarios = {
  paging: [
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
  versions: [
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
  "label-selectors": [
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
  "field-selectors": [
    ...kind.install,
    ...fill,
    ...["red", "blue"].map((color) => POST(path, object(color, { spec: { color } }), { unrecorded: true })),
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

  representations: [
    POST(maps, { metadata: { name: "a" }, data: { x: "1" } }, { unrecorded: true }),
    GET(`${maps}/a`, { headers: { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" } }),
    GET(maps, { headers: { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" } }),
    GET(maps, { headers: { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" } }),
    GET(`${maps}/a`, { headers: { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" } }),
    GET(`${maps}?includeObject=Object`, { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } }),
    GET(`${maps}?includeObject=None`, { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } }),
    GET(`${maps}?includeObject=Bogus`, { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } }),
    GET(`${maps}/a`, { headers: { accept: "application/vnd.nothing" } }),
    GET(`${maps}/none`, { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } }),
    GET(`${maps}/a`, { headers: { accept: "application/vnd.kubernetes.nothing, application/json" } }),
    POST(maps, { metadata: { name: "b" } }, { headers: { accept: "text/html" } }),
    GET(`${maps}/b`),
  ],
};
