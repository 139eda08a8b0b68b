import { expect, it } from "vitest";
import type { ObjectRow } from "../../../../src/local/window/contract.ts";
import { buildTree, type ObjectFilter } from "../../../../src/local/ui/objects/build-tree.ts";

const all: ObjectFilter = { kind: "", namespace: "", labels: "", text: "", system: false };

function row(kind: string, name: string, more: Partial<ObjectRow> = {}): ObjectRow {
  const group = { Memcached: "cache.example.com", Deployment: "apps", ReplicaSet: "apps" }[kind] ?? "";
  const status = { text: "", tone: "none" } as const;
  const known = { id: `${kind} ${name}`, uid: name, version: "v1", created: 0, resourceVersion: "1", system: false };
  return { ...known, group, kind, name, namespace: "default", owners: [], labels: {}, conditions: [], status, ...more };
}

const rows = [
  row("Pod", "stray", { labels: { app: "web", tier: "db" } }),
  row("Pod", "pod", { owners: ["rs"], labels: { app: "web" } }),
  row("ReplicaSet", "rs", { owners: ["deploy"] }),
  row("Deployment", "deploy", { owners: ["cr"] }),
  row("Memcached", "cr", { namespace: "other" }),
  row("Lease", "lease", { system: true }),
];

const show = (filter: Partial<ObjectFilter> = {}, closed: string[] = []) =>
  buildTree(rows, { ...all, ...filter }, new Set(closed)).map(
    ({ row: { name }, level, matches }) => `${"  ".repeat(level - 1)}${name}${matches ? "" : "?"}`,
  );

it("puts each object below its owner, custom resources first", () => {
  expect(show()).toEqual(["cr", "  deploy", "    rs", "      pod", "stray"]);
});

it("omits objects below a collapsed line", () => {
  expect(show({}, ["Deployment deploy"])).toEqual(["cr", "  deploy", "stray"]);
});

it.each<[Partial<ObjectFilter>, string[]]>([
  [{ kind: "Pod" }, ["cr?", "  deploy?", "    rs?", "      pod", "stray"]],
  [{ namespace: "other" }, ["cr"]],
  [{ text: "POD default/st" }, ["stray"]],
  [{ labels: "app=web,tier!=db" }, ["cr?", "  deploy?", "    rs?", "      pod"]],
  [{ labels: "tier" }, ["stray"]],
  [{ labels: "app,!tier" }, ["cr?", "  deploy?", "    rs?", "      pod"]],
  [{ system: true, text: "lease" }, ["lease"]],
  [{ kind: "Lease" }, ["lease"]],
])("filters by %j and still shows the owners", (filter, expected) => {
  expect(show(filter)).toEqual(expected);
});

it("treats an object with a missing owner, or that owns itself, as a root", () => {
  const odd = [row("Pod", "orphan", { owners: ["gone"] }), row("Pod", "self", { owners: ["self"] })];
  expect(buildTree(odd, all, new Set()).map(({ level }) => level)).toEqual([1, 1]);
});
