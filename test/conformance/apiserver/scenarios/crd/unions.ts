import { readFileSync } from "node:fs";
import { parseYamlDocuments } from "../../../../../src/apimachinery/yaml/parse.ts";
import { crds, customKind, type CustomKind } from "../../custom-kind.ts";
import { jsonPatch, merge, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { PATCH, POST } from "../../requests.ts";
import { refusal } from "../../steps.ts";

/** The schema that the generator writes for a case of test/unit/codegen. */
function schemaOfCase(name: string): any {
  const file = new URL(`../../../../unit/codegen/cases/${name}/output.yaml`, import.meta.url);
  const [schema] = parseYamlDocuments(readFileSync(file, "utf8")) as Record<string, unknown>[];
  return schema;
}

function kindOf(name: string): CustomKind {
  const { required: _required, ...spec } = schemaOfCase(name);
  return customKind(name, { schema: { openAPIV3Schema: { type: "object", properties: { spec } } } });
}

type Tries = Readonly<Record<string, readonly unknown[]>>;

/** Creates an object for each value of each field, with and against the rules of its type. */
function scenario(name: string, tries: Tries, more: (kind: CustomKind) => readonly Step[] = () => []): readonly Step[] {
  const kind = kindOf(name);
  const attempt = (field: string, value: unknown): RequestStep =>
    POST(`${kind.path}?dryRun=All`, kind.object("a", { spec: { [field]: value } }), { pick: specOrRefusal });
  return [
    POST(`${crds}?dryRun=All`, kind.crd, { pick: refusal }),
    ...kind.install,
    ...Object.entries(tries).flatMap(([field, values]) => values.map((value) => attempt(field, value))),
    ...more(kind),
  ];
}

/** What is stored, with defaults and without what is pruned. */
const specOrRefusal = (body: any): unknown => (body.code === undefined ? body.spec : refusal(body));

/** Creates a CRD with a union in lists of a map, whose sizes are limited or not. */
function nested(map: object, list: object): RequestStep {
  const items: unknown = schemaOfCase("unions-discriminated").properties.named;
  const a = { type: "object", additionalProperties: { type: "array", items, ...list }, ...map };
  const { crd } = customKind("unions-cost", {
    schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { a } } } } },
  });
  return POST(`${crds}?dryRun=All`, crd, { pick: refusal });
}

const storages = [
  { type: "a", bucket: "b" },
  { type: "b", project: "p" },
  { type: "a" },
  { type: "b", bucket: "b" },
  { type: "a", bucket: "b", project: "p" },
  { type: "c", bucket: "b" },
  { bucket: "b" },
  { type: "a", bucket: "b", other: "pruned" },
  {},
];
const clouds = [
  { type: "s3", name: "n", bucket: "b", class: "hot" },
  { type: "s3", name: "n", bucket: "n" },
  { type: "s3", name: "n", bucket: "b", class: "archive" },
  { type: "gcs", name: "n", project: "p", class: "archive", zone: "z" },
  { type: "gcs", name: "n", project: "p" },
  { type: "gcs", name: "n", project: "p", class: "hot" },
  { type: "s3", bucket: "b", zone: "z" },
];

