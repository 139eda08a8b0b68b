import { crds, customKind } from "../../custom-kind.ts";
import type { RequestStep, Scenarios } from "../../scenario.ts";
import { refusal, text } from "../../steps.ts";
import { PATCH, POST } from "../../requests.ts";

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: "object",
  properties,
  ...more,
});
const withRoot = (spec: Record<string, unknown>, rules: object[]): Record<string, unknown> => ({
  schema: { openAPIV3Schema: object({ spec: object(spec) }, { "x-kubernetes-validations": rules }) },
});
const patterns = {
  "inline flag": "^(?i)[a-z]+$",
  "group flag": "^(?i:abc)d$",
  class: "^[[:alpha:]]+$",
  unicode: "^\\p{Greek}+$",
  "not greedy": "^a+?$",
  "quoted text": "^\\Qa.b\\E$",
  named: "^(?P<x>a)$",
  octal: "^\\101$",
  hex: "^\\x{41}$",
  "any byte": "^.\\z",
};
const patternKind = customKind("rules-patterns", {
  schema: {
    openAPIV3Schema: object({
      spec: object(
        Object.fromEntries(
          Object.entries(patterns).map(([name, pattern]) => [name.replace(" ", ""), { ...text, pattern }]),
        ),
      ),
    }),
  },
});
const values = ["ABC", "abcd", "ABCd", "alpha", "αβγ", "aaa", "a.b", "a", "A", "\n", "é"];
const refused = [
  "(?=a)",
  "(?!a)",
  "(?<=a)b",
  "(a)\\1",
  "(?>a)",
  "a**",
  "[b-a]",
  "\\Z",
  "(",
  "a{1001}",
  "\\p{Nope}",
  "\\d{2,1}",
];
const wrongPattern = (pattern: string): RequestStep => {
  const { crd } = customKind("rules-patterns-wrong", {
    schema: { openAPIV3Schema: object({ spec: object({ a: { ...text, pattern } }) }) },
  });
  return POST(`${crds}?dryRun=All`, crd, { pick: refusal });
};

/** Refuses each URL with its parts. */
const urlKind = customKind("rules-urls", {
  schema: {
    openAPIV3Schema: object({
      spec: object({
        url: {
          ...text,
          maxLength: 60,
          "x-kubernetes-validations": ["Scheme", "Host", "Hostname", "Port", "EscapedPath"].map((part) => ({
            rule: "!isURL(self)",
            messageExpression: `url(self).get${part}()`,
          })),
        },
      }),
    }),
  },
});
const urls = [
  "http://2026-13-01T00:00:00Z",
  "http://a:80:80/",
  "http://::1/",
  "http://[::1]:80/a?b=c",
  "http://[::1",
  "http://[::1]x",
  "http://[fe80::1%25en0]/",
  "http://[a]/",
  "mailto:a@b",
  "a:b",
  "//host/path",
  "///path",
  "http:///path",
  "http:/path",
  "/a:b",
  "a/b:c",
  ":a",
  "1a:b",
  "A+b-1.c://h",
  "*",
  "",
  "x",
  "http://a b/",
  "http://a/b c",
  "http://a/%zz",
  "http://a%41/",
  "http://a%zz/",
  "http://u:p@h:1/",
  "http://u@v@h/",
  "http://u p@h/",
  "http://u%zz@h/",
  "http://a?b?c",
  "http://a#b",
  "/a#b?c",
  "http://a?",
  "http://a:/",
  "http://a:b/",
  "http://a<b>/",
  "http://a^b/",
  "http://é/é",
  "hTPp\\blah",
  "http://a\\b",
  "http://a/\n",
  "http://a/b/../c//d",
  "http://a/%2F%41",
];

