// Writes src/k8s/<group>/<version>.ts, the wire types and Kinds of Kubernetes' built-in groups, from the recorded data, and
// src/runtime/objects/merge-types.ts. `npm run build` and `npm ci` run it; nothing of this is under version control.
//   node build/k8s-types.mjs
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { renderMergeTypes } from "./merge-types.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const versions = readFileSync(join(root, "src/apimachinery/kubernetes-version.ts"), "utf8");
const [, release] = /kubernetesVersion: .* = "(\d+\.\d+)/.exec(versions);
const data = JSON.parse(readFileSync(join(root, `src/apimachinery/builtin/kubernetes-${release}.json`), "utf8"));
const meta = "io.k8s.apimachinery.pkg.apis.meta.v1.";

/** Types that meta.ts has, under the same or another name. */
const shared = {
  [`${meta}ObjectMeta`]: "ObjectMeta",
  [`${meta}ListMeta`]: "ListMeta",
  [`${meta}OwnerReference`]: "OwnerReference",
  [`${meta}Condition`]: "Condition",
  [`${meta}LabelSelector`]: "LabelSelector",
  [`${meta}LabelSelectorRequirement`]: "LabelSelectorRequirement",
  [`${meta}Time`]: "Time",
  [`${meta}MicroTime`]: "MicroTime",
  [`${meta}Duration`]: "Duration",
  "io.k8s.apimachinery.pkg.api.resource.Quantity": "Quantity",
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "IntOrString",
  "io.k8s.apimachinery.pkg.runtime.RawExtension": "RawExtension",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": "JSONValue",
};

/** OpenAPI name to the module path below src/k8s. */
function moduleOf(type) {
  const [, group, version] =
    /^io\.k8s\.(?:api|(?:apiextensions-apiserver|kube-aggregator)\.pkg\.apis)\.([a-z]+)\.(v\d\w*)\./.exec(type) ?? [];
  return group ? `${group}/${version}` : type.startsWith("io.k8s.apimachinery.") ? "meta/v1" : undefined;
}

const shortName = (type) => type.slice(type.lastIndexOf(".") + 1);
const kinds = new Map(data.resources.map((resource) => [resource.type, resource]));
const modules = new Map();
for (const type of Object.keys(data.types)) {
  const module = moduleOf(type);
  const isList = shortName(type) === "List" || (type.endsWith("List") && kinds.has(type.slice(0, -4)));
  if (!module || shared[type] || isList || (module === "meta/v1" && !isReferenced(type))) continue;
  modules.set(module, [...(modules.get(module) ?? []), type]);
}

/** The values of named strings such as ServiceType, if the fields of that type agree on them. */
const valuesOfNames = namedValues();
const folder = join(root, "src/k8s");
const files = new Map([...modules].map(([module, types]) => [`${module}.ts`, render(module, types.toSorted())]));
for (const [path, text] of files) write(join(folder, path), text);
const nameOf = (type) => `${moduleOf(type)}.${shortName(type)}`;
write(join(root, "src/runtime/objects/merge-types.ts"), renderMergeTypes(data, nameOf));
for (const path of readdirSync(folder, { recursive: true }))
  if (path.endsWith(".ts") && !files.has(path.replaceAll(sep, "/"))) rmSync(join(folder, path));

