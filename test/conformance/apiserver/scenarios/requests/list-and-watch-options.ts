import { customKind } from "../../custom-kind.ts";
import { merge, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { DELETE, GET, POST } from "../../requests.ts";

const kind = customKind("reading");
const token = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const get = (query: string, more: Partial<RequestStep> = {}): RequestStep => ({
  request: `GET ${maps}?${query}`,
  ...more,
});
const fill: readonly Step[] = ["a", "b", "c"].map((name): Step =>
  POST(
    maps,
    { metadata: { name, labels: { app: name, all: "", of: "{ns}" } } },
    { save: { [`rv_${name}`]: "metadata.resourceVersion" }, unrecorded: true },
  ),
);

/** Later reads of old versions are answered from the server's cache, which has the last object once it answers this. */
const cached: Step = GET(`${maps}?resourceVersion={rv_c}`, { unrecorded: true });

const names = (body: any): unknown =>
  body.kind === "Status"
    ? body
    : {
        names: body.items?.map(({ metadata }: any) => metadata.name),
        continue: body.metadata.continue,
        remaining: body.metadata.remainingItemCount,
      };
const versions = ["", "0", "{rv_a}", "{rv_c}", "999999999", "x"];
const matches = ["", "NotOlderThan", "Exact", "Bogus"];
const limits = ["", "&limit=1", "&limit=5"];
const tokens: readonly unknown[] = [
  "",
  "garbage",
  "{}",
  "null",
  "[]",
  { v: "meta.k8s.io/v1" },
  { v: "meta.k8s.io/v2", rv: 1, start: "a" },
  { v: "meta.k8s.io/v1", rv: 0, start: "a" },
  { v: "meta.k8s.io/v1", rv: 1 },
  { v: "meta.k8s.io/v1", rv: "x", start: "a" },
  { v: "meta.k8s.io/v1", rv: 5, start: "" },
  { v: "meta.k8s.io/v1", rv: 5, start: "../../x" },
  { v: "meta.k8s.io/v1", rv: 5, start: 5 },
  { v: "meta.k8s.io/v1", rv: -1, start: "a\u0000" },
  { v: "meta.k8s.io/v1", rv: -1, start: "/a\u0000" },
];
const sends = [
  "",
  "&sendInitialEvents=true",
  "&sendInitialEvents=false",
  "&sendInitialEvents=",
  "&sendInitialEvents=x",
];
const bookmarks = ["", "&allowWatchBookmarks=true"];

/** A watch for a second: the types and names of its events. */
const watching = (query: string, headers: Record<string, string> = {}): RequestStep =>
  GET(`${maps}?watch=true&timeoutSeconds=1${query}`, {
    headers,
    pick: (body) => (body?.kind === "Status" ? body : events(body)),
  });

function events(body: any): unknown {
  const list = Array.isArray(body) ? body : body ? [body] : [];
  // A bookmark without annotations says how far the watch is: a real server sends it when its timer fires.
  const answered = list.filter(({ type, object }) => type !== "BOOKMARK" || object.metadata.annotations);
  return answered.map(({ type, object }) =>
    type === "ERROR"
      ? { type, object }
      : {
          type,
          name: object.metadata.name,
          annotations: type === "BOOKMARK" ? object.metadata.annotations : undefined,
        },
  );
}

/** What lists and watches may be asked for, and what is refused. */
export const scenarios: Scenarios = {
  "list-versions": [
    ...fill,
    cached,
    // A real server waits three seconds for a version that is still to come.
    ...versions.map((version) => ({
      together: matches.flatMap((match) =>
        limits.map((limit) => get(`resourceVersion=${version}&resourceVersionMatch=${match}${limit}`, { pick: names })),
      ),
    })),
    ...["0", "{rv_a}", "999999999", "x", "-1"].flatMap((version): Step[] => [
      GET(`${maps}/a?resourceVersion=${version}`),
      GET(`${maps}/none?resourceVersion=${version}`),
    ]),
  ],
  "list-pages": [
    ...fill,
    cached,
    ...kind.install,
    POST(kind.path, kind.object("a"), { unrecorded: true }),
    POST(kind.path, kind.object("b"), { unrecorded: true }),
    get("limit=1", { save: { next: "metadata.continue" }, pick: names }),
    // The pages show what was.
    DELETE(`${maps}/b`, { unrecorded: true }),
    POST(maps, { metadata: { name: "bb" } }, { unrecorded: true }),
    get("limit=1&continue={next}", { save: { third: "metadata.continue" }, pick: names }),
    get("limit=1&continue={third}", { pick: names }),
    get("continue={next}", { pick: names }),
    get("continue={next}&labelSelector=app%3Dc", { pick: names }),
    get("continue={next}&fieldSelector=metadata.name%3Db", { pick: names }),
    get("limit=1&labelSelector=all", { save: { selected: "metadata.continue" }, pick: names }),
    get("continue={selected}", { pick: names }),
    get("limit=1&fieldSelector=metadata.name!%3Da", { pick: names }),
    GET("/api/v1/namespaces/kube-public/configmaps?continue={next}", { pick: names }),
    GET("/api/v1/namespaces/{ns}/secrets?continue={next}", { pick: names }),
    GET(`${kind.path}?limit=1`, { save: { things: "metadata.continue" }, pick: names }),
    GET(`${kind.path}?limit=1&continue={things}`, { pick: names }),
    ...tokens.flatMap((value): Step[] => [
      get(`limit=1&continue=${token(value)}`, { pick: names }),
      GET(`${kind.path}?limit=1&continue=${token(value)}`, { pick: names }),
    ]),
    get("limit=1&continue=!!!"),
    get("watch=true&continue={next}&timeoutSeconds=1"),
    get("watch=true&limit=1&resourceVersion={rv_c}&timeoutSeconds=1", { pick: events }),
    GET(`${maps}?limit=1`, {
      headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
      pick: ({ metadata, rows }) => ({
        continue: metadata.continue,
        remaining: metadata.remainingItemCount,
        rows: rows.length,
      }),
    }),
    GET(`${maps}?limit=1`, {
      headers: { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" },
      pick: names,
    }),
  ],
  "watch-options": [
    ...fill,
    cached,
    ...["", "0", "{rv_a}"].map((version) => ({
      together: sends.flatMap((send) =>
        ["", "NotOlderThan", "Exact"].flatMap((match) =>
          bookmarks.map((bookmark) =>
            watching(`&resourceVersion=${version}&resourceVersionMatch=${match}${send}${bookmark}`),
          ),
        ),
      ),
    })),
    {
      together: [
        // From "1" on, a real server may have forgotten what other scenarios did.
        ...["999999999", "x", "-1"].map((version) => watching(`&resourceVersion=${version}`)),
        ...["1", "999999999", "x", "-1"].map((version) =>
          watching(`&resourceVersion=${version}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`),
        ),
        watching("&allowWatchBookmarks=x"),
        watching("&allowWatchBookmarks=0"),
        watching("&labelSelector=app%3Db"),
        watching(
          "&labelSelector=app%3Db&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
        ),
        watching("&fieldSelector=spec.x%3Db"),
        watching("", { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" }),
        watching("", { accept: "application/json;stream=watch" }),
      ],
    },
    GET(`${maps}?watch=true&timeoutSeconds=x`),
    GET(`${maps}?watch=true&timeoutSeconds=-1`, { headers: { accept: "text/html" } }),
    GET(`${maps}/a?watch=true&timeoutSeconds=1`, { pick: (body) => (body.kind ? body.kind : events(body)) }),
    GET(`${maps}?watch=true&resourceVersion={rv_c}&timeoutSeconds=1`, { headers: merge }),
  ],
  forgotten: [
    ...fill,
    cached,
    get("limit=1", { save: { next: "metadata.continue" }, unrecorded: true }),
    get("limit=1&labelSelector=all", { save: { selected: "metadata.continue" }, unrecorded: true }),
    // The newest state is never forgotten.
    POST(maps, { metadata: { name: "d", labels: { all: "" } } }, { unrecorded: true }),
    { forget: true },
    GET(`${maps}/a`, { until: (_, status) => status === 200, unrecorded: true }),
    get("limit=1&continue={next}", { save: { fresh: "metadata.continue" } }),
    get("limit=1&continue={fresh}", { save: { last: "metadata.continue" }, pick: names }),
    get("limit=1&continue={last}", { pick: names }),
    get("continue={selected}&labelSelector=all"),
    get("resourceVersion={rv_a}&resourceVersionMatch=Exact"),
    get("resourceVersion={rv_a}&limit=1"),
    get("resourceVersion={rv_a}&resourceVersionMatch=NotOlderThan", { pick: names }),
    get("watch=true&timeoutSeconds=1&resourceVersion={rv_a}"),
    get("watch=true&timeoutSeconds=1&resourceVersion={rv_a}&allowWatchBookmarks=true", {
      headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
    }),
    get("watch=true&timeoutSeconds=1&resourceVersion={rv_a}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", {
      pick: events,
    }),
  ],
};
