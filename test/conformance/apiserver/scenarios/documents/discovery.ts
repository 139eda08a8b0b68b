import { customKind } from "../../custom-kind.ts";
import type { Scenarios, Step } from "../../scenario.ts";
import { GET, POST } from "../../requests.ts";

const kind = customKind(
  "endpoints",
  {},
  { names: { kind: "Thing", plural: "things", shortNames: ["th"], categories: ["all"] } },
);
const aggregated = (version: string): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/** Whether there is one, and how it looks. */
const document = "/openapi/v3/apis/endpoints.example.com/v1";

function shown(body: any): unknown {
  return typeof body === "string" ? body.slice(0, 10) : { kind: body.kind, apiVersion: body.apiVersion };
}

const lines = (text: string): string => text.replace(/\[[+-]\].*\n/g, "");

/** Groups all of whose kinds are served here. */
const wholeGroups = [
  "/api/v1",
  ..."apps batch events.k8s.io rbac.authorization.k8s.io networking.k8s.io policy storage.k8s.io coordination.k8s.io"
    .concat(" certificates.k8s.io discovery.k8s.io scheduling.k8s.io node.k8s.io resource.k8s.io apiextensions.k8s.io")
    .split(" ")
    .map((group) => `/apis/${group}/v1`),
  "/apis/autoscaling/v2",
];

const namesOf = ({ resources }: any): unknown =>
  resources.map(({ name }: any) => name).filter((name: string) => name !== "componentstatuses");

/** What a server tells about itself. */
/** Returns the names of groups; requests are not queued here, and other scenarios have groups of their own. */
const order = (groups: any[]): string[] =>
  groups
    .map(({ name }) => name as string)
    .filter((name) => /^(\w+|.*[ab]-order\.example\.com|(?!flowcontrol|(un)?approved).*\.k8s\.io)$/.test(name));

export const scenarios: Scenarios = {
  endpoints: [
    ...["/healthz", "/livez", "/readyz"].flatMap((path): Step[] => [
      GET(path, { shows: ["cache-control", "x-content-type-options"] }),
      GET(`${path}?exclude=etcd`, { pick: lines }),
      GET(`${path}/ping`),
      GET(`${path}/etcd`),
      GET(`${path}/log`),
      GET(`${path}/nothing`),
      GET(`${path}/`),
      { request: `HEAD ${path}` },
      POST(path),
    ]),
    GET("/version", { pick: (body) => Object.keys(body).toSorted() }),
    GET("/version/x"),
    GET("/logs"),
    GET("/logs/"),
    GET("/swagger.json"),
    GET("/swaggerapi"),
    GET("/ui"),
    GET("/apis/", { pick: shown }),
    GET("/api/v1", {
      pick: (body) =>
        body.resources.map(({ name }: any) => name).filter((name: string) => name !== "componentstatuses"),
    }),
  ],
  "about-itself": [
    GET("/version", { headers: { accept: "text/html, application/json" }, pick: (body) => body.major ?? body }),
    ...wholeGroups.map((path): Step => GET(path, { pick: namesOf })),
  ],
  discovery: [
    ...kind.install,
    GET(document, { until: (_, status) => status === 200, unrecorded: true }),
    GET("/openapi/v3", { until: (text) => String(text).includes("endpoints.example.com"), unrecorded: true }),
    ...["/api", "/apis"].flatMap((path) =>
      [
        aggregated("v2"),
        aggregated("v2beta1"),
        aggregated("v1"),
        `${aggregated("v2")},${aggregated("v2beta1")},application/json`,
        `${aggregated("v1")},application/json`,
        `application/json,${aggregated("v2")}`,
        `application/json;q=0.1,${aggregated("v2")};q=0.9`,
        "application/json;as=APIGroupDiscoveryList",
        "application/yaml",
        "text/html",
        "*/*",
        `*/*,${aggregated("v2")}`,
      ].map((accept): Step => GET(path, { headers: { accept }, shows: ["vary", "cache-control"], pick: shown })),
    ),
    GET("/apis", {
      headers: { accept: aggregated("v2") },
      pick: ({ items }) => items.filter(({ metadata }: any) => metadata.name === "endpoints.example.com"),
    }),
    ...[["/apis", aggregated("v2")] as const, [document, "application/json"] as const].flatMap(
      ([path, accept]): Step[] => [
        GET(path, { headers: { accept }, save: { tag: "headers.etag" }, unrecorded: true }),
        GET(path, { headers: { accept, "if-none-match": "{tag}" }, shows: ["vary", "cache-control"] }),
        GET(path, { headers: { accept, "if-none-match": '"x"' }, pick: shown }),
      ],
    ),
    GET("/apis/endpoints.example.com"),
    GET("/apis/endpoints.example.com/v1"),
    GET("/apis/endpoints.example.com/v2"),
    GET("/apis/endpoints.example.com/v1", { headers: { accept: "text/html" } }),
    GET("/apis/apps", { headers: { accept: "application/yaml" }, pick: shown }),
    GET("/apis/apps/v1", { headers: { accept: "text/html" }, pick: shown }),
    ...["/openapi/v3", document].flatMap((path): Step[] => [
      GET(path, { shows: ["vary", "cache-control"], pick: () => "" }),
      GET(path, { headers: { accept: "text/html" }, shows: ["vary", "cache-control"], pick: shown }),
      GET(path, { headers: { accept: "application/yaml" }, shows: ["vary"], pick: shown }),
      GET(`${path}/`, { pick: shown }),
      { request: `HEAD ${path}` },
    ]),
    GET("/openapi/v3", {
      raw: true,
      pick: (text) =>
        /^\/openapi\/v3\/apis\/endpoints.example.com\/v1\?hash=[0-9A-F]{128}$/.test(
          JSON.parse(text).paths["apis/endpoints.example.com/v1"].serverRelativeURL,
        ),
    }),
    GET(`${document}?hash=0`, { shows: ["cache-control", "vary"] }),
    GET("/openapi/v2", { headers: { accept: "application/json" }, shows: ["vary"], pick: ({ swagger }) => swagger }),
    GET("/openapi/v2", { headers: { accept: "text/html" }, shows: ["vary"], pick: shown }),
    GET("/openapi/v2/x"),
    GET("/openapi"),
    GET("/openapi/v1"),
  ],
  "group-order": [
    ...customKind("b-order").install,
    ...customKind("a-order").install,
    GET("/apis", { headers: { accept: "application/json" }, pick: ({ groups }) => order(groups) }),
    GET("/apis", {
      headers: { accept: aggregated("v2") },
      pick: ({ items }) => order(items.map(({ metadata }: any) => metadata)),
    }),
  ],
  slashes: [
    GET("/version/", { pick: ({ major, minor }) => ({ major, minor }) }),
    GET("/api/", { pick: ({ kind, versions }) => ({ kind, versions }) }),
    GET("/apis/", { pick: ({ kind }) => kind }),
    GET("/api/v1/", { pick: ({ kind, groupVersion }) => ({ kind, groupVersion }) }),
    GET("/apis/apps/v1/", { pick: ({ kind, groupVersion }) => ({ kind, groupVersion }) }),
    GET("/healthz/"),
    GET("/api/v1/namespaces/", { pick: ({ kind }) => kind }),
  ],
};
