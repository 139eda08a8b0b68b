import type { RequestStep, Scenarios } from "../../scenario.ts";
import { core } from "../../steps.ts";
import { POST } from "../../requests.ts";

const shows = ["www-authenticate", "x-content-type-options", "cache-control"];
const as = (authorization: string, request: string, more: Partial<RequestStep> = {}): RequestStep => ({
  request,
  shows,
  ...more,
  headers: { authorization, ...more.headers },
});
const anonymous = (request: string, more: Partial<RequestStep> = {}): RequestStep => as("", request, more);
const review = (group: string, kind: string, spec?: object): RequestStep =>
  anonymous(`POST /apis/${group}.k8s.io/v1/${kind.toLowerCase()}s`, {
    body: { apiVersion: `${group}.k8s.io/v1`, kind, ...(spec && { spec }) },
  });

/** The version differs between servers. */
const major = ({ major, kind, message }: any): unknown => ({ major, kind, message });

/** Requests without credentials, and with wrong ones. */
export const scenarios: Scenarios = {
  anonymous: [
    ...["/livez", "/readyz", "/healthz", "/livez/ping", "/readyz/ping", "/healthz/ping"].map((path) =>
      anonymous(`GET ${path}`),
    ),
    ...["/version", "/version/"].map((path) => anonymous(`GET ${path}`, { pick: major })),
    ...[
      "/",
      "/api",
      "/apis",
      "/api/v1",
      "/apis/apps/v1",
      "/openapi/v2",
      "/openapi/v3",
      "/metrics",
      "/nope",
      "/apis/nope.example.com/v1/things",
      "/api/v1/pods",
      "/api/v1/pods?watch=true",
      `${core}/configmaps`,
      `${core}/configmaps/x`,
      `${core}/pods/x/log`,
      "/api/v1/namespaces/{ns}",
    ].map((path) => anonymous(`GET ${path}`)),
    anonymous("POST /version"),
    anonymous("HEAD /livez"),
    anonymous("DELETE /livez"),
    anonymous(`POST ${core}/configmaps`, { body: { metadata: { name: "a" } } }),
    anonymous(`DELETE ${core}/configmaps/a`),
    anonymous(`DELETE ${core}/configmaps`),
    anonymous("GET /api/v1/pods", { headers: { accept: "application/yaml" } }),
    review("authentication", "SelfSubjectReview"),
    review("authorization", "SelfSubjectAccessReview", { nonResourceAttributes: { path: "/livez", verb: "get" } }),
    // A role can be bound to everyone.
    POST(
      "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles",
      {
        metadata: { name: "everyone" },
        rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }],
      },
      { unrecorded: true },
    ),
    POST(
      "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings",
      {
        metadata: { name: "everyone" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "everyone" },
        subjects: [{ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "system:unauthenticated" }],
      },
      { unrecorded: true },
    ),
    anonymous(`GET ${core}/configmaps/none`, { until: (_, status) => status !== 403 }),
    anonymous(`GET ${core}/secrets`),
  ],
  "anonymous-wrong-credentials": [
    "Bearer wrong",
    "Bearer a.b.c",
    "bearer wrong",
    "Bearer",
    "Bearer ",
    "Bearer  ",
    "Basic YTpi",
    "wrong",
  ].flatMap((authorization) => [
    as(authorization, "GET /livez"),
    as(authorization, "GET /nope"),
    as(authorization, "GET /api/v1/pods", { headers: { accept: "application/yaml" } }),
    as(authorization, `POST ${core}/configmaps`, { body: { metadata: { name: "a" } } }),
  ]),
};
