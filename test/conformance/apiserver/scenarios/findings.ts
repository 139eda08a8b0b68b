import { customKind } from "../custom-kind.ts";
import { apply, merge, strategic, type RequestStep, type Scenario } from "../scenario.ts";

const maps = "/api/v1/namespaces/{ns}/configmaps";
const pods = "/api/v1/namespaces/{ns}/pods";
const inJson = customKind("findingsjson");
const inYaml = customKind("findingsyaml");
const yaml = { "content-type": "application/yaml" };
const wishes = ["Strict", "Warn", "Ignore"];

const body = (members: string): string =>
  `{"metadata":{"name":"b","zz":1,"labels":{"x":"1","x":"2"},"aa":2,"aa":3},${members},"aaa":2}`;
const mapText = body(
  '"apiVersion":"v1","kind":"ConfigMap","zzz":1,"data":{"a":"1","a":"2","a":"3"},"bbb":1,"data":{"a":"4"}',
);
const podText = body(
  '"apiVersion":"v1","kind":"Pod","spec":{"zz":1,"containers":[{"name":"c","z":1,"image":"i","a":1,"name":"c"}],"aa":1}',
);
const customText = body(
  '"apiVersion":"findingsjson.example.com/v1","kind":"Thing","zzz":1,"spec":{"z":1,"x":"a","x":"b","y":1},"bbb":1,"spec":{}',
);

const mapLines = ["apiVersion: v1", "kind: ConfigMap"];
const customLines = ["apiVersion: findingsyaml.example.com/v1", "kind: Thing"];
const metadataLines = ["metadata:", "  name: b", "  labels: {x: a, y: b, x: c}"];
const unknownLines = ["  zz: 1", "  aa: 1", "zzz: 1", "bbb: 1"];
const data = (field: string): string[] => [
  `${field}:`,
  "  # The value begins below.",
  '  "x": a',
  `${field}: # again`,
  "",
  "  # a comment",
  "  x: a",
  "  'x': b",
  "  x: |",
  "    c",
  "  x:",
  "    d",
];
const documents: readonly (readonly [path: string, type: readonly string[], field: string])[] = [
  [maps, mapLines, "data"],
  [inYaml.path, customLines, "spec"],
];

/** What strict writers are told of unknown and repeated fields, and in which order. */
export const findingScenarios: readonly Scenario[] = [
  {
    name: "findings-in-order",
    steps: [
      ...inJson.install,
      { request: `POST ${maps}`, body: { metadata: { name: "a" } }, unrecorded: true },
      ...["Strict", "Warn"].flatMap((wish): RequestStep[] => [
        { request: `POST ${maps}?dryRun=All&fieldValidation=${wish}`, body: mapText },
        { request: `POST ${pods}?dryRun=All&fieldValidation=${wish}`, body: podText },
        { request: `POST ${inJson.path}?dryRun=All&fieldValidation=${wish}`, body: customText },
        ...[merge, strategic].map((headers) => ({
          request: `PATCH ${maps}/a?dryRun=All&fieldValidation=${wish}`,
          headers,
          body: '{"zzz":1,"metadata":{"zz":1,"aa":2,"labels":{"b":"1","b":"2"}},"bbb":2}',
        })),
      ]),
    ],
  },
  {
    name: "findings-in-yaml",
    steps: [
      ...inYaml.install,
      ...wishes.flatMap((wish) =>
        documents.flatMap(([path, type, field]): RequestStep[] => {
          const query = `dryRun=All&fieldValidation=${wish}`;
          const known = [...type, ...metadataLines, ...data(field)].join("\n");
          const unknown = [...type, ...metadataLines, ...unknownLines, ...data(field)].join("\n");
          return [
            { request: `POST ${path}?${query}`, headers: yaml, body: unknown },
            { request: `PATCH ${path}/b?fieldManager=m&${query}`, headers: apply, body: known },
            {
              request: `PATCH ${path}/b?fieldManager=m&${query}`,
              headers: apply,
              body: known.replace("  name: b\n", ""),
            },
          ];
        }),
      ),
    ],
  },
];
