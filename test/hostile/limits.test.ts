import { expect, it } from "vitest";
import { installKind, keyedItems } from "./install-kind.ts";
import { applyPatch, describeEmbedded, jsonPatch, mergePatch, strategicPatch } from "./server.ts";

const core = "/api/v1/namespaces/default";
const pods = `${core}/pods`;
const maps = `${core}/configmaps`;
const deployments = "/apis/apps/v1/namespaces/default/deployments";

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const empty = (count: number): object[] => many(count, () => ({}));

const pod = (containers: readonly object[], name = "p") => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { containers },
});
const map = (name: string, more: object = {}) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, ...more });
const withFinalizers = (finalizers: readonly string[], name = "c") => map(name, { metadata: { name, finalizers } });
const container = (name: string, cpu: string) => ({ name, image: "i", resources: { limits: { cpu } } });
const template = (env: readonly object[]) => ({
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "c", image: "i", env }] },
});
const deployment = (env: readonly object[], name = "d") => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: { selector: { matchLabels: { app: "a" } }, template: template(env) },
});

const tooMany = (what: string) => ({ code: 413, message: `Request entity too large: ${what}` });
const values = (limit: number) => ({
  code: 413,
  message: expect.stringMatching(`^Request entity too large: it has [0-9]+ values, the limit is ${limit}$`),
});
const digits = { message: expect.stringContaining("quantities may have at most 128 digits") };
const yaml = "application/yaml";
const protobuf = "application/vnd.kubernetes.protobuf";

