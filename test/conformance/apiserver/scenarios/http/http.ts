import { customKind, type CustomKind } from "../../custom-kind.ts";
import { merge, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { maps, words } from "../../steps.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

const kinds = {
  paths: customKind("paths"),
  methods: customKind("methods"),
  accept: customKind("accept"),
  types: customKind("types"),
  bodies: customKind("bodies"),
};
const map: RequestStep = POST(maps, { metadata: { name: "a" }, data: { a: "b" } }, { unrecorded: true });
const withThing = (kind: CustomKind): Step[] => [
  ...kind.install,
  map,
  POST(kind.path, kind.object("a"), { unrecorded: true }),
];
const paths = [
  "/",
  "//",
  "/api",
  "/api//v1",
  "/api/v1//namespaces",
  "//api/v1/namespaces",
  "/api/v1/namespaces/{ns}//configmaps",
  "/api/v1/namespaces/{ns}/configmaps/",
  "/api/v1/namespaces/{ns}/configmaps//",
  "/api/v1/namespaces/{ns}/configmaps/a/",
  "/api/v1/namespaces/{ns}/configmaps/a/status",
  "/api/v1/namespaces/{ns}/configmaps/a/b/c",
  "/api/v1/namespaces/{ns}/nothing",
  "/api/v1/namespaces/{ns}/nothing/a",
  "/api/v1/nothing",
  "/api/v2/pods",
  "/api/v2",
  "/apis/apps/v9/deployments",
  "/apis/apps/v9",
  "/apis/nothing",
  "/apis/nothing/v1",
  "/apis/nothing/v1/things",
  "/nothing",
  "/api/v1/namespaces/{ns}/configmaps/%61",
  "/api/v1/namespaces/{ns}/config%6Daps/a",
  "/api/v1/namespaces/{ns}/configmaps/a%2Fb",
  "/api/v1/namespaces/{ns}/configmaps/a%20b",
  "/api/v1/namespaces/{ns}/configmaps/%C3%A9",
  "/api/v1/namespaces/{ns}/configmaps/.",
  "/api/v1/namespaces/{ns}/configmaps/A",
  `/apis/paths.example.com/v1/namespaces/{ns}/things/`,
  `/apis/paths.example.com/v1/namespaces/{ns}/things/a/nothing`,
  `/apis/paths.example.com/v1/namespaces/{ns}/nothing`,
  `/apis/paths.example.com/v2/namespaces/{ns}/things`,
  "/apis/paths.example.com/v1/namespaces/{ns}/things/a%2Fb",
];

/** Only what kind of document it is. */
const outline = (body: any): unknown => {
  if (typeof body === "string") return body.startsWith('{"paths"') ? "paths" : body;
  return body?.kind === "Status" ? body : { kind: body.kind, name: body.metadata?.name };
};

const queries = words(`
  zz=1  pretty  timeout=1s  timeout=0  timeout=-1s  timeout=1m30s  timeout=.5s
  timeout=  timeoutSeconds=1  timeoutSeconds=x  watch=0  watch=false  watch=x&timeoutSeconds=1  labelSelector=
  fieldSelector=  limit=  limit=1&limit=x  resourceVersion=  resourceVersion=-1  resourceVersion=01
  resourceVersion=0x1  exact=true  export=true  a=%zz  a;b=1  &&&
`);
const table = "application/json;as=Table;g=meta.k8s.io;v=v1";
const accepts = [
  "application/json;q=0.5, application/yaml;q=0.9",
  "application/yaml;q=0.1, application/json",
  "text/html, */*;q=0.1",
  "text/html;q=0.9, text/plain",
  "*/*;q=0",
  "application/json;q=x",
  "application/json;pretty=1",
  "application/json;charset=utf-8",
  "application/json; as=Table; v=v1; g=meta.k8s.io",
  "application/json;as=Table;g=meta.k8s.io;v=v2",
  "application/json;as=Table;g=wrong;v=v1",
  "application/json;as=Nothing;g=meta.k8s.io;v=v1",
  "application/json;as=Table",
  "application/json;g=meta.k8s.io;v=v1",
  "application/json;stream=watch",
  "application/json;stream=x",
  "application/yaml;as=Table;g=meta.k8s.io;v=v1",
  `application/json;as=Table;g=meta.k8s.io;v=v9, ${table}`,
  `text/html, ${table}`,
  "application/cbor, application/json",
  "application/cbor",
  "APPLICATION/JSON",
  "application/json,",
  ",",
  ";",
  "application",
  "a/b/c",
];
const contentTypes = [
  "application/json; charset=utf-8",
  "application/json;charset=latin1",
  "application/json; x",
  "application/json;",
  "APPLICATION/JSON",
  "",
  "application/yaml; charset=utf-8",
  "application/x-yaml",
  "text/yaml",
  "text/plain",
  "application/cbor",
  "application/x-www-form-urlencoded",
  "json",
  "/",
  ";",
  "application/json, application/yaml",
];
const patchTypes = [
  "application/merge-patch+json; charset=utf-8",
  "application/merge-patch+json;x",
  "APPLICATION/MERGE-PATCH+JSON",
  "application/json",
  "application/yaml",
  "application/apply-patch+cbor",
  "application/apply-patch",
  "",
  ";",
];
const emptied = ["", " ", "\n", "null", "{}", "[]", "---\n", "# nothing\n", "\u0000", "\ufeff{}"];
const big = "x".repeat(40_000);

/** A document in JSON is compared by its kind; whatever is written otherwise, by how it begins. */
function written(body: any): unknown {
  if (typeof body === "object")
    return body?.kind === "Status" ? body : { kind: body.kind, apiVersion: body.apiVersion };
  const text = String(body);
  return text.includes("kind: Status") ? text : text.slice(0, 4);
}

function yamlLines(text: any): unknown {
  return String(text)
    .split("\n")
    .filter((line) => !/uid|resourceVersion|time|Timestamp|f:|manage|operation|fields|apiVersion: v1$/.test(line));
}

function beginning(text: string): string {
  return text.slice(0, 20);
}

/** How it is laid out. */
function shape(text: string): unknown {
  const lines = text.split("\n");
  return {
    lines: lines.length,
    first: lines[0]!.slice(0, 20),
    second: lines[1]?.slice(0, 20),
    end: JSON.stringify(text.slice(-3)),
  };
}

/** What HTTP brings along: paths, methods, headers, and how answers are written. */
export const scenarios: Scenarios = {
  "http-paths": [
    ...withThing(kinds.paths),
    ...paths.map((path): Step => GET(path, { pick: path === "/" ? () => "" : outline })),
    ...queries.map((query): Step => GET(`${maps}?${query}`, { pick: outline })),
    ...queries.map((query): Step => GET(`${maps}/a?${query}`, { pick: outline })),
  ],
  "http-methods": [
    ...withThing(kinds.methods),
    ...["HEAD", "OPTIONS", "TRACE", "POST", "PUT", "PATCH", "DELETE"].flatMap((method) =>
      [
        "/version",
        "/healthz",
        "/api",
        "/apis",
        "/apis/apps",
        "/apis/apps/v1",
        "/openapi/v3",
        "/openapi/v3/apis/apps/v1",
        ...(method === "DELETE" ? [] : [maps, kinds.methods.path]),
        `${maps}/none`,
        ...(method === "DELETE" ? [] : [`${maps}/a`, `${kinds.methods.path}/a`]),
        "/api/v1/configmaps",
        "/api/v1/nodes/none/status",
        "/apis/methods.example.com",
        "/apis/methods.example.com/v1",
        "/apis/none/v1/things",
        "/none",
      ].map((path): Step => ({ request: `${method} ${path}`, shows: ["allow"], pick: outline })),
    ),
  ],
  "http-accept": [
    ...withThing(kinds.accept),
    ...accepts.flatMap((accept): Step[] =>
      [`${maps}/a`, maps, `${kinds.accept.path}/a`].map((path) => GET(path, { headers: { accept }, pick: written })),
    ),
    ...accepts.map((accept): Step => GET(`${maps}/none`, { headers: { accept }, pick: written })),
    ...["application/yaml", "application/cbor", "text/html"].map((accept): Step =>
      GET(`${maps}?watch=true&timeoutSeconds=1`, { headers: { accept }, pick: written }),
    ),
    POST(
      maps,
      { metadata: { name: "y" }, data: { a: "1", b: "x\ny\n" } },
      { headers: { accept: "application/yaml" }, pick: yamlLines },
    ),
  ],
  "http-content-types": [
    ...withThing(kinds.types),
    ...contentTypes.flatMap((type, index): Step[] => [
      POST(maps, { metadata: { name: `c${index}` } }, { headers: { "content-type": type } }),
      POST(kinds.types.path, kinds.types.object(`c${index}`), { headers: { "content-type": type } }),
      DELETE(`${maps}/c${index}`, {
        headers: { "content-type": type },
        body: { kind: "DeleteOptions", apiVersion: "v1" },
      }),
    ]),
    ...patchTypes.flatMap((type): Step[] =>
      [`${maps}/a`, `${kinds.types.path}/a`].map((path) =>
        PATCH(path, { "content-type": type }, { metadata: { labels: { a: "b" } } }),
      ),
    ),
  ],
  "http-bodies": [
    ...withThing(kinds.bodies),
    ...emptied.flatMap((body): Step[] => [
      POST(maps, body),
      PUT(`${maps}/a`, body),
      POST(kinds.bodies.path, body),
      POST(maps, body, { headers: { "content-type": "application/yaml" } }),
      PATCH(`${kinds.bodies.path}/a`, merge, body),
      DELETE(`${maps}/none`, { body }),
    ]),
  ],
  "http-answers": [
    map,
    ...["", "?pretty", "?pretty=", "?pretty=1", "?pretty=true", "?pretty=false", "?pretty=0", "?pretty=x"].map(
      (query): Step => GET(`${maps}/a${query}`, { raw: true, pick: shape }),
    ),
    ...["curl/8.0", "Wget/1.2", "Mozilla/5.0 (X11)", "node"].map((agent): Step =>
      GET(`${maps}/a`, { headers: { "user-agent": agent }, raw: true, pick: shape }),
    ),
    GET(`${maps}/none?pretty=true`, { raw: true }),
    GET(`${maps}/none`, { headers: { "user-agent": "curl/8.0" }, raw: true }),
    GET(`${maps}?pretty=true`, { raw: true, pick: shape }),
    GET(`${maps}?pretty=true`, { headers: { accept: table }, raw: true, pick: shape }),
    GET(`${maps}?pretty=true&watch=true&timeoutSeconds=1`, { raw: true, pick: shape }),
    GET("/version?pretty=true", { raw: true, pick: shape }),
    GET("/version", { raw: true, pick: shape }),
    GET("/api?pretty=true", { raw: true, pick: shape }),
    GET("/apis/apps/v1?pretty=true", { raw: true, pick: beginning }),
    GET("/apis", { headers: { "user-agent": "curl/8.0" }, raw: true, pick: beginning }),
    ...["a", "b", "c", "d"].map((name): Step =>
      POST(maps, { metadata: { name: `big-${name}` }, data: { text: big } }, { unrecorded: true }),
    ),
    ...["gzip", "deflate, gzip", "gzip;q=1", "deflate", "gzip;q=0", "identity, gzip;q=0.5", "*", "br", ""].map(
      (encoding): Step =>
        GET(maps, {
          headers: { "accept-encoding": encoding },
          shows: ["content-encoding", "vary"],
          pick: (body) => body.items.length,
        }),
    ),
    ...[
      `${maps}/big-a`,
      `${maps}?watch=true&resourceVersion=0&timeoutSeconds=1`,
      "/apis",
      "/openapi/v3/api/v1",
      "/openapi/v3",
      "/version",
    ].map((path): Step =>
      GET(path, { headers: { "accept-encoding": "gzip" }, shows: ["content-encoding", "vary"], pick: () => "" }),
    ),
    GET(`${maps}/a`, { shows: ["cache-control", "vary", "etag", "x-content-type-options", "content-encoding"] }),
    GET(`${maps}/none`, { shows: ["cache-control", "vary", "etag", "x-content-type-options"] }),
    GET("/none", { shows: ["cache-control", "vary", "etag", "x-content-type-options"] }),
  ],
};
