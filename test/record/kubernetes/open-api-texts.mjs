// Writes src/apiserver/registry/open-api-texts.json: the parts of a real server's OpenAPI documents that are not in the
// Go types.
//   node test/record/kubernetes/open-api-texts.mjs KUBECONFIG
// KUBECONFIG connects to a running API server of that version. Needs kubectl. Run it by hand and commit the result.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const target = fileURLToPath(new URL("../../../src/apiserver/registry/open-api-texts.json", import.meta.url));
const options = { encoding: "utf8", maxBuffer: 1 << 28 };
const raw = (path) =>
  JSON.parse(execFileSync("kubectl", ["--kubeconfig", process.argv[2], "get", "--raw", path], options));

const meanings = /\n+Possible enum values:\n[^]*$/;
const metaTypes =
  "ObjectMeta OwnerReference ManagedFieldsEntry ListMeta ShardInfo Preconditions DeleteOptions Time FieldsV1 Patch"
    .split(" ")
    .map((name) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`);

const meta = {};
const enums = {};
for (const [path, { serverRelativeURL }] of Object.entries(raw("/openapi/v3").paths)) {
  if (!/^apis?\/.*v\d+$/.test(path)) continue;
  const { schemas = {} } = raw(serverRelativeURL).components ?? {};
  for (const [name, { "x-kubernetes-group-version-kind": _, ...schema }] of Object.entries(schemas)) {
    if (metaTypes.includes(name)) meta[name] = schema;
    for (const [field, { description = "" }] of Object.entries(schema.properties ?? {})) {
      const [text] = meanings.exec(description) ?? [];
      if (text !== undefined) enums[`${name}.${field}`] = text;
    }
  }
}
const lines = (entries, value) =>
  Object.entries(entries)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(value(each))}`)
    .join(",\n");
const withoutDefaults = (schema) =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === "default" ? undefined : value)));
writeFileSync(target, `{"meta":{\n${lines(meta, withoutDefaults)}},\n"enums":{\n${lines(enums, (text) => text)}}}\n`);
