import { describe, expect, it } from "vitest";
import { generate } from "../../../src/codegen/run-generators.ts";
import { memoryDisk } from "../../../src/files/memory-disk.ts";

const imports = 'import { ConfigMap, Pod, Secret } from "tsop/k8s/core/v1";\n';
const rule = (more = ""): string =>
  `// +kubebuilder:rbac:groups=core,resources=secrets;configmaps,verbs=get;list;watch${more}\n`;

/** Returns the warnings about caches of a controller in a project with this main.ts. */
async function warnings(controller: string, { main = "", role = rule() } = {}): Promise<string[]> {
  const disk = memoryDisk({ "/p/controllers/c.ts": imports + role + controller, "/p/main.ts": main });
  const { warnings: all } = await generate({ root: "/p", disk, outputs: ["rbac"], version: "1.0.0" });
  const own = all.filter(({ code }) => code === "TSOP_CACHE_HOLDS_ALL");
  return own.map(({ file, line, message }) => `${file}:${line} ${message}`);
}

describe("the lint of caches", () => {
  it.each([
    [
      "builder.for(Pod)\n  .owns(Secret)\n  .complete(this);",
      "controllers/c.ts:4 the cache holds all secrets of the cluster",
    ],
    ["builder.watches(ConfigMap, handler);", "controllers/c.ts:3 the cache holds all configmaps of the cluster"],
    ["client.getOrUndefined(Secret, key);", "controllers/c.ts:3 the cache holds all secrets of the cluster"],
    [
      "createOrUpdate(client, ConfigMap, {}, () => {});",
      "controllers/c.ts:3 the cache holds all configmaps of the cluster",
    ],
  ])("warns of %j", async (controller, expected) => {
    expect(await warnings(controller)).toEqual([expected]);
  });

  it.each([
    "client.create(Secret, secret);",
    "builder.owns(Pod);",
    "builder.owns(Secret, { metadataOnly: true });",
    "client.list(metadataOnly(Secret));",
    "mgr.apiReader.get(Secret, key);",
    "client.status.update(Secret, key);",
  ])("accepts %j", async (controller) => {
    expect(await warnings(controller)).toEqual([]);
  });

  it.each([
    "createManager(config, { client: { cache: { disableFor: [Pod, Secret] } } });",
    'createManager(config, { cache: { byKind: [[Pod, {}], [Secret, { labels: { a: "b" } }]] } });',
    'createManager(config, { cache: { labels: { a: "b" } } });',
  ])("accepts %j in main.ts", async (main) => {
    expect(await warnings("client.get(Secret, key);", { main })).toEqual([]);
  });

  it("looks into files without markers", async () => {
    const disk = memoryDisk({ "/p/helper.ts": `${imports}export const read = (client) => client.get(Secret, key);\n` });
    const { warnings: all } = await generate({ root: "/p", disk, outputs: ["rbac"], version: "1.0.0" });
    expect(all.map(({ file, line }) => `${file}:${line}`)).toEqual(["helper.ts:2"]);
  });

  it("warns once for a kind, also if another one is limited", async () => {
    const main = "createManager(config, { client: { cache: { disableFor: [ConfigMap] } } });";
    expect(await warnings("client.get(Secret, key);\nclient.list(Secret);", { main })).toHaveLength(1);
  });

  it("accepts kinds that the role allows in some namespaces only", async () => {
    expect(await warnings("client.get(Secret, key);", { role: rule(",namespace=system") })).toEqual([]);
  });
});
