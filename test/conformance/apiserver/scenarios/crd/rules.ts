import { crds, customKind, schemaOf } from "../../custom-kind.ts";
import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST } from "../../requests.ts";

/** A CRD whose spec has these properties and rules. */
function ruled(name: string, properties: Record<string, unknown>, rules: unknown[]) {
  return customKind(name, {
    schema: { openAPIV3Schema: schemaOf(properties, { "x-kubernetes-validations": rules }) },
  });
}

const x = { type: "string" };
const n = { type: "integer" };
const list = { type: "array", items: x };
const created = (properties: Record<string, unknown>, rules: unknown[]): RequestStep =>
  POST(`${crds}?dryRun=All`, ruled("celwrong", properties, rules).crd);
const judged = ruled("cel", { x, n, lower: n, items: { ...list, maxItems: 5 } }, [
  { rule: "!has(self.n) || self.n < 10", message: "n is too large" },
  { rule: "!has(self.x) || self.x != 'bad'", messageExpression: "'x is ' + self.x", reason: "FieldValueForbidden" },
  { rule: "!has(self.lower) || self.lower <= self.n", fieldPath: ".lower", reason: "FieldValueRequired" },
  { rule: "!has(self.items) || self.items.all(each, each.startsWith('a'))" },
  { rule: "!has(oldSelf.n) || self.n >= oldSelf.n", message: "n only grows" },
  { rule: "oldSelf.hasValue() || self.x != 'late'", optionalOldSelf: true, message: "not at first" },
]);
const thing = (name: string, spec: Record<string, unknown>): RequestStep =>
  POST(judged.path, judged.object(name, { spec }));
const changed = (name: string, spec: Record<string, unknown>): RequestStep =>
  PATCH(`${judged.path}/${name}`, merge, { spec });
const plain = customKind("ratchet");
const stricter = ruled("ratchet", { x: { type: "string", maxLength: 2 }, n }, [
  { rule: "!has(self.n) || self.n < 10", message: "n is too large" },
  { rule: "self.x.startsWith('a')", message: "x has to start with a" },
]);

export const scenarios: Scenarios = {
  "cel-rules": [
    created({ x }, [{ rule: "self.x ==" }]),
    created({ x }, [{ rule: "self.y == ''" }]),
    created({ x }, [{ rule: "self.x" }]),
    created({ x, n }, [{ rule: "self.x == self.n" }]),
    created({ x }, [{ rule: "" }]),
    created({ x }, [{ rule: "self.x\n== ''" }]),
    created({ x }, [{ rule: "true", message: " " }]),
    created({ x }, [{ rule: "true", messageExpression: "self.n" }]),
    created({ x }, [{ rule: "true", messageExpression: "1" }]),
    created({ x }, [{ rule: "true", reason: "Other" }]),
    created({ x }, [{ rule: "true", fieldPath: ".nope" }]),
    created({ x }, [{ rule: "true", optionalOldSelf: true }]),
    created({ list }, [{ rule: "self.list.all(a, self.list.all(b, a == b))" }]),
    created({ list: { ...list, items: { ...x, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } } }, []),
    created({ x: { type: "array" } }, [{ rule: "self.y" }]),
    created({ x }, [{ rule: "quantity(self.x).isGreaterThan(quantity('1Gi')) && self.x.find('a') != ''" }]),
  ],
  cel: [
    ...judged.install,
    thing("a", { n: 10 }),
    thing("a", { x: "bad" }),
    thing("a", { n: 1, lower: 2 }),
    thing("a", { items: ["ab", "b"] }),
    thing("a", { x: "late" }),
    thing("a", { n: 11, x: "bad", lower: 12 }),
    thing("a", { n: "text", x: "bad" }),
    thing("a", { lower: 1 }),
    thing("a", { n: 5, x: "1" }),
    changed("a", { n: 4 }),
    changed("a", { n: null }),
    changed("a", { n: 6, x: "late" }),
    GET(`${judged.path}/a`),
  ],
  ratcheting: [
    ...plain.install,
    POST(plain.path, plain.object("a", { spec: { x: "long" } }), { unrecorded: true }),
    PATCH(
      `${crds}/things.ratchet.example.com`,
      merge,
      { spec: { versions: stricter.crd.spec.versions } },
      { unrecorded: true },
    ),
    POST(`${plain.path}?dryRun=All`, plain.object("b", { spec: { x: "long" } }), {
      until: (_, status) => status === 422,
    }),
    PATCH(`${plain.path}/a`, merge, { metadata: { labels: { a: "b" } } }),
    PATCH(`${plain.path}/a`, merge, { spec: { n: 1 } }),
    PATCH(`${plain.path}/a`, merge, { spec: { x: "longer" } }),
    PATCH(`${plain.path}/a`, merge, { spec: { x: "a", n: 10 } }),
    PATCH(`${plain.path}/a`, merge, { spec: { x: "a" } }),
  ],
};
