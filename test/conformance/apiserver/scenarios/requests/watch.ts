import { customKind } from "../../custom-kind.ts";
import { merge, type Scenarios, type Step } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";

const kind = customKind("watch");
const things = kind.path;
const create = (name: string, labels: Record<string, string> = {}): Step =>
  POST(
    maps,
    { metadata: { name, labels } },
    { save: { [`rv_${name}`]: "metadata.resourceVersion" }, unrecorded: true },
  );
const label = (name: string, app: string): Step =>
  PATCH(`${maps}/${name}`, merge, { metadata: { labels: { app } } }, { unrecorded: true });
const as = (type: string): Record<string, string> => ({ accept: `application/json;as=${type};v=v1;g=meta.k8s.io` });
const binaryList = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
const remove = (name: string): Step => DELETE(`${maps}/${name}`, { unrecorded: true });

export const scenarios: Scenarios = {
  watch: [
    create("a"),
    { open: "unset", request: `GET ${maps}?watch=true` },
    { open: "zero", request: `GET ${maps}?watch=1&resourceVersion=0` },
    { open: "from", request: `GET ${maps}?watch=true&resourceVersion={rv_a}` },
    label("a", "x"),
    label("a", "x"),
    create("b"),
    remove("a"),
    { read: "unset", count: 4 },
    { read: "zero", count: 4 },
    { read: "from", count: 3 },
    GET(`${maps}?watch=true&resourceVersion=garbage`),
    GET(`${maps}?watch=true&timeoutSeconds=1&resourceVersion={rv_b}&fieldSelector=metadata.name%3Dnone`),
    GET(`${maps}?watch=true&resourceVersionMatch=NotOlderThan`),
    GET(`${maps}?watch=true&sendInitialEvents=true`),
    GET(`${maps}?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1`),
    GET(`${maps}?watch=true&labelSelector=${encodeURIComponent("a in b")}`),
  ],
  "watch-selectors": [
    create("a", { app: "x" }),
    { open: "labels", request: `GET ${maps}?watch=true&labelSelector=app%3Dx` },
    { open: "name", request: `GET ${maps}?watch=true&fieldSelector=metadata.name%3Da` },
    label("a", "y"),
    label("a", "x"),
    create("b", { app: "x" }),
    remove("a"),
    { read: "labels", count: 5 },
    { read: "name", count: 4 },
  ],
  "watch-ahead": [
    create("a"),
    {
      open: "far",
      request: `GET ${maps}?watch=1&resourceVersion=99999999&timeoutSeconds=4&allowWatchBookmarks=true`,
    },
    { open: "zeros", request: `GET ${maps}?watch=1&resourceVersion={rv_a}000&timeoutSeconds=2` },
    label("a", "x"),
    create("b"),
    { read: "far" },
    { read: "zeros" },
  ],
  "watch-as": [
    ...kind.install,
    ...[maps, things].flatMap((path, at): Step[] => [
      POST(path, at === 0 ? { metadata: { name: "a" } } : kind.object("a"), {
        save: { [`rv_${at}`]: "metadata.resourceVersion" },
        unrecorded: true,
      }),
      ...["PartialObjectMetadata", "Table", "PartialObjectMetadataList"].flatMap((type): Step[] => [
        {
          open: `initial ${at} ${type}`,
          request: `GET ${path}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
          headers: as(type),
        },
        {
          open: `selected ${at} ${type}`,
          request: `GET ${path}?watch=1&labelSelector=app%3Dx&timeoutSeconds=2`,
          headers: as(type),
        },
        {
          open: `whole ${at} ${type}`,
          request: `GET ${path}?watch=1&includeObject=Object&timeoutSeconds=2`,
          headers: as(type),
        },
        {
          open: `none ${at} ${type}`,
          request: `GET ${path}?watch=1&includeObject=None&timeoutSeconds=2`,
          headers: as(type),
        },
      ]),
      {
        open: `binary ${at}`,
        request: `GET ${path}?watch=1&timeoutSeconds=2`,
        headers: { accept: `${binaryList},${as("PartialObjectMetadataList")["accept"]}` },
      },
      ...["PartialObjectMetadata", "Table", "PartialObjectMetadataList"].flatMap((type) =>
        ["initial", "selected", "whole", "none"].map((name): Step => ({
          read: `${name} ${at} ${type}`,
          ...(name === "initial" && { count: type === "PartialObjectMetadataList" ? 1 : 2 }),
        })),
      ),
      { read: `binary ${at}` },
    ]),
  ],
  "watch-list": [
    create("a"),
    {
      open: "list",
      request: `GET ${maps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    },
    { read: "list", count: 2 },
    create("b"),
    { read: "list", count: 1 },
    {
      open: "table",
      request: `GET ${maps}?watch=true&resourceVersion=0`,
      headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
    },
    { read: "table", count: 2 },
    {
      open: "partial",
      request: `GET ${maps}?watch=true&resourceVersion=0`,
      headers: { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
    },
    { read: "partial", count: 2 },
  ],
  "watch-named": [
    ...kind.install,
    POST(things, kind.object("a"), { unrecorded: true }),
    { open: "custom", request: `GET ${things}?watch=true` },
    { read: "custom", count: 1 },
    PATCH(
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.watch.example.com",
      merge,
      { spec: { names: { categories: ["all"] } } },
      { unrecorded: true },
    ),
    { read: "custom", count: 1 },
    create("m"),
  ],
};
