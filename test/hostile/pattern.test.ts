import { expect, it } from "vitest";
import { describeServers } from "./server.ts";

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const objects = "/apis/patterns.example.com/v1/namespaces/default/patterneds";

describeServers("patterns of schemas", (server) => {
  it("match in linear time", async () => {
    const patterns = ["^(a+)+$", "^([a-z0-9]+(-[a-z0-9]+)*)+$", "^(a|a)*$", "a*a*a*a*b", "(?i)^A+$"];
    expect((await server.ask("POST", crds, crd(patterns))).status).toBe(201);
    await expect.poll(async () => (await server.ask("GET", objects)).status).toBe(200);
    for (const length of [30, 50_000]) {
      const hostile = `${"a".repeat(length)}!`;
      const { status, body } = await server.ask("POST", objects, object(patterns.map(() => hostile)));
      expect({ status, count: body.details.causes.length }).toEqual({ status: 422, count: patterns.length });
    }
    expect((await server.ask("POST", objects, object(["aa", "a-b", "aa", "ab", "aA"]))).status).toBe(201);
  });

  it.each([
    ["(?=a)b", "invalid or unsupported Perl syntax: `(?=`"],
    ["\\1", "invalid escape sequence: `\\1`"],
    ["a{1001}", "invalid repeat count: `{1001}`"],
    ["a**", "invalid nested repetition operator: `**`"],
    ["(?:a{100}){100}", "invalid repeat count: `{100}`"],
    ["(a", "missing closing ): `(a`"],
    ["[[:alpha:]", "missing closing ]: `[[:alpha:]`"],
  ])("are rejected if RE2 rejects them: %s", async (pattern, why) => {
    const { status, body } = await server.ask("POST", `${crds}?dryRun=All`, crd([pattern], "others"));
    expect(status).toBe(422);
    const reason = "must be a valid regular expression, but isn't: error parsing regexp";
    expect(body.message).toContain(`${reason}: ${why}`);
  });

  it("match formats in linear time", async () => {
    const formats = [
      "hostname",
      "email",
      "uri",
      "date-time",
      "cidr",
      "ipv6",
      "mac",
      "uuid",
      "creditcard",
      "isbn",
      "duration",
    ];
    const hexcolor = [...formats, "hexcolor", "rgbcolor", "ssn", "date", "password", "byte"];
    const named = crd([], "formatteds", hexcolor);
    expect((await server.ask("POST", crds, named)).status).toBe(201);
    const path = objects.replace("patterneds", "formatteds");
    await expect.poll(async () => (await server.ask("GET", path)).status).toBe(200);
    for (const piece of ["a", "a.", "a-", "1", "1:", "a@", "%20", " ", "1s"]) {
      const text = `${piece.repeat(20_000 / piece.length)}!`;
      const { status } = await server.ask("POST", path, { ...object(hexcolor.map(() => text)), kind: "Formatteds" });
      expect(status).toBe(422);
    }
  });
});

function object(values: readonly string[]): Record<string, unknown> {
  const spec = Object.fromEntries(values.map((value, index) => [`p${index}`, value]));
  return { apiVersion: "patterns.example.com/v1", kind: "Patterneds", metadata: { name: "a" }, spec };
}

function crd(patterns: readonly string[], plural = "patterneds", formats: readonly string[] = []): object {
  const properties = [
    ...patterns.map((pattern) => ({ type: "string", pattern })),
    ...formats.map((format) => ({ type: "string", format })),
  ];
  const spec = { type: "object", properties: Object.fromEntries(properties.map((each, index) => [`p${index}`, each])) };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.patterns.example.com` },
    spec: {
      group: "patterns.example.com",
      scope: "Namespaced",
      names: { plural, kind: plural[0]?.toUpperCase() + plural.slice(1) },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}