/** Types as the generator writes them, with values on both sides of each rule. */
export const scenarios: Scenarios = {
  "unions-with-a-discriminator": scenario("unions-discriminated", {
    interfaces: [
      { type: "s3", bucket: "abc", region: "r" },
      { type: "s3", bucket: "ab" },
      { type: "gcs", bucket: "abc", project: "p", retries: 1, encrypted: false },
      { type: "gcs", bucket: "abc", project: "p" },
      { type: "memory", size: 1, path: "/" },
      { type: "disk", size: 1, bucket: "abc", region: "r", retries: 1, project: "p" },
      { type: "disk" },
      { type: "s3", bucket: "abc", path: "/", size: 1 },
    ],
    named: storages,
    optional: [null, storages[0], storages[2]],
    list: [storages.slice(0, 2), storages.slice(0, 4), []],
    map: [{ a: storages[0] }, { a: storages[2], "b.c": storages[3] }],
    shared: [
      { type: "s3", name: "n", bucket: "b" },
      { type: "gcs", name: "n" },
      { type: "gcs", name: "n", label: "l" },
      { type: "s3", name: "n", label: "l" },
      { type: "gcs", label: "l" },
    ],
    three: [
      { type: "a", a: "a", both: "b" },
      { type: "a", both: "b", c: "c" },
      { type: "b", both: "b" },
      { type: "b", a: "a" },
      { type: "c" },
      { type: "c", both: "b" },
    ],
    numbers: [{ version: 1, old: "o" }, { version: 2, old: "o" }, { version: 3 }, { version: "1", old: "o" }],
    flag: [{ enabled: true, host: "h" }, { enabled: true }, { enabled: false }, { enabled: false, host: "h" }],
    absent: [
      { bucket: "b" },
      { type: "s3", bucket: "b" },
      {},
      { type: "s3" },
      { type: "gcs", project: "p" },
      { type: "gcs", bucket: "b" },
      { type: "azure", account: "a" },
      { account: "a", bucket: "b" },
    ],
    missing: [{ type: "s3", bucket: "b" }, { url: "u" }, { type: "s3", url: "u" }, { bucket: "b" }, {}],
    "odd-names": [
      { "the-type": "it's", "the.key": "k" },
      { "the-type": 'a "b"' },
      { "the-type": "c", if: "i" },
      { "the-type": "c", "the.key": "k" },
      { "the-type": "it's", "the.key": "k", if: "i" },
    ],
    inline: [{ type: "s3", project: "p" }],
    inDefault: [{}, { s3: {} }, { type: "none" }, { type: "none", s3: { region: "r" } }],
  }),
  "unions-of-nested-types": scenario(
    "unions-nested",
    {
      cloud: [
        ...clouds,
        { type: "azure", name: "n", account: "a", class: "any" },
        { type: "azure", name: "n", zone: "z" },
      ],
      config: [
        { type: "a", config: { x: "x" } },
        { type: "a", config: { y: "y" } },
        { type: "b", config: { y: "y", shared: 1 } },
        { type: "b", config: { x: "x", y: "y" } },
        { type: "b" },
        { type: "none" },
        { type: "none", config: { x: "x" } },
      ],
      inner: [{ type: "a", of: clouds[0] }, { type: "b", of: clouds[1] }, { type: "a" }],
      tree: [
        { type: "tcp", port: 1 },
        { type: "tcp", mode: "plain", path: "/" },
        { type: "http", mode: "plain", path: "/" },
        { type: "http", mode: "plain", secret: "s" },
        { type: "http", mode: "tls", secret: "s" },
        { type: "http" },
      ],
      both: [
        { name: "n", on: "x", x: "x" },
        { name: "n", on: "y", y: "y" },
        { name: "n", on: "y", x: "x" },
      ],
      product: [
        { a: "p", p: "p", b: "r", r: "r" },
        { a: "q", b: "s" },
        { a: "q", p: "p", b: "r" },
      ],
      narrowed: [
        { type: "s3", name: "n", bucket: "b" },
        { type: "gcs", name: "n", bucket: "b" },
      ],
      crossed: [
        { k: "a", x: "x", l: 1 },
        { k: "a", x: "x", l: 2, z: "z" },
        { k: "b", l: 2, z: "z" },
        { k: "b", l: 2 },
        { k: "b", l: 1, z: "z" },
      ],
      fromMap: [{ type: "one", a: "a" }, { type: "two" }, { type: "two", a: "a" }],
      only: [clouds[0], { type: "azure", name: "n" }],
      rest: [{ type: "azure", name: "n", account: "a" }, clouds[0]],
      common: [{ name: "n", class: "hot" }],
      keys: ["name", "bucket"],
      partial: [{}, { type: "a", x: "x" }, { type: "a", y: "y" }, { x: "x", y: "y" }],
    },
    (kind) => {
      const at = `${kind.path}/rules`;
      const spec = (cloud: object): Record<string, unknown> => ({ spec: { cloud } });
      const patch = (cloud: object): RequestStep =>
        PATCH(at, jsonPatch, [{ op: "replace", path: "/spec/cloud", value: cloud }], { pick: specOrRefusal });
      return [
        POST(kind.path, kind.object("rules", spec(clouds[0] ?? {})), { pick: specOrRefusal }),
        patch({ type: "s3", name: "n", bucket: "other" }),
        patch({ type: "gcs", name: "n", project: "p", class: "cold", zone: "z" }),
        patch({ type: "gcs", name: "n", project: "p", class: "cold", zone: "y" }),
        patch({ type: "gcs", name: "n", project: "p", class: "cold" }),
        patch({ type: "s3", name: "n", bucket: "other" }),
      ];
    },
  ),
  "unions-of-fields": scenario("unions-of-fields", {
    exactly: [
      { s3: { bucket: "b" } },
      { gcs: { project: "p" } },
      { none: {} },
      {},
      { none: {}, gcs: { project: "p" } },
      { s3: {} },
    ],
    shared: [{ name: "n", s3: { bucket: "b" } }, { name: "n" }],
    most: [{}, { s3: { bucket: "b" } }, { s3: { bucket: "b" }, gcs: { project: "p" } }],
    none: [{}, { s3: { bucket: "b" }, gcs: { project: "p" } }],
    least: [{}, { s3: { bucket: "b" } }, { s3: { bucket: "b" }, gcs: { project: "p" } }],
    list: [[{ s3: { bucket: "b" } }, { gcs: { project: "p" } }], [{}]],
    rules: [{ s3: { bucket: "b" } }, { s3: { bucket: "" } }, { gcs: { project: "p" } }],
    off: [{ name: "n", s3: { bucket: "b" } }],
  }),
  "unions-without-a-discriminator": scenario("unions-by-shape", {
    address: [{ host: "h" }, { host: "h", port: 1 }, { socket: "s" }, { socket: "s", port: 1 }, { port: 1 }, {}],
    two: [
      { host: "h", port: 1 },
      { host: "h" },
      { socket: "s", mode: "r" },
      { socket: "s" },
      { socket: "s", mode: "r", host: "h" },
    ],
    wide: [{ a: "a" }, { a: "a", b: "b" }, { b: "b" }],
    values: [
      { a: "a", mode: "x", level: 1 },
      { mode: "x" },
      { mode: "y", level: 3 },
      { a: "a", mode: "x", level: 3 },
      { mode: "z" },
    ],
    empty: [{}, { a: "a", b: "b" }, { a: "a" }],
    alike: [
      { a: "a", b: "b" },
      { a: "a", b: "b", c: "c" },
    ],
  }),
  "unions-of-values": scenario("unions-of-values", {
    suggested: ["a", "other", 1],
    auto: [1, "auto", "other"],
    limited: [0, -1, "off", "on"],
    mixed: ["a", 1, "1", 3],
    fraction: [0.5, 1, 2],
    percent: [1, "any"],
    special: ["a.b", "axb", "c|d", "c", 1],
    off: [false, true],
  }),
  "unions-with-rules-of-their-own": scenario("unions-and-types", {
    checked: [
      { type: "a", name: "n" },
      { type: "a", name: "" },
    ],
    more: [{ type: "b", name: "", b: "b" }, { type: "c" }],
    maybe: [null, { type: "b", name: "n" }],
    withBase: [
      { type: "a", name: "n", extra: "e" },
      { type: "a", name: "", extra: "e" },
    ],
    secret: [
      { type: "secret", secret: {} },
      { type: "image", secret: {} },
    ],
    list: [
      [
        { name: "n", type: "a" },
        { name: "m", type: "b", b: "b" },
      ],
      [{ name: "n", type: "b" }],
    ],
  }),
  "unions-cost": [
    nested({}, {}),
    nested({}, { maxItems: 1000 }),
    nested({ maxProperties: 100 }, { maxItems: 1000 }),
    nested({ maxProperties: 10_000 }, { maxItems: 1000 }),
  ],
  "bounds-as-types": scenario("bounds-as-types", {
    port: [1, 65535, 0, 65536],
    high: [1024, 1023],
    label: ["a", "", "a".repeat(64), "A"],
    short: ["a".repeat(10), "a".repeat(11)],
    ports: [[1], [], [1, 2, 3, 4], [0]],
    names: [["abcde"], ["abcdef"]],
    map: [{ a: "b" }, {}, { a: "B" }],
    ratio: [0.5, 0, 1],
    step: [10, 11],
    negative: [-10, -11],
    either: [1, 0, "auto", "other"],
    maybe: [null, 9, 10],
  }),
  "template-literals": scenario("template-literals", {
    cpu: ["1m", "-1.5m", "m", "1M"],
    arn: ["arn:", "arn:a", "a"],
    port: ["80/tcp", "80/icmp"],
    flag: ["on=true", "on=maybe"],
    dots: ["v1.2.x", "v1ax"],
    all: ["small-1", "small-3"],
    nested: ["<5%>", "<5>"],
    either: ["auto", "5%", "on"],
    two: ["a1", "b", "c"],
    many: [1, "1%", "1"],
    map: [{ "small.key": "a", "large.key": "b" }, { "small.key": "a" }],
    special: ["c|d", "a.b|x", "axb|x"],
    limited: ["none", "a", "b", "c"],
    optional: [null, "1%", "1"],
  }),
  tuples: scenario("tuples", {
    two: [[1, 2], [1], [1, 2, 3]],
    optional: [["a"], ["a", "b"], [], ["a", "b", "c"]],
    least: [["a"], []],
    rest: [[], ["a"]],
  }),
  "markers-tags": scenario(
    "markers-tags",
    {
      size: [1, 0, 11, 5],
      text: ["a", "", "x", "y"],
      bytes: ["\u00e9".repeat(10), "\u00e9".repeat(11)],
      list: [["a", "example.com/a"], ["a", "a"], ["-"], []],
      map: [{ a: "b" }, { A: "b" }, {}, { a: "0123456789" }],
      keys: [{ "123456789": "" }, { "0123456789": "" }],
      name: ["a-b", "A", "a".repeat(64)],
      longName: ["a.b", "a..b"],
      uuid: ["00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000A"],
      segment: ["a", ".", "..", "...", ".a", "a/b", "a%"],
      source: [
        { type: "Git", git: "g" },
        { type: "OCI", oci: "o" },
        { type: "None" },
        { type: "Git", image: "i" },
        { type: "None", oci: "o" },
      ],
      choice: [{ a: "a" }, { a: "a", b: "b" }, {}, { b: "b", c: "c" }, { b: "b", c: "c", d: "d" }],
      level: [1],
    },
    (kind) => {
      const at = `${kind.path}/changes`;
      const patch = (spec: object): RequestStep => PATCH(`${at}?dryRun=All`, merge, { spec }, { pick: specOrRefusal });
      return [
        POST(`${kind.path}?dryRun=All`, kind.object("a", { spec: { level: 1, mode: "m" } }), { pick: specOrRefusal }),
        POST(`${kind.path}?dryRun=All`, kind.object("a", { spec: { level: 1, mode: "m", raw: "r" } }), {
          pick: specOrRefusal,
        }),
        POST(kind.path, kind.object("changes", { spec: { counter: 2, items: ["a", "b"], mode: "m" } }), {
          pick: specOrRefusal,
        }),
        patch({ counter: 1 }),
        patch({ counter: 3 }),
        patch({ items: ["a", "b", "c"] }),
        patch({ items: ["b"] }),
        patch({ items: ["b", "a"] }),
        patch({ fixed: "x" }),
        POST(kind.path, kind.object("fixed", { spec: { fixed: "x" } }), { unrecorded: true }),
        PATCH(`${kind.path}/fixed`, merge, { spec: { fixed: "y" } }, { pick: specOrRefusal }),
        PATCH(`${kind.path}/fixed`, merge, { spec: { fixed: null } }, { pick: specOrRefusal }),
      ];
    },
  ),
};
