import { apply, jsonPatch, merge, strategic, type RequestStep, type Scenarios } from "../../scenario.ts";
import { maps, words } from "../../steps.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

const whole = { apiVersion: "v1", kind: "ConfigMap" };
const right: RequestStep = POST(maps, { metadata: { name: "a" }, data: { a: "b" } });

/** Types that a patched object may claim, and values that don't fit. */
const patches = [
  { apiVersion: "v2" },
  { apiVersion: "apps/v1" },
  { apiVersion: "apps/v1", kind: "Deployment" },
  { kind: "Foo" },
  { kind: "" },
  { apiVersion: "" },
  { kind: null },
  { apiVersion: null },
  { apiVersion: "a/b/c" },
  { kind: 5 },
  { apiVersion: {} },
  { metadata: 5 },
  { metadata: null },
  { metadata: { name: "b" } },
  { metadata: { namespace: "b" } },
  { data: [] },
  { data: { a: 5 } },
  { data: { a: true } },
  { data: { a: 1.5 } },
  { immutable: "yes" },
  { metadata: { finalizers: "a" } },
  { metadata: { generation: 1.5 } },
];

const operations = [
  { path: "/kind", value: 5 },
  { path: "/apiVersion", value: "v2" },
  { path: "/metadata/name", value: "b" },
  { path: "/metadata", value: 5 },
  { path: "/data", value: 7 },
];
const applied = [
  { apiVersion: "v2", kind: "ConfigMap" },
  { apiVersion: "v1", kind: "Secret" },
  { apiVersion: "v1" },
  { kind: "ConfigMap" },
  {},
  { apiVersion: 5, kind: "ConfigMap" },
  { kind: [], apiVersion: "v1" },
  { apiVersion: "a/b/c", kind: "ConfigMap" },
  { ...whole, metadata: 5 },
  { ...whole, metadata: null },
  { ...whole, metadata: { name: 5 } },
  { ...whole, metadata: { name: "b" } },
  { ...whole, metadata: { namespace: "b" } },
  { ...whole, metadata: { name: "a", namespace: "b" } },
  { ...whole, metadata: { name: "a", labels: 5 } },
  { ...whole, metadata: { name: "a", labels: { a: 5 } } },
  { ...whole, metadata: { name: "a" }, data: 5 },
];
const bodies = [
  whole,
  { metadata: {} },
  { metadata: { name: "b" } },
  { metadata: { name: "" } },
  { metadata: null },
  { metadata: 5 },
  { kind: "Foo", metadata: { name: "a" } },
  { kind: "Secret", apiVersion: "v1", metadata: { name: "a" } },
  { kind: "DeleteOptions", apiVersion: "v1", metadata: { name: "a" } },
  { kind: "List", apiVersion: "v1", metadata: { name: "a" } },
  { kind: "ConfigMap", apiVersion: "apps/v1", metadata: { name: "a" } },
  { kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "a" } },
  { kind: "ConfigMap", apiVersion: "a/b/c", metadata: { name: "a" } },
  { kind: 5 },
  { metadata: { name: "a", namespace: "x" } },
];
const deletions = [
  { propagationPolicy: 5 },
  { propagationPolicy: {} },
  { propagationPolicy: "" },
  { gracePeriodSeconds: "x" },
  { gracePeriodSeconds: -1 },
  { gracePeriodSeconds: 1.5 },
  { preconditions: 5 },
  { preconditions: { uid: 5 } },
  { dryRun: "All" },
  { dryRun: ["x"] },
  { dryRun: [5] },
  { orphanDependents: "x" },
  { zz: 1 },
  { kind: "Pod", apiVersion: "v1" },
  { kind: "DeleteOptions", apiVersion: "apps/v1" },
  { kind: "DeleteOptions", apiVersion: "zz/v1" },
  { kind: "DeleteOptions" },
  { apiVersion: "v1" },
  [],
  "s",
];
const deletionQueries = words(`
  dryRun=All&dryRun=x  dryRun=  dryRun=all  gracePeriodSeconds=x  gracePeriodSeconds=-5  orphanDependents=x
  propagationPolicy=  propagationPolicy=Sideways
`);
const writeQueries = [
  `fieldManager=${"x".repeat(129)}`,
  "fieldManager=a%00b",
  "fieldManager=a%20b%09",
  "fieldManager=%C3%A9",
  "fieldManager=",
  "dryRun=x",
  "dryRun=All&dryRun=All",
  "dryRun=",
  "fieldValidation=",
  "fieldValidation=x",
  "pretty=x",
  "force=true",
];

/** What a request may say besides being right, and what it is told then. */
export const scenarios: Scenarios = {
  "patched-types": [
    right,
    ...[merge, strategic].flatMap((headers) => patches.map((body): RequestStep => PATCH(`${maps}/a`, headers, body))),
    ...operations.map((operation): RequestStep => PATCH(`${maps}/a`, jsonPatch, [{ op: "replace", ...operation }])),
    ...[merge, strategic, jsonPatch].flatMap((headers) =>
      ["", "[]", "5", "null", "{", "s"].map((body): RequestStep => PATCH(`${maps}/a`, headers, body)),
    ),
  ],
  "applied-types": [
    right,
    ...[...applied, "", "[]", "5", "null", "s"].flatMap((body): RequestStep[] => [
      PATCH(`${maps}/a?fieldManager=m`, apply, body),
      PATCH(`${maps}/none?fieldManager=m&dryRun=All`, apply, body),
    ]),
  ],
  "body-types": [
    right,
    ...bodies.flatMap((body): RequestStep[] => [PUT(`${maps}/a`, body), POST(maps, body), PUT(`${maps}/none`, body)]),
  ],
  "delete-options": [
    right,
    ...deletions.flatMap((body): RequestStep[] => [
      DELETE(`${maps}/none`, { body }),
      DELETE(`${maps}?labelSelector=none`, { body }),
    ]),
    ...deletionQueries.map((query): RequestStep => DELETE(`${maps}/none?${query}`)),
    // With a body, the query has no say.
    DELETE(`${maps}/a?dryRun=All`, { body: { kind: "DeleteOptions", apiVersion: "v1" } }),
    GET(`${maps}/a`),
  ],
  "write-options": [
    right,
    ...writeQueries.flatMap((query, index): RequestStep[] => [
      POST(`${maps}?${query}`, { metadata: { name: `q${index}` } }),
      PUT(`${maps}/a?${query}`, { metadata: { name: "a" }, data: { a: "b" } }),
      PATCH(`${maps}/a?${query}`, merge, {}),
      PATCH(`${maps}/a?${query}`, apply, { ...whole, metadata: { name: "a" } }),
    ]),
  ],
};
