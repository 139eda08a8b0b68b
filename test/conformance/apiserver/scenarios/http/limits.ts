import { customKind, schemaOf } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, strategic, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

const kind = customKind("limits", { schema: { openAPIV3Schema: schemaOf({ text: { type: "string" } }) } });
const MiB = 1024 * 1024;

/** Texts that quote a large body are cut. */
const short = (body: any): unknown => (body?.kind === "Status" ? cut(body) : body?.kind);

function cut(value: any): any {
  if (typeof value === "string") return value.slice(0, 300);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cut);
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, cut(child)]));
}

const map = (name: string, data: Record<string, string>): unknown => ({ metadata: { name }, data });
const annotated = (name: string, size: number): unknown => ({
  metadata: { name, annotations: { a: "x".repeat(size - 1) } },
});
const deep = (depth: number): string =>
  `{"metadata":{"name":"deep"},"spec":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;

export const scenarios: Scenarios = {
  "http-limits": [
    ...kind.install,
    POST(maps, map("a", {}), { unrecorded: true }),
    POST(kind.path, kind.object("a"), { unrecorded: true }),
    ...[3 * MiB + 1, 3 * MiB - 200, 2 * MiB].flatMap((size): Step[] => [
      POST(maps, map("big", { a: "x".repeat(size - 60) }), { pick: short }),
      POST(kind.path, kind.object("big", { spec: { text: "x".repeat(size - 150) } }), { pick: short }),
      PATCH(`${kind.path}/a`, merge, { spec: { text: "x".repeat(size - 150) } }, { pick: short }),
    ]),
    PUT(`${maps}/a`, " ".repeat(3 * MiB) + "{}", { pick: short }),
    DELETE(`${maps}/a`, { body: " ".repeat(3 * MiB) + "{}", pick: short }),
    GET(`${maps}/a`),
    POST(maps, map("fits", { a: "x".repeat(MiB) }), { pick: short }),
    POST(maps, map("over", { a: "x".repeat(MiB + 1) }), { pick: short }),
    POST(maps, map("sum", { a: "x".repeat(MiB / 2), b: "x".repeat(MiB / 2 + 1) }), { pick: short }),
    POST(
      "/api/v1/namespaces/{ns}/secrets",
      { metadata: { name: "s" }, stringData: { a: "x".repeat(MiB + 1) } },
      { pick: short },
    ),
    POST(maps, annotated("notes", 256 * 1024), { pick: short }),
    POST(maps, annotated("notes-over", 256 * 1024 + 1), { pick: short }),
    POST(kind.path, kind.object("notes", { metadata: { name: "notes", annotations: { a: "x".repeat(256 * 1024) } } }), {
      pick: short,
    }),
    ...[1.4, 1.6].map((size): Step =>
      POST(kind.path, kind.object(`etcd-${size}`, { spec: { text: "x".repeat(size * MiB) } }), { pick: short }),
    ),
    ...[10_000, 10_001].map((length): RequestStep =>
      PATCH(
        `${maps}/a`,
        jsonPatch,
        Array.from({ length }, () => ({ op: "test", path: "/kind", value: "ConfigMap" })),
        { pick: short },
      ),
    ),
    ...[900, 12_000].flatMap((depth): Step[] => [
      POST(maps, deep(depth), { pick: short }),
      POST(kind.path, deep(depth), { pick: short }),
      ...[merge, strategic, ...(depth < 1000 ? [apply] : [])].flatMap((headers): Step[] =>
        [maps, kind.path].map((path) => PATCH(`${path}/a?fieldManager=m`, headers, deep(depth), { pick: short })),
      ),
    ]),
    GET(`${maps}/${"a".repeat(253)}`, { pick: short }),
    GET(`${maps}/${"a".repeat(254)}`, { pick: short }),
    POST(maps, map("a".repeat(253), {}), { pick: short }),
    POST(maps, map("a".repeat(254), {}), { pick: short }),
    POST(maps, {
      metadata: { name: "keys" },
      data: { ["k".repeat(253)]: "", ["l".repeat(254)]: "", "bad key": "", "..": "", ".": "", "..a": "" },
    }),
    POST(maps, {
      metadata: {
        name: "labels",
        labels: { ["a".repeat(63)]: "v".repeat(63), ["b".repeat(64)]: "v", c: "v".repeat(64) },
      },
    }),
    GET(`${maps}?labelSelector=${"a".repeat(64)}`),
    ...[
      `a%3D${"v".repeat(64)}`,
      `${"a".repeat(64)}%3Db`,
      `${"a".repeat(64)}/${"b".repeat(63)}`,
      "_a",
      "_a%3Db",
      "!_a",
      "a/b/c",
      "A/b",
      "/b",
      "a/",
    ].map((selector): Step => GET(`${maps}?labelSelector=${selector}`, { pick: short })),
  ],
};
