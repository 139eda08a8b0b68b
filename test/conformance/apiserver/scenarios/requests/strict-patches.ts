import { customKind } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, strategic, type RequestStep, type Scenarios } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { PATCH, POST } from "../../requests.ts";

const metadata = { name: "a" };
const strict = customKind("strictpatch");

export const scenarios: Scenarios = {
  "strict-patches": [
    ...strict.install,
    POST(maps, { metadata }, { unrecorded: true }),
    POST(strict.path, strict.object("a"), { unrecorded: true }),
    ...["Strict", "Warn", "Ignore"].flatMap((wish) =>
      [maps, strict.path].flatMap((path): RequestStep[] => [
        PATCH(`${path}/a?fieldValidation=${wish}`, merge, { zz: 1, metadata: { yy: 2 } }),
        PATCH(`${path}/a?fieldValidation=${wish}`, jsonPatch, [{ op: "add", path: "/zz", value: 1 }]),
        PATCH(`${path}/a?fieldValidation=${wish}`, merge, '{"metadata":{"labels":{"a":"1","a":"2"}}}'),
        PATCH(`${path}/a?fieldValidation=${wish}`, strategic, '{"metadata":{"labels":{"a":"1","a":"2"},"yy":1}}'),
      ]),
    ),
    ...[merge, strategic, jsonPatch].flatMap((headers) =>
      ["null", "[[null]]"].map((body): RequestStep => PATCH(`${maps}/none`, headers, body)),
    ),
    PATCH(`${maps}/a?fieldManager=m`, apply, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      binaryData: { b: "!" },
    }),
  ],
};
