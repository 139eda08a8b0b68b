// Writes src/apiserver/registry/open-api-texts-RELEASE.json: what a real server's OpenAPI documents have and the Go types lack.
//   node lab/record/kubernetes/open-api-texts.mjs KUBECONFIG
// KUBECONFIG connects to a running API server of that version. Needs kubectl. Run it by hand and commit the result.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const options = { encoding: "utf8", maxBuffer: 1 << 28 };
const raw = (path) =>
  JSON.parse(execFileSync("kubectl", ["--kubeconfig", process.argv[2], "get", "--raw", path], options));

const release = raw("/version").gitVersion.slice(1).split(".").slice(0, 2).join(".");
const target = new URL(`../../../src/apiserver/registry/open-api-texts-${release}.json`, import.meta.url);

const meanings = /\n+Possible enum values:\n[^]*$/;
const enums = [];
let objectMeta;
for (const { serverRelativeURL } of Object.values(raw("/openapi/v3").paths)) {
  for (const [name, schema] of Object.entries(raw(serverRelativeURL).components?.schemas ?? {})) {
    if (name.endsWith(".meta.v1.ObjectMeta")) objectMeta = schema;
    for (const [field, { description = "" }] of Object.entries(schema.properties ?? {})) {
      const [text] = meanings.exec(description) ?? [];
      if (text !== undefined) enums.push(`${JSON.stringify(`${name}.${field}`)}:${JSON.stringify(text)}`);
    }
  }
}
const lines = [...new Set(enums)].toSorted();
writeFileSync(target, `{"objectMeta":${JSON.stringify(objectMeta)},\n"enums":{\n${lines.join(",\n")}}}\n`);
