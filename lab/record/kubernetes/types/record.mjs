// Writes src/apimachinery/builtin/kubernetes-RELEASE.json, the data of Kubernetes' built-in types.
//   node lab/record/kubernetes/types/record.mjs KUBECONFIG
// KUBECONFIG connects to a running API server of that version: its discovery lists the resources, its OpenAPI documents
// the enums, its metrics the features that are enabled. Everything else comes from Kubernetes' Go types through main.go. Needs Go and kubectl. Run it by hand and
// commit the result.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Groups whose types are not in k8s.io/api. */
const apart = {
  "apiextensions.k8s.io/v1": "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
  "apiregistration.k8s.io/v1": "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1",
};
const others = [
  "k8s.io/apimachinery/pkg/apis/meta/v1",
  "k8s.io/apimachinery/pkg/util/intstr",
  "k8s.io/apimachinery/pkg/api/resource",
  "k8s.io/apimachinery/pkg/runtime",
];

const here = fileURLToPath(new URL(".", import.meta.url));
const kubeconfig = process.argv[2];
const run = (program, args, options) =>
  execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28, ...options });
const raw = (path) => JSON.parse(run("kubectl", ["--kubeconfig", kubeconfig, "get", "--raw", path]));

const version = raw("/version").gitVersion.slice(1);
const release = version.split(".").slice(0, 2).join(".");
const target = new URL(`../../../../src/apimachinery/builtin/kubernetes-${release}.json`, import.meta.url);

/** The group of each folder of k8s.io/api with a stable version that is served: `{"apps/v1": "apps"}`. */
const groups = Object.fromEntries(
  [{ name: "", versions: raw("/api").versions.map((version) => ({ version })) }, ...raw("/apis").groups].flatMap(
    ({ name, versions }) =>
      versions
        .filter(({ version }) => /^v\d+$/.test(version) && !(`${name}/${version}` in apart))
        .map(({ version }) => [`${name.split(".")[0] || "core"}/${version}`, name]),
  ),
);

const packages = [...Object.keys(groups).map((name) => `k8s.io/api/${name}`), ...Object.values(apart), ...others];
const { types, lists, tags } = JSON.parse(run("go", ["run", ".", ...packages], { cwd: here }));
const data = {
  version,
  resources: resources(),
  types: Object.fromEntries(
    Object.entries(types)
      .map(([name, schema]) => [name, normalizeReferences(schema, packageOf(name))])
      .toSorted(byKey),
  ),
  lists: Object.fromEntries(Object.entries(lists).toSorted(byKey)),
  enums: Object.fromEntries([...enums()].toSorted(byKey)),
  tags: Object.fromEntries([...activeTags()].toSorted(byKey)),
};
writeFileSync(target, inAscii(format(data)));

/** Returns one row per resource and version, with its subresources. */
function resources() {
  const wanted = new Set([
    ...Object.entries(groups).map(([path, group]) => `${group}/${path.split("/").at(-1)}`),
    ...Object.keys(apart),
  ]);
  return [...wanted].flatMap((groupVersion) => {
    const [group, version] = groupVersion.split("/");
    const list = raw(group ? `/apis/${group}/${version}` : `/api/${version}`).resources;
    return list
      .filter(({ name }) => !name.includes("/"))
      .map(({ name, kind, singularName, namespaced, verbs, shortNames = [], categories = [] }) => ({
        group,
        version,
        kind,
        plural: name,
        singular: singularName,
        namespaced,
        verbs,
        shortNames,
        categories,
        type: typeOf(group, version, kind),
        subresources: list
          .filter((sub) => sub.name.startsWith(`${name}/`))
          .map((sub) => ({
            name: sub.name.slice(name.length + 1),
            kind: sub.kind,
            verbs: sub.verbs,
            ...(sub.group === undefined ? {} : { group: sub.group, version: sub.version }),
          })),
      }));
  });
}

function typeOf(group, version, kind) {
  const path = apart[`${group}/${version}`];
  if (path) return `io.${path.replace(".io", "").replaceAll("/", ".")}.${kind}`;
  const folder = Object.entries(groups)
    .find(([path, name]) => name === group && path.endsWith(`/${version}`))[0]
    .split("/")[0];
  return `io.k8s.api.${folder}.${version}.${kind}`;
}

/** Maps "type.field" to the values that the server allows. */
function* enums() {
  for (const [path, { serverRelativeURL }] of Object.entries(raw("/openapi/v3").paths)) {
    if (!path.startsWith("api")) continue;
    const { schemas = {} } = raw(serverRelativeURL).components ?? {};
    for (const [name, schema] of Object.entries(schemas)) {
      for (const [field, property] of Object.entries(schema.properties ?? {})) {
        const values = property.enum ?? property.items?.enum;
        if (values && types[name]) yield [`${name}.${field}`, values];
      }
    }
  }
}

/** Maps "type.field" to the tags that the server has rules for, and that are in force with its features. */
function* activeTags() {
  const metrics = run("kubectl", ["--kubeconfig", kubeconfig, "get", "--raw", "/metrics"]);
  const features = new Map(
    [...metrics.matchAll(/^kubernetes_feature_enabled\{name="(\w+)".*\} ([01])$/gm)].map(([, name, on]) => [name, on]),
  );
  for (const [place, all] of Object.entries(tags)) {
    const active = all.flatMap((tag) => {
      const [, state, feature, rest] = /^if(En|Dis)abled\((\w+)\)=\+k8s:(.*)/.exec(tag) ?? [];
      const isActive = state === undefined || (features.get(feature) === "1") === (state === "En");
      return isActive ? [(rest ?? tag).replaceAll('"', "")] : [];
    });
    const known = active.filter((tag) =>
      /^(required|immutable|(minimum|maximum|maxLength|maxBytes|maxItems|format)=.*)$/.test(tag),
    );
    if (known.length > 0) yield [place, known];
  }
}

/** Rewrites references to OpenAPI names; everything else is unchanged. */
function normalizeReferences(schema, from) {
  if (Array.isArray(schema)) return schema.map((item) => normalizeReferences(item, from));
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string" ? goNameOf(value, from) : normalizeReferences(value, from),
    ]),
  );
}

function goNameOf(reference, from) {
  const [path, name] = reference
    .slice("#/definitions/".length)
    .split("~0")
    .map((part) => part.replaceAll("~1", "/"));
  if (name === undefined) return `${from}.${path}`;
  const [host, ...rest] = path.split("/");
  return [...host.split(".").toReversed(), ...rest, name].join(".");
}

function packageOf(name) {
  return name.slice(0, name.lastIndexOf("."));
}

function byKey([a], [b]) {
  return a < b ? -1 : 1;
}

/** Escapes all other characters: tsop reads the file without decoding it. */
function inAscii(json) {
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Writes one line per entry, so that the difference to a new Kubernetes version is readable. */
function format(data) {
  const list = (items) => items.map((item) => JSON.stringify(item)).join(",\n");
  const fields = (object) =>
    Object.entries(object)
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      .join(",\n");
  // One entry per line: load-builtins.ts parses them one by one.
  return `{"version":${JSON.stringify(data.version)},\n"resources":[\n${list(data.resources)}],\n"types":{\n${fields(data.types)}},\n"lists":{\n${fields(data.lists)}},\n"enums":{\n${fields(data.enums)}},\n"tags":{\n${fields(data.tags)}}}\n`;
}
