// Writes src/apiserver/codec/protobuf/fields.json from the struct tags of the Go types.
// Usage: node lab/record/kubernetes/protobuf-fields.mjs <folder of Go modules> <version, such as 0.36.3>
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [modules = "", version = ""] = process.argv.slice(2);
const api = join(modules, `k8s.io/api@v${version}`);
const packages = new Map([
  ...stablePackages(api),
  ["meta/v1", join(modules, `k8s.io/apimachinery@v${version}/pkg/apis/meta/v1`)],
  ["apiextensions/v1", join(modules, `k8s.io/apiextensions-apiserver@v${version}/pkg/apis/apiextensions/v1`)],
  ["apiregistration/v1", join(modules, `k8s.io/kube-aggregator@v${version}/pkg/apis/apiregistration/v1`)],
]);
const scalars = { string: "s", bool: "b", int: "i", int32: "i", int64: "i", uint32: "i", uint64: "i", float64: "d" };
// Types with a custom JSON form; the decoder handles them by name.
const special = {
  "metav1.Time": "Time",
  "metav1.MicroTime": "MicroTime",
  "metav1.Duration": "Duration",
  "metav1.FieldsV1": "Raw",
  "resource.Quantity": "Quantity",
  "intstr.IntOrString": "IntOrString",
  "runtime.RawExtension": "Raw",
  "runtime.Object": "Raw",
  "types.NodeName": "s",
  "types.UID": "s",
  "apiv1.PreemptionPolicy": "s",
  "apiextensions/v1.JSON": "Raw",
  "apiextensions/v1.JSONSchemaPropsOrArray": "SchemaOrArray",
  "apiextensions/v1.JSONSchemaPropsOrBool": "SchemaOrBool",
  "apiextensions/v1.JSONSchemaPropsOrStringArray": "SchemaOrTexts",
};
// The option omitempty leaves out no struct: Go writes null for a time that is not set.
const times = new Set(["Time", "MicroTime", "metav1.Time", "metav1.MicroTime"]);
// Lists whose items are not named after the objects.
const discovery = ["meta/v1.APIGroupList", "meta/v1.APIResourceList"];
const named = new Map();
const isRoot = new Set();
const messages = {};

for (const [name, folder] of packages) for (const text of sources(folder)) collectNamedTypes(name, text);
for (const [name, folder] of packages) for (const text of sources(folder)) collectMessages(name, text);
const reached = collectReachable(Object.keys(messages).filter((name) => isRoot.has(name)));
const lines = reached.sort().map((name) => `  ${JSON.stringify(name)}: ${JSON.stringify(messages[name])}`);
const output = new URL("../../../src/apiserver/codec/protobuf/fields.json", import.meta.url);
writeFileSync(output, `{\n${lines.join(",\n")}\n}\n`);
console.log(`${lines.length} messages`);

function stablePackages(root) {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !["admission", "imagepolicy"].includes(entry.name))
    .flatMap((group) =>
      readdirSync(join(root, group.name))
        .filter((name) => /^v\d+$/.test(name))
        .map((name) => [`${group.name}/${name}`, join(root, group.name, name)]),
    );
}

function sources(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".go") && !/^(generated|zz_|.*_test|.*swagger)/.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8"));
}

function collectNamedTypes(pkg, text) {
  for (const [, name, type] of text.matchAll(/^type (\w+) ((?:\[\]|map\[\w+\]|\w+\.|\*)*\w+(?:\.\w+)?)$/gm)) {
    if (type !== "struct" && type !== "interface") named.set(`${pkg}.${name}`, type);
  }
}

function collectMessages(pkg, text) {
  for (const [, name] of text.matchAll(/^type (\w+) struct ?\{\}/gm)) messages[`${pkg}.${name}`] = "";
  for (const [, name, body] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    const fields = [...body.matchAll(/^\t(?:(\w+)\s+)?([\w.*[\]]+)\s+`(.*)`/gm)].flatMap(([, , type, tag]) =>
      field(pkg, type, tag),
    );
    const hasType = /^\t(metav1\.)?TypeMeta\b/m.test(body);
    // Types without fields of protobuf, such as tables, are sent as JSON alone.
    if (fields.length > 0 || !hasType) messages[`${pkg}.${name}`] = fields.join(" ");
    if (hasType && !/List$|^Conversion/.test(name)) isRoot.add(`${pkg}.${name}`);
  }
}

/** Returns number, "?" for a pointer, "!" for a value that is never omitted or "*" for such a pointer, JSON name, ":", type. */
function field(pkg, type, tag) {
  const number = /protobuf:"\w+,(\d+),/.exec(tag)?.[1];
  const json = /json:"([^"]*)"/.exec(tag)?.[1];
  if (number === undefined || json === undefined) return [];
  const [name, ...options] = json.split(",");
  const absentBy = times.has(type) ? ["omitzero"] : ["omitempty", "inline"];
  const isOmitted = absentBy.some((option) => options.includes(option));
  const flag = type.startsWith("*") ? (isOmitted ? "?" : "*") : isOmitted ? "" : "!";
  // Fields of unstable features have types of unstable versions, which no server has switched on.
  if (/v\d+(alpha|beta)\d+\./.test(type)) return [];
  return [`${number}${flag}${name}:${resolve(pkg, type.replace(/^\*/, ""))}`];
}

function resolve(pkg, type) {
  if (type === "[]byte") return "B";
  if (type.startsWith("[]")) return `[${resolve(pkg, type.slice(2).replace(/^\*/, ""))}`;
  const map = /^map\[[\w.]+\](.*)$/.exec(type);
  if (map) return `{${resolve(pkg, map[1])}`;
  if (type in scalars) return scalars[type];
  const qualified = type.includes(".") ? type : `${pkg === "meta/v1" ? "metav1" : pkg}.${type}`;
  if (qualified in special) return special[qualified];
  const name = fullName(pkg, type);
  const alias = named.get(name);
  if (alias === undefined) return name;
  // A named list of strings is a message with one repeated field.
  if (alias === "[]string") return "Texts";
  return resolve(name.slice(0, name.lastIndexOf(".")), alias);
}

function fullName(pkg, type) {
  const [prefix, name] = type.includes(".") ? type.split(".") : [undefined, type];
  if (prefix === undefined) return `${pkg}.${name}`;
  if (prefix === "metav1") return `meta/v1.${name}`;
  const found = /^(\w+?)(v\d+)$/.exec(prefix);
  return found ? `${found[1] === "" ? "core" : found[1]}/${found[2]}.${name}` : `core/v1.${name}`;
}

function collectReachable(roots) {
  const seen = new Set();
  const open = ["apiextensions/v1.JSONSchemaProps", ...discovery, ...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name) || messages[name] === undefined) continue;
    seen.add(name);
    for (const [, type] of messages[name].matchAll(/:[[{]*([\w/]+\.\w+)/g)) {
      if (messages[type] === undefined) throw new Error(`${name} has a field of the type ${type}, which is no message`);
      open.push(type);
    }
  }
  return [...seen].filter((name) => !/^apiextensions\/v1\.(JSON|JSONSchemaPropsOr\w+)$/.test(name));
}
