import { protobuf } from "../../../../../src/apiserver/representation/negotiate.ts";
import { customKind } from "../../custom-kind.ts";
import type { RequestStep, Scenarios, Step } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

const kind = customKind("protobuf");
const partial = "as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const table = "as=Table;g=meta.k8s.io;v=v1";
const json = "application/json";
const initial =
  "watch=true&timeoutSeconds=2&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
const accepts = [
  protobuf,
  `${protobuf}, ${json}`,
  `${protobuf};q=0.1, ${json}`,
  `${protobuf};${partial}`,
  `${protobuf};${partial}, ${json};${partial}`,
  `${protobuf};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1, ${json}`,
  `${protobuf};${table}`,
  `${protobuf};${table}, ${json};${table}`,
];
const paths = ["/a", "/none", ""];

/** Tables are compared elsewhere. */
function withoutColumns(body: any): unknown {
  return body?.kind === "Table" ? { kind: body.kind } : body?.items ? { kind: body.kind } : body;
}

function outline({ kind, name, versions }: any): unknown {
  return { kind, name, versions };
}

/** Answers that Go programs read fastest. */
export const scenarios: Scenarios = {
  protobuf: [
    ...kind.install,
    POST(kind.path, kind.object("a"), { unrecorded: true }),
    POST(
      maps,
      {
        metadata: { name: "a", labels: { b: "2", a: "1" } },
        data: { z: "é", a: "" },
        binaryData: { b: "AAH/" },
      },
      { headers: { accept: protobuf } },
    ),
    ...accepts.flatMap((accept): Step[] =>
      [maps, kind.path].flatMap((collection) =>
        // Of a custom resource, a real server answers some of these with 500 where 406 is meant.
        paths
          .filter((path) => collection === maps || path !== "/a" || !accept.includes("MetadataList"))
          .map((path): Step => GET(`${collection}${path}`, { headers: { accept }, pick: withoutColumns })),
      ),
    ),
    {
      together: [
        ...[protobuf, `${protobuf};stream=watch`, `${protobuf};${partial}`].map((accept): RequestStep =>
          GET(`${maps}?fieldSelector=metadata.name%3Da&${initial}`, { headers: { accept } }),
        ),
        ...[protobuf, `${protobuf}, ${json}`, `${protobuf};${partial}`, `${json};${partial}`].map(
          (accept): RequestStep => GET(`${kind.path}?${initial}`, { headers: { accept } }),
        ),
      ],
    },
    GET(`${maps}?watch=true&resourceVersion=x`, { headers: { accept: protobuf } }),
    PUT(`${maps}/a`, { metadata: { name: "b" } }, { headers: { accept: protobuf } }),
    PUT(`${maps}/a`, { metadata: { name: "a" }, immutable: true }, { headers: { accept: protobuf } }),
    PATCH(
      `${maps}/a`,
      { accept: protobuf, "content-type": "application/merge-patch+json" },
      { metadata: { annotations: { c: "d" } } },
    ),
    DELETE(`${kind.path}/a`, { headers: { accept: protobuf } }),
    DELETE(`${kind.path}/a`, { headers: { accept: `${protobuf}, ${json}` } }),
    DELETE(`${maps}/a`, { headers: { accept: protobuf } }),
    DELETE(`${maps}/a`, { headers: { accept: protobuf } }),
    ...["/apis/none", "/api/v1/none", "/apis/apps/v9"].map((path): Step =>
      GET(path, { headers: { accept: protobuf } }),
    ),
    ...[
      "/api",
      "/api/v1",
      "/apis/apps",
      "/apis/apps/v1",
      "/apis/protobuf.example.com",
      "/apis/protobuf.example.com/v1",
    ].map((path): Step => GET(path, { headers: { accept: protobuf }, pick: outline })),
  ],
};
