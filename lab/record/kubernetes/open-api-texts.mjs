// Writes src/apiserver/registry/open-api-texts.json: the parts of a real server's OpenAPI documents that are not in the
// Go types, whose data has to be recorded before.
//   node lab/record/kubernetes/open-api-texts.mjs KUBECONFIG
// KUBECONFIG connects to a running API server of that version. Needs kubectl. Run it by hand and commit the result.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const target = join(root, "src/apiserver/registry/open-api-texts.json");
const options = { encoding: "utf8", maxBuffer: 1 << 28 };
const kubectl = (args, input) =>
  execFileSync("kubectl", ["--kubeconfig", process.argv[2], ...args], { ...options, input });
const raw = (path) => JSON.parse(kubectl(["get", "--raw", path]));

const meanings = /\n+Possible enum values:\n[^]*$/;
const metaPrefix = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const metaTypes =
  "ObjectMeta OwnerReference ManagedFieldsEntry ListMeta ShardInfo Preconditions DeleteOptions Time FieldsV1 Patch"
    .split(" ")
    .map((name) => `${metaPrefix}${name}`);
/** These belong to all groups; only version 2 names them all. */
const inAllGroups = ["DeleteOptions", "WatchEvent"].map((name) => `${metaPrefix}${name}`);
const kindsField = "x-kubernetes-group-version-kind";

const v2 = raw("/openapi/v2");
const schemas = builtinSchemas();
const data = { meta: {}, enums: {}, types: {}, parameters: parameters(), notCustom: groupsWithoutCustom() };
for (const [name, schema] of Object.entries(schemas)) {
  if (inAllGroups.includes(name)) schema[kindsField] = v2.definitions[name][kindsField];
  if (metaTypes.includes(name)) data.meta[name] = schema;
  for (const [field, { description = "" }] of Object.entries(schema.properties ?? {})) {
    const [text] = meanings.exec(description) ?? [];
    if (text !== undefined) data.enums[`${name}.${field}`] = text;
  }
}
write();
// The derived definitions contain the meanings of enums, which are read from the file.
await recordTypes();
write();

function builtinSchemas() {
  const found = {};
  for (const { serverRelativeURL } of Object.values(raw("/openapi/v3").paths))
    Object.assign(found, raw(serverRelativeURL).components?.schemas);
  return found;
}

async function recordTypes() {
  const folder = mkdtempSync(join(root, "dist", "record-"));
  try {
    const outfile = join(folder, "record.mjs");
    const contents = `
      export { derivedDefinition } from "./src/apiserver/endpoints/openapi/definitions.ts";
      export { createMergePatch } from "./src/apimachinery/patch/merge-patch.ts";`;
    const stdin = { contents, resolveDir: root };
    await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
    const { derivedDefinition, createMergePatch } = await import(pathToFileURL(outfile).href);
    for (const [name, schema] of Object.entries(schemas)) {
      if (metaTypes.includes(name)) continue;
      const patch = createMergePatch(derivedDefinition(name), schema) ?? {};
      if (Object.keys(patch).length > 0) data.types[name] = patch;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns each parameter once, under its name; where the same name has several descriptions, under its owner, too. */
function parameters() {
  const found = {};
  const add = (key, parameter) => {
    const [, shared] = /^#\/parameters\/(.*)$/.exec(parameter.$ref ?? "") ?? [];
    const { name, ...rest } = shared === undefined ? parameter : v2.parameters[shared];
    if (name === "name") return;
    found[`${name}${key}`] ??= { name, ...rest, ...(shared === undefined ? {} : { shared }) };
  };
  const apps = v2.paths["/apis/apps/v1/namespaces/{namespace}/deployments"];
  const item = v2.paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"];
  for (const operation of [apps.get, apps.post.parameters.slice(1), apps.delete.parameters.slice(1), apps.parameters])
    for (const parameter of operation.parameters ?? operation) add("", parameter);
  for (const parameter of item.patch.parameters) {
    const name = /([a-zA-Z]+)-[^/]*$/.exec(parameter.$ref ?? "")?.[1] ?? parameter.name;
    add(name === "fieldManager" || name === "body" ? " of patch" : "", parameter);
  }
  add(" of delete", item.delete.parameters[0]);
  for (const [path, { parameters = [], get }] of Object.entries(v2.paths)) {
    const [, owner, sub, rest] = /\/([a-z]+)\/\{name\}\/([a-z]+)(\/\{path\})?$/.exec(path) ?? [];
    if (sub === undefined || !get || (get["x-kubernetes-action"] !== "connect" && sub !== "log")) continue;
    for (const parameter of parameters) {
      const { in: place, name } = parameter.$ref ? v2.parameters[parameter.$ref.split("/").at(-1)] : parameter;
      if (place === "path" && rest && name === "path") add("", parameter);
      if (place === "query" && !rest && name !== "pretty") add(` of ${owner}/${sub}`, parameter);
    }
  }
  return found;
}

/** Returns the groups that DeleteOptions has in version 2 and not in the document of a custom resource. */
function groupsWithoutCustom() {
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "records.openapi.example.com" },
    spec: {
      group: "openapi.example.com",
      scope: "Namespaced",
      names: { plural: "records", kind: "Record" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };
  kubectl(["apply", "--validate=false", "-f", "-"], JSON.stringify(crd));
  for (const deadline = Date.now() + 60_000; ;) {
    const url = raw("/openapi/v3").paths["apis/openapi.example.com/v1"]?.serverRelativeURL;
    const known = url && raw(url).components?.schemas?.[inAllGroups[0]]?.[kindsField];
    if (known) {
      kubectl(["delete", "crd", crd.metadata.name]);
      const groups = new Set(v2.definitions[inAllGroups[0]][kindsField].map(({ group }) => group));
      return [...groups].filter((group) => !known.some((each) => each.group === group));
    }
    if (Date.now() > deadline) throw new Error("the server has no document of a custom resource after a minute");
  }
}

function write() {
  const lines = (entries) =>
    Object.entries(entries)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(",\n");
  const { notCustom, ...tables } = data;
  const parts = Object.entries(tables).map(([name, table]) => `${JSON.stringify(name)}:{\n${lines(table)}}`);
  writeFileSync(target, `{${[...parts, `"notCustom":${JSON.stringify(notCustom)}`].join(",\n")}}\n`);
}
