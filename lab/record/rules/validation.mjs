// Asks a real API server about values that break a schema, and writes test/unit/apimachinery/recorded/validation.json.
//   node lab/record/rules/validation.mjs KUBECONFIG
// Run by hand. Each case is a field of its own in one CRD, so that one object is enough for all.
import { readRecorded, writeRecorded } from "./recorded.mjs";
import { createServerCaller } from "./server-caller.mjs";

const cases = Object.entries(readRecorded("apimachinery", "validation"));
const call = createServerCaller(process.argv[2]);
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const name = "checks.validation.example.com";

const fields = Object.fromEntries(cases.map(([, { schema }], index) => [`f${index}`, schema]));
const schema = { type: "object", properties: { spec: { type: "object", properties: fields } } };
const created = await call("POST", crds, {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name },
  spec: {
    group: "validation.example.com",
    scope: "Cluster",
    names: { plural: "checks", kind: "Check" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});
if (created.status !== 201) throw new Error(JSON.stringify(created.body.details?.causes ?? created.body));
const deadline = Date.now() + 20_000;
const recorded = {};
for (const [index, [title, { schema: fieldSchema, value }]] of cases.entries()) {
  const object = {
    apiVersion: "validation.example.com/v1",
    kind: "Check",
    metadata: { name: "x" },
    spec: { [`f${index}`]: value },
  };
  let answer;
  do answer = await call("POST", "/apis/validation.example.com/v1/checks?dryRun=All", object);
  while (answer.status === 404 && Date.now() < deadline);
  recorded[title] = {
    schema: fieldSchema,
    field: `f${index}`,
    value,
    causes: answer.status === 201 ? [] : answer.body.details.causes,
  };
}
await call("DELETE", `${crds}/${name}`);
writeRecorded("apimachinery", "validation", recorded);
