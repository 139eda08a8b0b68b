import { expect, it } from "vitest";
import { installKind } from "./install-kind.ts";
import { describeEmbedded, describeServers } from "./server.ts";

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All";
const recursion = "ERROR: <input>:-1:0: max recursion depth exceeded";
const nesting = "ERROR: <input>:-1:0: expression recursion limit exceeded: 250";
const repeat = (text: string, count = 300): string => text.repeat(count);

describeServers("rules in CEL", (server) => {
  it.each([
    ["5,000 conjunctions", Array(5000).fill("true").join(" && ")],
    ["300 disjunctions", Array(300).fill("self == ''").join(" || ")],
    ["200 sums", `${Array(200).fill("1").join(" + ")} == 200`],
    ["200 parentheses", `${repeat("(", 200)}true${repeat(")", 200)}`],
    ["300 negations", `${repeat("!")}true`],
    ["301 negations", `${repeat("!", 301)}false`],
    ["300 signs", `1 - ${repeat("-")}1 == 2 || true`],
    ["5,000 items", `1 in [${Array(5000).fill("1").join(",")}]`],
  ])("may have %s", async (_, rule) => {
    const { status, body } = await server.ask("POST", crds, crd(rule));
    expect({ status, message: body.message }).toEqual({ status: 201, message: undefined });
  });

  it.each([
    ["5,000 sums", `${Array(5000).fill("1").join(" + ")} == 5000`, recursion],
    ["260 sums", `${Array(260).fill("1").join(" + ")} == 260`, recursion],
    ["300 calls", `self${repeat(".trim()")} == ''`, recursion],
    ["300 selections", `self${repeat(".a")} == ''`, recursion],
    ["300 indexes", `[1]${repeat("[0]")} == 1`, recursion],
    ["300 comparisons", Array(300).fill("true").join(" == "), recursion],
    ["300 parentheses", `${repeat("(")}true${repeat(")")}`, nesting],
    ["300 lists", `${repeat("[")}${repeat("]")} == []`, nesting],
    ["300 conditions", `${repeat("true ? true : ")}true`, nesting],
    ["100,010 characters", `'${repeat("x", 100_000)}' == self`, "size: 100010, limit 100000"],
    ["50,000 dots", `${repeat(".", 50_000)}self`, "Syntax error"],
    ["50,000 mixed signs", `${repeat("!-", 40_000)}self`, "Syntax error"],
    ["20,000 errors", `[${Array(20_000).fill("x").join(",")}] == []`, "19900 more errors were truncated"],
  ])("are rejected with %s", async (_, rule, why) => {
    const { status, body } = await server.ask("POST", crds, crd(rule));
    expect(status).toBe(422);
    expect(body.message.includes(why), body.message.slice(-500)).toBe(true);
  });

  it("are checked once each, below a rule for all of them", async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string", ...withRule("true") }]));
    const { status } = await server.ask("POST", crds, crdOf({ type: "object", properties, ...withRule("true") }));
    expect(status).toBe(201);
  });
});

// A real server needs more than half a minute for some of these.
describeEmbedded("long rules in CEL", [], (server) => {
  it.each([
    ["9,000 equal comparisons", Array(9_000).fill("self==''").join("||")],
    ["33,000 empty lists", `[] in [${Array(33_000).fill("[]").join(",")}]`],
    ["11,000 conditions", `1 in [${Array(11_000).fill("true?1:2").join(",")}]`],
    ["20,000 comparisons", Array(20_000).fill("1<2").join("&&")],
  ])("may have %s", async (_, rule) => {
    expect((await server.ask("POST", crds, crd(rule))).status).toBe(201);
  });

  it("are compiled in turns if there are many of them, when a kind is defined and when its first object is written", async () => {
    const rules = Array.from({ length: 14 }, () => ({ rule: Array(6_000).fill("[1].all(x,x>0)").join("&&") }));
    const spec = {
      type: "object",
      properties: { p: { type: "string", default: "a", "x-kubernetes-validations": rules } },
    };
    const path = await installKind(server, { plural: "manies", kind: "Many" }, { spec });
    const object = { apiVersion: "hostile.example.com/v1", kind: "Many", metadata: { name: "m" }, spec: {} };
    expect((await server.ask("POST", path, object)).status).toBe(201);
  });
});

const withRule = (rule: string) => ({ "x-kubernetes-validations": [{ rule }] });

function crd(rule: string): object {
  return crdOf({ type: "object", properties: { p: { type: "string", ...withRule(rule) } } });
}

function crdOf(spec: object): object {
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "ruleds.hostile.example.com" },
    spec: {
      group: "hostile.example.com",
      scope: "Namespaced",
      names: { plural: "ruleds", kind: "Ruled" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}
