import { describe, expect, it } from "vitest";
import { compileJsonPath, JsonPathError } from "../../../../../src/apiserver/representation/tables/json-path.ts";
import { randomFrom } from "../../random-from.ts";

const object = {
  metadata: { labels: { "app.kubernetes.io/name": "web" } },
  spec: { replicas: 3, ports: [{ name: "http", port: 80 }, { name: "dns", port: 53 }, { port: 9 }], none: null },
  status: {
    conditions: [
      { type: "Ready", status: "True", age: 5 },
      { type: "Other", status: "False", age: 7 },
    ],
  },
};

describe("a JSONPath", () => {
  it.each([
    [".spec.replicas", [3]],
    ["{.spec.replicas}", [3]],
    ["$.spec.replicas", [3]],
    [".spec.missing.deeper", []],
    [".spec.replicas.deeper", []],
    [".spec.none", [null]],
    [".metadata.labels['app.kubernetes.io/name']", ["web"]],
    ['.metadata.labels["app.kubernetes.io/name"]', ["web"]],
    [String.raw`.metadata.labels.app\.kubernetes\.io/name`, ["web"]],
    ["['spec']['replicas']", [3]],
    [".spec.ports[0].name", ["http"]],
    [".spec.ports[-1].port", [9]],
    [".spec.ports[7].port", []],
    [".spec.ports[*].port", [80, 53, 9]],
    [".spec.ports[0,2].port", [80, 9]],
    [".spec.ports[1:].port", [53, 9]],
    [".spec.ports[:2].port", [80, 53]],
    [".spec.ports[-2:].port", [53, 9]],
    [".spec.ports[0:3:2].port", [80, 9]],
    [".spec.ports.*.name", ["http", "dns"]],
    ["..port", [80, 53, 9]],
    ['.status.conditions[?(@.type=="Ready")].status', ["True"]],
    [".status.conditions[?(@.type == 'Nope')].status", []],
    [".status.conditions[?(@.type!='Ready')].status", ["False"]],
    [".status.conditions[?(@.age>5)].type", ["Other"]],
    [".status.conditions[?(@.age>=5)].type", ["Ready", "Other"]],
    [".status.conditions[?(@.age<7)].type", ["Ready"]],
    [".status.conditions[?(@.age<='x')].type", []],
    [".spec.ports[?(@.name)].port", [80, 53]],
    ["", [object]],
  ])("%s selects %j", (path, expected) => {
    expect(compileJsonPath(path)(object)).toEqual(expected);
  });

  it.each(["spec", ".a[", ".a[x]", ".a[?(x==1)]", ".a['b", ".a..", "[]", ".a[1:2:3:4]"])("%j is refused", (path) => {
    expect(() => compileJsonPath(path)).toThrow(JsonPathError);
  });
});

it("reads or refuses any path, and evaluates it on any object, within a second", () => {
  const pieces = [
    ".",
    "..",
    "[",
    "]",
    "*",
    "?(",
    ")",
    "@",
    "==",
    "'",
    '"',
    "a",
    "spec",
    "ports",
    "0",
    ":",
    ",",
    "-",
    "\\",
    "{",
    "}",
  ];
  const end = performance.now() + 1000;
  const random = randomFrom(3);
  const next = (below: number): number => Math.floor(random() * below);
  for (let round = 0; round < 5000 && performance.now() < end; round++) {
    const path = Array.from({ length: next(9) }, () => pieces[next(pieces.length)]).join("");
    expect(outcomeOf(path)).toBe("settled");
  }
});

function outcomeOf(path: string): unknown {
  try {
    compileJsonPath(path)(object);
  } catch (error) {
    if (!(error instanceof JsonPathError)) return [path, error];
  }
  return "settled";
}