/** Writes a file. An unchanged one keeps its time, so that watchers stay quiet. */
function write(file, text) {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function isReferenced(type) {
  return Object.entries(data.types).some(
    ([name, schema]) =>
      name !== type && JSON.stringify(schema).includes(`"${type}"`) && (!name.startsWith(meta) || isReferenced(name)),
  );
}

function render(module, types) {
  const imports = { shared: new Set(), modules: new Map() };
  const refer = (type) => {
    if (shared[type]) return imports.shared.add(shared[type]) && shared[type];
    const other = moduleOf(type);
    if (other !== module) imports.modules.set(other, (imports.modules.get(other) ?? new Set()).add(shortName(type)));
    return shortName(type);
  };
  const body = types.map((type) => renderType(type, refer)).join("\n");
  const hasKinds = types.some((type) => kinds.has(type));
  if (hasKinds) imports.shared.add("KubeList");
  const lines = [
    "// Kubernetes " + data.version + ", written by build/k8s-types.mjs; do not edit.",
    ...(hasKinds ? ['import { defineKind, type Kind } from "../../apimachinery/kind.ts";'] : []),
    ...(imports.shared.size
      ? [`import type { ${[...imports.shared].toSorted().join(", ")} } from "../../apimachinery/meta.ts";`]
      : []),
    ...[...imports.modules]
      .toSorted()
      .map(([other, names]) => `import type { ${[...names].toSorted().join(", ")} } from "../${other}.ts";`),
  ];
  return `${lines.join("\n")}\n\n${body}`;
}

function renderType(type, refer) {
  const schema = data.types[type];
  const name = shortName(type);
  const doc = comment(schema.description);
  const resource = kinds.get(type);
  if (!schema.properties && !schema.allOf) {
    const values = valuesOfNames.get(type);
    return `${doc}export type ${name} = ${values ? union(values) : typeText(schema, type, refer)};\n`;
  }
  const properties = allProperties(schema);
  const required = new Set(allRequired(schema));
  // Some conditions declare these as optional, but servers write them always.
  if (name.endsWith("Condition") && properties.type && properties.status) required.add("type").add("status");
  const fields = Object.entries(properties)
    .toSorted(([a], [b]) => order(a) - order(b) || (a < b ? -1 : 1))
    .map(([field, property]) => {
      if (resource && (field === "apiVersion" || field === "kind"))
        return `  ${field}?: ${JSON.stringify(field === "kind" ? resource.kind : apiVersion(resource))};\n`;
      const optional = required.has(field) || (resource && field === "metadata") ? "" : "?";
      return `${indent(comment(property.description))}  ${quoteName(field)}${optional}: ${typeText(property, `${type}.${field}`, refer)};\n`;
    });
  const text = `${doc}export interface ${name} {\n${fields.join("")}}\n`;
  return resource && properties.metadata ? text + renderKind(name, resource) : text;
}

function renderKind(name, resource) {
  const subresources = resource.subresources.map((sub) => sub.name);
  const fields = [
    `group: ${JSON.stringify(resource.group)}`,
    `version: ${JSON.stringify(resource.version)}`,
    `kind: ${JSON.stringify(resource.kind)}`,
    `plural: ${JSON.stringify(resource.plural)}`,
    ...(resource.namespaced ? [] : ['scope: "Cluster"']),
    ...(subresources.length ? [`subresources: ${JSON.stringify(subresources)}`] : []),
  ];
  return `export const ${name}: Kind<${name}> = /* @__PURE__ */ defineKind<${name}>({ ${fields.join(", ")} });\nexport type ${name}List = KubeList<${name}>;\n`;
}

function allProperties(schema) {
  const inherited = (schema.allOf ?? []).map(({ $ref, ...rest }) => allProperties($ref ? data.types[$ref] : rest));
  return Object.assign({}, ...inherited, schema.properties);
}

function allRequired(schema) {
  return [
    ...(schema.allOf ?? []).flatMap(({ $ref, ...rest }) => allRequired($ref ? data.types[$ref] : rest)),
    ...(schema.required ?? []),
  ];
}

function typeText(schema, place, refer) {
  const values = data.enums[place];
  if (schema.$ref) {
    if (values && isText(schema.$ref)) return union(values);
    return isAliasOf(schema.$ref) ? typeText(data.types[schema.$ref], schema.$ref, refer) : refer(schema.$ref);
  }
  if (schema["x-kubernetes-int-or-string"]) return refer("io.k8s.apimachinery.pkg.util.intstr.IntOrString");
  switch (schema.type) {
    case "string":
      return values ? union(values) : "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array": {
      const item = values ? union(values) : typeText(schema.items, "", refer);
      return /[|]/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return typeof schema.additionalProperties === "object"
        ? `Record<string, ${typeText(schema.additionalProperties, "", refer)}>`
        : "Record<string, unknown>";
    default:
      return "unknown";
  }
}

/** Named strings, numbers, lists and maps read better in place. */
function isAliasOf(type) {
  const schema = data.types[type];
  return !shared[type] && moduleOf(type) !== undefined && !schema.properties && !schema.allOf;
}

function namedValues() {
  const found = new Map();
  for (const [type, schema] of Object.entries(data.types))
    for (const [field, { $ref, items }] of Object.entries(allProperties(schema))) {
      const name = $ref ?? items?.$ref;
      const values = data.enums[`${type}.${field}`];
      if (name && values && isText(name)) found.set(name, [...(found.get(name) ?? []), values]);
    }
  const agree = (lists) => new Set(lists.map((list) => list.join())).size === 1;
  return new Map([...found].flatMap(([name, lists]) => (agree(lists) ? [[name, lists[0]]] : [])));
}

function isText(type) {
  return data.types[type]?.type === "string";
}

function union(values) {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

function apiVersion({ group, version }) {
  return group ? `${group}/${version}` : version;
}

function order(field) {
  const first = ["apiVersion", "kind", "metadata", "spec", "status"];
  return first.includes(field) ? first.indexOf(field) : first.length;
}

function quoteName(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function comment(text) {
  if (!text) return "";
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

function indent(text) {
  return text.replace(/^(?=.)/gm, "  ");
}
