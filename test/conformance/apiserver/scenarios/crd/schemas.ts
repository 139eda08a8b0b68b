import { crds, customKind } from "../../custom-kind.ts";
import { apply, type RequestStep, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST } from "../../requests.ts";
import { text, words } from "../../steps.ts";

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: "object",
  properties,
  ...more,
});
const list = (items: unknown, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: "array",
  items,
  ...more,
});
const keep = { "x-kubernetes-preserve-unknown-fields": true };
const version = (spec: unknown): Record<string, unknown> => ({ schema: { openAPIV3Schema: object({ spec }) } });
const open = customKind(
  "schema-open",
  version(
    object({
      keptList: list(object({ a: text }), keep),
      keptDeep: list(list(object({ a: text, o: object({ b: text }) })), keep),
      keptText: list(text, keep),
      openList: list(object({ a: text }, { additionalProperties: true })),
      open: object({ a: text, o: object({ b: text }) }, { additionalProperties: true }),
      maps: { type: "object", additionalProperties: object({ a: text }) },
      keptMaps: { type: "object", additionalProperties: object({ a: text }), ...keep },
    }),
  ),
);
const unknown = { a: "x", u: 1, o: { b: "x", u: 1 } };
const openSpecs = {
  "kept-list": { keptList: [unknown] },
  "kept-deep": { keptDeep: [[unknown]] },
  "kept-text": { keptText: ["x"] },
  "open-list": { openList: [unknown] },
  open: { open: unknown },
  maps: { maps: { k: { a: "x", u: 1 } } },
  "kept-maps": { keptMaps: { k: unknown } },
};
const numbers = customKind(
  "schema-numbers",
  version(
    object({
      i: { type: "integer" },
      i32: { type: "integer", format: "int32" },
      i64: { type: "integer", format: "int64" },
      n: { type: "number" },
      n32: { type: "number", format: "int32" },
      f: { type: "number", format: "float" },
      d: { type: "number", format: "double" },
      any: keep,
      ios: { "x-kubernetes-int-or-string": true },
    }),
  ),
);
const numberTexts = words(`
  -0  0  -0.0  1.0  1e2  1E+2  1.5e1  1e-2  2147483647  2147483648  -2147483648  -2147483649  9223372036854775807
  -9223372036854775808  9007199254740993  1e19  1e21  1e308  1e-400  3.5e38  123456789012345678901234567890
`);
const fields = ["i", "i32", "i64", "n", "n32", "f", "d", "any", "ios"];
const formats: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ["507f1f77bcf86cd799439011", "x"],
  uri: [
    "https://a.b/c",
    "/path",
    "a b",
    "",
    "a:b",
    "http://[::1",
    "x",
    "mailto:a@b",
    "//host",
    "http://",
    "HTTP://A",
    "://x",
  ],
  email: ["a@b.c", "a", "a@b", "A <a@b.c>", "a@", "a b@c.d", '"a b"@c.d', "a@b.c "],
  hostname: ["a.b", "A.B", "-a", "a-", "a_b", "1.2.3.4", "a..b", "", "a.", "ü.de", "x".repeat(64)],
  ipv4: ["1.2.3.4", "01.2.3.4", "1.2.3", "::1", "256.1.1.1", ""],
  ipv6: ["::1", "1.2.3.4", "fe80::1%eth0", "::ffff:1.2.3.4", "x", "1::2::3"],
  cidr: ["1.2.3.0/24", "1.2.3.4/33", "::/0", "1.2.3.4", "1.2.3.4/08"],
  mac: ["01:23:45:67:89:ab", "0123.4567.89ab", "01-23-45-67-89-ab", "x", "02:00:5e:10:00:00:00:01", "01:23:45:67:89"],
  uuid: [
    "a-b",
    "123e4567-e89b-12d3-a456-426614174000",
    "123e4567e89b12d3a456426614174000",
    "123E4567-E89B-12D3-A456-426614174000",
  ],
  uuid3: ["123e4567-e89b-32d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
  uuid4: [
    "123e4567-e89b-42d3-a456-426614174000",
    "123e4567-e89b-12d3-a456-426614174000",
    "123e4567-e89b-42d3-c456-426614174000",
  ],
  uuid5: ["123e4567-e89b-52d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
  isbn: ["0-306-40615-2", "9780306406157", "x", "978-0-306-40615-7", "978-0-306-40615-8"],
  isbn10: ["0306406152", "0306406153", "0-306-40615-2", "080442957X"],
  isbn13: ["9780306406157", "9780306406158"],
  creditcard: ["4111111111111111", "4111111111111112", "4111-1111-1111-1111", "x"],
  ssn: ["111-22-3333", "111223333", "x", "111 22 3333"],
  hexcolor: ["#fff", "fff", "#ffff", "#FFFFFF", "ggg"],
  rgbcolor: ["rgb(1,2,3)", "rgb(256,1,1)", "rgb(1, 2, 3)", "x"],
  byte: ["YQ==", "YQ", "Y Q==", "", "YQ==\n"],
  password: ["x", ""],
  date: ["2024-02-29", "2023-02-29", "2024-1-1", ""],
  duration: ["1h", "1 day", "1d", "1.5h", "-1h", "1h30m", "x", "0", "1 week", "1week", "1 w", "P1D", "1 Hour", ""],
  "date-time": [
    "2024-01-01T00:00:00Z",
    "2024-01-01 00:00:00Z",
    "2024-01-01T00:00:00",
    "2024-01-01",
    "2024-01-01T25:00:00Z",
    "2024-01-01T00:00:00.123456789+01:00",
    "2024-01-01t00:00:00z",
    "2024-01-01T00:00Z",
  ],
  datetime: ["2024-01-01T00:00:00Z", "x"],
  int32: ["x"],
  int64: ["x"],
  float: ["x"],
  double: ["x"],
  binary: ["x"],
  ip: ["x", "1.2.3.4"],
  "k8s-short-name": ["a", "A", "a.b", "-a"],
  "k8s-long-name": ["a.b", "A", "a_b"],
  "date-times": ["x"],
  DATE: ["x", "2024-01-01"],
  UUID: ["x"],
  "bson-object-id": ["x"],
  "hex-color": ["x"],
  unknown: ["x"],
};
const fieldOf = (format: string): string => `f${format.replaceAll("-", "_")}`;
const formatted = customKind(
  "schema-formats",
  version(object(Object.fromEntries(Object.keys(formats).map((format) => [fieldOf(format), { ...text, format }])))),
);
const typedFormats = customKind(
  "schema-typed-formats",
  version(
    object(
      Object.fromEntries(
        ["integer", "number", "boolean", "string", "object", "array"].flatMap((type) =>
          ["int32", "int64", "float", "double", "date", "other"].map((format) => [
            `${type}_${format}`,
            { type, format: format === "other" ? `other-${type}` : format, ...(type === "array" && { items: text }) },
          ]),
        ),
      ),
    ),
  ),
);
const embedded = customKind(
  "schema-embedded",
  version(
    object({
      open: { type: "object", "x-kubernetes-embedded-resource": true, ...keep },
      closed: object({ spec: object({ x: text }) }, { "x-kubernetes-embedded-resource": true }),
      list: list({ type: "object", "x-kubernetes-embedded-resource": true, ...keep }),
      named: object(
        { metadata: object({ name: { ...text, pattern: "^p" } }) },
        { "x-kubernetes-embedded-resource": true, ...keep },
      ),
    }),
  ),
);
const inner = (metadata: unknown, more: Record<string, unknown> = {}): unknown => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata,
  ...more,
});
const metas: readonly unknown[] = [
  undefined,
  null,
  "x",
  7,
  [],
  {},
  { name: "A_B" },
  { name: "p", labels: { "bad key!": "x" } },
  { name: "p", labels: { a: "bad value!" } },
  { name: "p", labels: { a: 1 } },
  { name: "p", annotations: { "bad key!": "x" } },
  { name: "p", finalizers: ["x"] },
  { name: "p", finalizers: "x" },
  { name: "p", namespace: "A_B" },
  { name: "p", generateName: "A_" },
  { name: "p", ownerReferences: [{ kind: "x" }] },
  { name: "p", unknown: 1 },
  { name: "p", creationTimestamp: null },
  { name: "p", creationTimestamp: "x" },
  { name: 7 },
  { generation: -1 },
];
const types: readonly Record<string, unknown>[] = [
  { apiVersion: "a/b/c", kind: "Pod" },
  { apiVersion: "v1", kind: "po d" },
  { apiVersion: "v1", kind: "Pod/x" },
  { apiVersion: 1, kind: "Pod" },
  { apiVersion: "", kind: "" },
  { kind: "Pod" },
  { apiVersion: "/v1", kind: "Pod" },
  { apiVersion: "a b", kind: "Pod" },
  { apiVersion: "V1", kind: "pod" },
];
const dry = (kind: ReturnType<typeof customKind>, spec: unknown): RequestStep =>
  POST(`${kind.path}?dryRun=All`, kind.object("a", { spec }));
