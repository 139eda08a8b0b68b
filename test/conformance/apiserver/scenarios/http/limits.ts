import { customKind, schemaOf } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, strategic, type RequestStep, type Scenario, type Step } from "../../scenario.ts";
import { maps } from "../../steps.ts";

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

export const scenarios: readonly Scenario[] = [
  {
    name: "http-limits",
    steps: [
      ...kind.install,
      { request: `POST ${maps}`, body: map("a", {}), unrecorded: true },
      { request: `POST ${kind.path}`, body: kind.object("a"), unrecorded: true },
      ...[3 * MiB + 1, 3 * MiB - 200, 2 * MiB].flatMap((size): Step[] => [
        { request: `POST ${maps}`, body: map("big", { a: "x".repeat(size - 60) }), pick: short },
        {
          request: `POST ${kind.path}`,
          body: kind.object("big", { spec: { text: "x".repeat(size - 150) } }),
          pick: short,
        },
        {
          request: `PATCH ${kind.path}/a`,
          headers: merge,
          body: { spec: { text: "x".repeat(size - 150) } },
          pick: short,
        },
      ]),
      { request: `PUT ${maps}/a`, body: " ".repeat(3 * MiB) + "{}", pick: short },
      { request: `DELETE ${maps}/a`, body: " ".repeat(3 * MiB) + "{}", pick: short },
      { request: `GET ${maps}/a` },
      { request: `POST ${maps}`, body: map("fits", { a: "x".repeat(MiB) }), pick: short },
      { request: `POST ${maps}`, body: map("over", { a: "x".repeat(MiB + 1) }), pick: short },
      {
        request: `POST ${maps}`,
        body: map("sum", { a: "x".repeat(MiB / 2), b: "x".repeat(MiB / 2 + 1) }),
        pick: short,
      },
      {
        request: "POST /api/v1/namespaces/{ns}/secrets",
        body: { metadata: { name: "s" }, stringData: { a: "x".repeat(MiB + 1) } },
        pick: short,
      },
      { request: `POST ${maps}`, body: annotated("notes", 256 * 1024), pick: short },
      { request: `POST ${maps}`, body: annotated("notes-over", 256 * 1024 + 1), pick: short },
      {
        request: `POST ${kind.path}`,
        body: kind.object("notes", { metadata: { name: "notes", annotations: { a: "x".repeat(256 * 1024) } } }),
        pick: short,
      },
      ...[1.4, 1.6].map((size): Step => ({
        request: `POST ${kind.path}`,
        body: kind.object(`etcd-${size}`, { spec: { text: "x".repeat(size * MiB) } }),
        pick: short,
      })),
      ...[10_000, 10_001].map((length): RequestStep => ({
        request: `PATCH ${maps}/a`,
        headers: jsonPatch,
        body: Array.from({ length }, () => ({ op: "test", path: "/kind", value: "ConfigMap" })),
        pick: short,
      })),
      ...[900, 12_000].flatMap((depth): Step[] => [
        { request: `POST ${maps}`, body: deep(depth), pick: short },
        { request: `POST ${kind.path}`, body: deep(depth), pick: short },
        ...[merge, strategic, ...(depth < 1000 ? [apply] : [])].flatMap((headers): Step[] =>
          [maps, kind.path].map((path) => ({
            request: `PATCH ${path}/a?fieldManager=m`,
            headers,
            body: deep(depth),
            pick: short,
          })),
        ),
      ]),
      { request: `GET ${maps}/${"a".repeat(253)}`, pick: short },
      { request: `GET ${maps}/${"a".repeat(254)}`, pick: short },
      { request: `POST ${maps}`, body: map("a".repeat(253), {}), pick: short },
      { request: `POST ${maps}`, body: map("a".repeat(254), {}), pick: short },
      {
        request: `POST ${maps}`,
        body: {
          metadata: { name: "keys" },
          data: { ["k".repeat(253)]: "", ["l".repeat(254)]: "", "bad key": "", "..": "", ".": "", "..a": "" },
        },
      },
      {
        request: `POST ${maps}`,
        body: {
          metadata: {
            name: "labels",
            labels: { ["a".repeat(63)]: "v".repeat(63), ["b".repeat(64)]: "v", c: "v".repeat(64) },
          },
        },
      },
      { request: `GET ${maps}?labelSelector=${"a".repeat(64)}` },
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
      ].map((selector): Step => ({
        request: `GET ${maps}?labelSelector=${selector}`,
        pick: short,
      })),
    ],
  },
];