describeEmbedded("counts and lengths", ["--simulate", "off"], (server) => {
  it.each([
    ["300,000 containers", pods, pod(empty(300_000)), values(250_000)],
    [
      "15,000 containers",
      pods,
      pod(empty(15_000)),
      tooMany("the lists of the object have 15000 objects, the limit is 10000"),
    ],
    ["700,000 variables", deployments, deployment(empty(700_000)), values(250_000)],
    ["500,000 equal finalizers", maps, withFinalizers(many(500_000, () => "a")), values(250_000)],
    ["200,000 equal finalizers", maps, withFinalizers(many(200_000, () => "a")), values(100_000)],
    [
      "50,000 equal finalizers",
      maps,
      withFinalizers(many(50_000, () => "a")),
      tooMany("a list or map of the object has 50000 entries, the limit is 20000"),
    ],
    ["a cpu of 1.4 million digits", pods, pod([container("c", "1".repeat(1_400_000))]), { code: 400, ...digits }],
    ["a cpu of a thousand zeros", pods, pod([container("c", "1e999")]), { code: 400, ...digits }],
    [
      "1,000 quantities of 1,400 digits",
      pods,
      pod(many(1_000, (at) => container(`c${at}`, "1".repeat(1_400)))),
      { code: 400, ...digits },
    ],
  ])("are limited: %s", async (_, path, object, refusal) => {
    expect((await server.ask("POST", path, object)).body).toMatchObject(refusal);
    const applied = `${path}/${object.metadata.name}?fieldManager=f`;
    const { body } = await server.ask("PATCH", applied, JSON.stringify(object), applyPatch);
    expect(body.message).toEqual(refusal.message);
    expect((await server.ask("POST", path, JSON.stringify(object), yaml)).body).toMatchObject(refusal);
  });

  it("are limited in protobuf", async () => {
    const { body } = await server.ask("POST", pods, podInProtobuf(500_000), protobuf);
    expect(body).toMatchObject(values(250_000));
    const fewer = await server.ask("POST", pods, podInProtobuf(15_000), protobuf);
    expect(fewer.body).toMatchObject(tooMany("the lists of the object have 15000 objects, the limit is 10000"));
  });

  it("are limited in YAML", async () => {
    const text = (count: number): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n${"  - {}\n".repeat(count)}`;
    expect((await server.ask("POST", pods, text(300_000), yaml)).body).toMatchObject(values(250_000));
    const fewer = await server.ask("POST", pods, text(15_000), yaml);
    expect(fewer.body).toMatchObject(tooMany("the lists of the object have 15000 objects, the limit is 10000"));
    const { body } = await server.ask("PATCH", `${pods}/p?fieldManager=f`, text(300_000), applyPatch);
    expect(body).toMatchObject(values(250_000));
  });

  it.each([mergePatch, strategicPatch])("are limited in the result of a patch: %s", async (type) => {
    await server.ask("POST", pods, pod([container("c", "1")]));
    await server.ask("POST", deployments, deployment([]));
    await server.ask("POST", maps, map("c"));
    const patch = async (path: string, change: object) => (await server.ask("PATCH", path, change, type)).body;
    const named = (count: number): object[] => many(count, (at) => ({ name: `n${at}` }));
    expect(await patch(`${pods}/p`, { spec: { containers: empty(300_000) } })).toMatchObject(values(250_000));
    expect(await patch(`${pods}/p`, { spec: { containers: named(15_000) } })).toMatchObject({
      code: 413,
      message: expect.stringMatching(/the lists of the object have \d+ objects, the limit is 10000$/),
    });
    expect(await patch(`${deployments}/d`, { spec: { template: template(named(70_000)) } })).toMatchObject({
      code: 413,
    });
    const finalizers = { metadata: { finalizers: many(90_000, (at) => `a/${at}`) } };
    expect(await patch(`${maps}/c`, finalizers)).toMatchObject(
      tooMany("a list or map of the object has 90000 entries, the limit is 20000"),
    );
    const cpu = await patch(`${pods}/p`, { spec: { containers: [container("c", "1".repeat(1_400_000))] } });
    expect(cpu).toMatchObject({ code: 422, ...digits });
  });

  it("are limited in the result of a JSON patch", async () => {
    await server.ask("POST", maps, map("j"));
    const patch = async (...operations: object[]) =>
      (await server.ask("PATCH", `${maps}/j`, operations, jsonPatch)).body;
    const add = (value: unknown) => ({ op: "add", path: "/metadata/finalizers", value });
    expect(await patch(add(empty(300_000)))).toMatchObject(values(250_000));
    expect(await patch(add(many(90_000, (at) => `a/${at}`)))).toMatchObject(
      tooMany("a list or map of the object has 90000 entries, the limit is 20000"),
    );
    const copies = many(900, (at) => ({ op: "copy", from: "/data/a", path: `/data/c${at}` }));
    const copied = await patch({ op: "add", path: "/data", value: { a: empty(1_000) } }, ...copies);
    expect(copied).toMatchObject(values(100_000));
  });

  it("are limited for custom objects, and so are the levels of their values", async () => {
    const spec = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const path = await installKind(server, { plural: "anythings", kind: "Anything" }, { spec });
    const anything = (name: string, content: string) =>
      `{"apiVersion":"hostile.example.com/v1","kind":"Anything","metadata":{"name":"${name}"},"spec":{${content}}}`;
    const numbers = anything("n", `"list":[${many(120_000, () => 1).join()}]`);
    expect((await server.ask("POST", path, numbers)).body).toMatchObject(values(100_000));
    const deep = anything("d", many(40, (at) => `"a${at}":${'{"a":'.repeat(800)}1${"}".repeat(800)}`).join());
    const { body } = await server.ask("POST", path, deep);
    expect(body).toMatchObject({
      code: 413,
      message: expect.stringMatching(/its values are at \d+ levels together, the limit is 2000000$/),
    });
    expect((await server.ask("PATCH", `${path}/d?fieldManager=f`, deep, applyPatch)).body.message).toBe(body.message);
  });

  it("allow objects of a megabyte", async () => {
    const text = "x".repeat(190);
    const data = Object.fromEntries(many(5_000, (at) => [`key-${at}`, text]));
    expect((await server.ask("POST", maps, map("large", { data }))).status).toBe(201);
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "large" }, stringData: data };
    expect((await server.ask("POST", `${core}/secrets`, secret)).status).toBe(201);
    const field = {
      type: "object",
      description: "Says what the field is for. ".repeat(15),
      properties: { a: { type: "string" } },
    };
    const large = await installKind(
      server,
      { plural: "larges", kind: "Large" },
      {
        ...Object.fromEntries(many(2_000, (at) => [`field${at}`, field])),
        items: keyedItems,
      },
    );
    const custom = (value: string) => ({
      apiVersion: "hostile.example.com/v1",
      kind: "Large",
      metadata: { name: "l" },
      items: many(15_000, (key) => ({ key, value })),
    });
    expect((await server.ask("POST", large, custom("first"))).status).toBe(201);
    const applied = JSON.stringify({ ...custom("other"), metadata: { name: "m" } });
    for (const status of [201, 200])
      expect((await server.ask("PATCH", `${large}/m?fieldManager=f`, applied, applyPatch)).status).toBe(status);
  });
});

/** Returns a Pod with empty containers, two bytes each. */
function podInProtobuf(count: number): Uint8Array {
  const type = Buffer.concat([lengthDelimited(1, "v1"), lengthDelimited(2, "Pod")]);
  const metadata = lengthDelimited(1, lengthDelimited(1, "p"));
  const spec = lengthDelimited(2, Buffer.concat(many(count, () => lengthDelimited(2, ""))));
  return Buffer.concat([
    Buffer.from("k8s\0"),
    lengthDelimited(1, type),
    lengthDelimited(2, Buffer.concat([metadata, spec])),
  ]);
}

function lengthDelimited(field: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content as string);
  const head = [field * 8 + 2];
  let length = bytes.length;
  for (; length > 127; length = Math.floor(length / 128)) head.push((length & 127) | 128);
  return Buffer.concat([Buffer.from([...head, length]), bytes]);
}