const raw = (kind: ReturnType<typeof customKind>, spec: string): RequestStep =>
  POST(`${kind.path}?dryRun=All`, JSON.stringify(kind.object("a", { spec: "SPEC" })).replace('"SPEC"', spec));
const outcome = ({ kind, message, spec, details }: any): unknown =>
  kind !== "Status" ? spec : details?.causes?.length > 1 ? { causes: details.causes } : { message };
const approvals = [
  ["approved.k8s.io", { "api-approved.kubernetes.io": "https://github.com/kubernetes/kubernetes/pull/1" }],
  ["unapproved.k8s.io", { "api-approved.kubernetes.io": "unapproved, experimental" }],
  ["sigs.x-k8s.io", {}],
  ["other.kubernetes.io", { "api-approved.kubernetes.io": "unapproved" }],
  ["plain.example.com", {}],
] as const;
const approved = ([group, annotations]: (typeof approvals)[number]): RequestStep[] => [
  POST(
    crds,
    {
      ...open.crd,
      metadata: { name: `things.${group}`, annotations },
      spec: { ...open.crd.spec, group, names: { ...open.crd.spec.names, kind: "Thing", plural: "things" } },
    },
    { pick: ({ message, metadata }) => message ?? metadata?.name },
  ),
  GET(`${crds}/things.${group}`, {
    until: ({ status }) =>
      status?.conditions?.length >= (/(^|\.)(k8s|kubernetes)\.io$/.test(group) ? 3 : 2) &&
      status.conditions.some(({ type, status }: any) => type === "Established" && status === "True"),
    pick: ({ status }) => status?.conditions.toSorted((a: any, b: any) => (a.type < b.type ? -1 : 1)),
  }),
];

