import { customKind } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, strategic, type RequestStep, type Scenario } from "../../scenario.ts";
import { maps } from "../../steps.ts";

const metadata = { name: "a" };
const strict = customKind("strictpatch");

export const scenarios: readonly Scenario[] = [
  {
    name: "strict-patches",
    steps: [
      ...strict.install,
      { request: `POST ${maps}`, body: { metadata }, unrecorded: true },
      { request: `POST ${strict.path}`, body: strict.object("a"), unrecorded: true },
      ...["Strict", "Warn", "Ignore"].flatMap((wish) =>
        [maps, strict.path].flatMap((path): RequestStep[] => [
          { request: `PATCH ${path}/a?fieldValidation=${wish}`, headers: merge, body: { zz: 1, metadata: { yy: 2 } } },
          {
            request: `PATCH ${path}/a?fieldValidation=${wish}`,
            headers: jsonPatch,
            body: [{ op: "add", path: "/zz", value: 1 }],
          },
          {
            request: `PATCH ${path}/a?fieldValidation=${wish}`,
            headers: merge,
            body: '{"metadata":{"labels":{"a":"1","a":"2"}}}',
          },
          {
            request: `PATCH ${path}/a?fieldValidation=${wish}`,
            headers: strategic,
            body: '{"metadata":{"labels":{"a":"1","a":"2"},"yy":1}}',
          },
        ]),
      ),
      ...[merge, strategic, jsonPatch].flatMap((headers) =>
        ["null", "[[null]]", "{"].map((body): RequestStep => ({ request: `PATCH ${maps}/none`, headers, body })),
      ),
      {
        request: `PATCH ${maps}/a?fieldManager=m`,
        headers: apply,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata, binaryData: { b: "!" } },
      },
    ],
  },
];
