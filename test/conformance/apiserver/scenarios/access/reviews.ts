import type { Scenarios } from "../../scenario.ts";
import { pods } from "../../steps.ts";
import { POST } from "../../requests.ts";

const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "a", image: "i" }] } };
const access = "/apis/authorization.k8s.io/v1";
const onlyCreated: readonly (readonly [path: string, body: object])[] = [
  [`${access}/selfsubjectaccessreviews`, { spec: { nonResourceAttributes: { path: "/", verb: "get" } } }],
  [`${access}/selfsubjectrulesreviews`, { spec: { namespace: "default" } }],
  ["/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "x" } }],
  ["/apis/authentication.k8s.io/v1/selfsubjectreviews", {}],
  [`${pods}/p/eviction?dryRun=All`, { metadata: { name: "p" } }],
];

export const scenarios: Scenarios = {
  "tables-of-reviews": [
    POST(pods, pod, { unrecorded: true }),
    ...[table, `${table},application/json`, table.replace("Table", "PartialObjectMetadata")].flatMap((accept) =>
      onlyCreated.map(([path, body]) =>
        POST(path, body, {
          headers: { accept },
          pick: ({ kind, apiVersion, message, reason, code }: any) => ({ kind, apiVersion, message, reason, code }),
        }),
      ),
    ),
  ],
};
