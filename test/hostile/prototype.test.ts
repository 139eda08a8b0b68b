import { expect, it } from "vitest";
import { applyPatch, describeServers, jsonPatch, mergePatch, strategicPatch, type Server } from "./server.ts";

const maps = "/api/v1/namespaces/default/configmaps";

describeServers("the field __proto__", (server) => {
  it("is an unknown field in a merge patch", async () => {
    const path = await createMap(server, "merge");
    const patch = '{"__proto__":{"immutable":true},"metadata":{"__proto__":{"finalizers":["a/b"]}},"data":{"a":"2"}}';
    await server.ask("PATCH", path, patch, mergePatch);
    expect((await server.ask("PATCH", path, '{"data":{"a":"3"}}', mergePatch)).body.data).toEqual({ a: "3" });
    const { body } = await server.ask("GET", path);
    expect(body.immutable).toBeUndefined();
    expect(body.metadata.finalizers).toBeUndefined();
  });

  it("is an unknown field in a strategic merge patch", async () => {
    const path = await createMap(server, "strategic");
    await server.ask("PATCH", path, '{"__proto__":{"immutable":true},"data":{"a":"2"}}', strategicPatch);
    const { status, body } = await server.ask("PATCH", path, '{"data":{"a":"3"}}', strategicPatch);
    expect({ status, data: body.data, immutable: body.immutable }).toEqual({ status: 200, data: { a: "3" } });
  });

  it("is missing in a JSON patch unless the object has it", async () => {
    const path = await createMap(server, "json");
    const pollute = [{ op: "add", path: "/__proto__/immutable", value: true }];
    expect(await server.ask("PATCH", path, pollute, jsonPatch)).toMatchObject({ status: 422 });
    const construct = [{ op: "add", path: "/constructor/prototype/immutable", value: true }];
    expect(await server.ask("PATCH", path, construct, jsonPatch)).toMatchObject({ status: 422 });
    expect((await server.ask("GET", path)).body.immutable).toBeUndefined();
  });

  it.each([
    ["merge", mergePatch, '{"data":{"__proto__":"v","constructor":"w"}}'],
    ["strategic merge", strategicPatch, '{"data":{"__proto__":"v","constructor":"w"}}'],
    [
      "JSON",
      jsonPatch,
      '[{"op":"add","path":"/data/__proto__","value":"v"},{"op":"add","path":"/data/constructor","value":"w"}]',
    ],
  ])("is a key like any other of data in a %s patch", async (name, type, patch) => {
    const path = await createMap(server, `data-${name.replaceAll(" ", "-").toLowerCase()}`);
    const { status, body } = await server.ask("PATCH", path, patch, type);
    expect(status).toBe(200);
    expect(Object.entries(body.data)).toEqual(
      expect.arrayContaining([
        ["__proto__", "v"],
        ["constructor", "w"],
      ]),
    );
    const removal = '{"data":{"__proto__":null,"constructor":null}}';
    expect((await server.ask("PATCH", path, removal, mergePatch)).body.data).toEqual({ a: "1" });
  });

  it.each([
    ["POST", maps, "application/yaml"],
    ["PATCH", `${maps}/applied?fieldManager=f`, applyPatch],
  ])("is a key like any other of data in YAML (%s)", async (method, path, type) => {
    const name = method === "POST" ? "yaml" : "applied";
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  __proto__: v\n  constructor: w\n`;
    const { status, body } = await server.ask(method, path, text, type);
    expect(status).toBe(201);
    expect(Object.entries(body.data)).toEqual(
      expect.arrayContaining([
        ["__proto__", "v"],
        ["constructor", "w"],
      ]),
    );
    const [{ fieldsV1 }] = body.metadata.managedFields;
    expect(Object.keys(fieldsV1["f:data"])).toEqual(expect.arrayContaining(["f:__proto__", "f:constructor"]));
  });

  it("is an unknown field in YAML", async () => {
    const text = "metadata:\n  name: unknown\n__proto__:\n  immutable: true\ndata:\n  a: b\n";
    expect((await server.ask("POST", maps, text, "application/yaml")).body.immutable).toBeUndefined();
  });
});

async function createMap(server: Server, name: string): Promise<string> {
  const { status } = await server.ask("POST", maps, { metadata: { name }, data: { a: "1" } });
  expect(status).toBe(201);
  return `${maps}/${name}`;
}