export const scenarios: Scenarios = {
  "schema-open": {
    managedFields: true,
    steps: [
      ...open.install,
      ...Object.entries(openSpecs).flatMap(([name, spec]): RequestStep[] => [
        POST(`${open.path}?fieldValidation=Warn`, open.object(name, { spec })),
        POST(`${open.path}?fieldValidation=Strict&dryRun=All`, open.object(`${name}-s`, { spec })),
        PATCH(`${open.path}/${name}-a?fieldManager=me`, apply, open.object(`${name}-a`, { spec })),
      ]),
      POST(
        `${open.path}?fieldValidation=Strict`,
        open.object("first", { A: 1, metadata: { b: 1, a: 1, name: "first" }, zz: 1, nn: 1 }),
      ),
    ],
  },
  "schema-numbers": [
    ...numbers.install,
    ...numberTexts.flatMap((number) =>
      fields.map((field) => ({ ...raw(numbers, `{"${field}":${number}}`), pick: outcome })),
    ),
    ...["1e309", "-1e400"].map((number) => ({
      ...raw(numbers, `{"any":["1e999 is a text",${number}]}`),
      pick: ({ code }: any): unknown => code,
    })),
    raw(numbers, '{"any":"1e999 is a text, [1e999], \\"1e999"}'),
  ],
  "schema-formats": [
    POST(`${crds}?dryRun=All`, formatted.crd, { pick: ({ status }) => status }),
    POST(`${crds}?dryRun=All`, typedFormats.crd, { pick: ({ status, message }) => message ?? status }),
    ...["integer", "number", "boolean", "string", "object", "array"].flatMap((type) =>
      ["int32", "int64", "float", "double", "date"].map((format): RequestStep => {
        const field = { type, format, ...(type === "array" && { items: text }) };
        const kind = customKind("schema-one-format", version(object({ field })));
        return POST(`${crds}?dryRun=All`, kind.crd, { pick: ({ status, message }) => message ?? status });
      }),
    ),
    ...formatted.install,
    ...Object.entries(formats).flatMap(([format, values]) =>
      values.map((value) => ({ ...dry(formatted, { [fieldOf(format)]: value }), pick: outcome })),
    ),
  ],
  "schema-embedded": [
    ...embedded.install,
    ...metas.flatMap((metadata) =>
      ["open", "closed", "named"].map((field) => ({ ...dry(embedded, { [field]: inner(metadata) }), pick: outcome })),
    ),
    ...metas.map((metadata) => ({ ...dry(embedded, { list: [inner(metadata)] }), pick: outcome })),
    ...types.map((type) => ({ ...dry(embedded, { open: type }), pick: outcome })),
    { ...dry(embedded, { closed: inner({ name: "p" }, { unknown: 1, spec: { y: 1 } }) }), pick: outcome },
  ],
  "crd-approval": approvals.flatMap(approved),
};