const rootKind = customKind(
  "rules-root",
  withRoot({ a: text, list: { type: "array", items: text, maxItems: 5 } }, [
    { rule: "self.metadata.name != 'bad'", message: "the name is bad" },
    { rule: "self.metadata.name != 'expr'", messageExpression: "'the name is ' + self.metadata.name" },
    { rule: "self.metadata.name != 'reason'", reason: "FieldValueForbidden", message: "forbidden" },
    { rule: "self.metadata.name != 'required'", reason: "FieldValueRequired", fieldPath: ".spec.a" },
    { rule: "self.metadata.name != 'duplicate'", reason: "FieldValueDuplicate", fieldPath: ".spec.list" },
    { rule: "self.kind == 'Thing' && self.apiVersion.endsWith('/v1')" },
    { rule: "!has(self.spec) || !has(self.spec.a) || self.spec.a != self.metadata.name" },
    { rule: "!has(self.metadata.generateName)" },
    { rule: "self.spec.a == oldSelf.spec.a", optionalOldSelf: false, message: "a is immutable" },
  ]),
);
const root = (name: string, spec: object = {}): RequestStep =>
  POST(`${rootKind.path}?dryRun=All`, rootKind.object(name, { spec }), { pick: refusal });
const listKind = customKind("rules-lists", {
  schema: {
    openAPIV3Schema: object({
      spec: object({
        set: { type: "array", items: text, "x-kubernetes-list-type": "set", maxItems: 5 },
        map: {
          type: "array",
          maxItems: 5,
          items: object({ k: text, p: { type: "integer", default: 80 }, v: text }, { required: ["k"] }),
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k", "p"],
          "x-kubernetes-validations": [{ rule: "self.all(e, e.v != 'bad')" }],
        },
        numbers: { type: "array", items: { type: "number" }, "x-kubernetes-list-type": "set" },
        unique: {
          type: "array",
          items: text,
          maxItems: 5,
          "x-kubernetes-validations": [{ rule: "self.all(x, self.exists_one(y, x == y))" }],
        },
      }),
    }),
  },
});
const lists = (spec: object): RequestStep =>
  POST(`${listKind.path}?dryRun=All`, listKind.object("a", { spec }), { pick: refusal });

/** Rules of schemas at their edges: patterns, rules of the whole object, lists with keys. */
export const scenarios: Scenarios = {
  "rules-urls": [
    ...urlKind.install,
    ...urls.map((url): RequestStep =>
      POST(`${urlKind.path}?dryRun=All`, urlKind.object("a", { spec: { url } }), { pick: refusal }),
    ),
  ],
  "rules-patterns": [
    ...patternKind.install,
    ...values.map((value): RequestStep =>
      POST(
        `${patternKind.path}?dryRun=All`,
        patternKind.object("a", {
          spec: Object.fromEntries(Object.keys(patterns).map((name) => [name.replace(" ", ""), value])),
        }),
        { pick: refusal },
      ),
    ),
    ...refused.map(wrongPattern),
  ],
  "rules-root": [
    ...rootKind.install,
    ...["fine", "bad", "expr", "reason", "required", "duplicate"].map((name) => root(name)),
    root("x", { a: "x" }),
    POST(rootKind.path, rootKind.object("old", { spec: { a: "a" } }), { pick: refusal }),
    PATCH(
      `${rootKind.path}/old`,
      { "content-type": "application/merge-patch+json" },
      { spec: { a: "b" } },
      { pick: refusal },
    ),
  ],
  "rules-lists": [
    ...listKind.install,
    lists({ set: ["a", "a", "b", "b", "a"] }),
    lists({ set: ["a", 1, "a"] }),
    lists({ numbers: [1, 1.0, 2, 1] }),
    lists({ map: [{ k: "a" }, { k: "a", p: 80 }, { k: "a", p: 81 }] }),
    lists({
      map: [
        { k: "a", v: "bad" },
        { k: "a", v: "x" },
      ],
    }),
    lists({ map: [{ k: "a", v: "bad" }, { k: "a", v: "bad" }, {}] }),
    lists({ map: [{ p: 1 }] }),
    ...[["a"], ["a", 1, "a"], [["a"], { k: "a" }, { k: "a" }], [null], [{ k: "a" }, { k: "a" }, 7]].map((map) =>
      lists({ map }),
    ),
    lists({ unique: ["a", "a"] }),
    lists({ map: null, set: null }),
  ],
};
