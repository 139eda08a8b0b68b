import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { realDisk } from "../../../../src/files/real-disk.ts";
import { readTar } from "../../../../src/files/tar.ts";
import { parseImageReference } from "../../../../src/oci/registry/image-reference.ts";
import { RegistryClient } from "../../../../src/oci/registry/registry-client.ts";
import { memoryIo, type MemoryIo } from "../../cli/memory-io.ts";
import { pushBase } from "../../oci/base-image.ts";
import { startRegistry, type Registry } from "../../oci/start-registry.ts";
import { bundleOf } from "../bundle-case.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const client = new RegistryClient({ credentialsOf: async () => undefined });
const folder = temporaryFolder();
let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(async () => {
  await registry.stop();
});

it("pushes the image that serves the catalog, for the platforms of opm's image", async () => {
  const disk = realDisk();
  for (const [path, text] of bundleOf({})) {
    await disk.makeFolder(join(folder, "bundle", path, ".."));
    await disk.write(join(folder, "bundle", path), text);
  }
  const io: MemoryIo = { ...memoryIo(), cwd: folder, disk: disk as MemoryIo["disk"], env: { XDG_CACHE_HOME: folder } };
  const [base, name] = [`${registry.host}/operator-framework/opm:v1`, `${registry.host}/team/catalog:v1`];
  await pushBase(base, client);
  const image = ["--image", "registry.example.com/team/bundle:v1"];
  expect(await main(["bundle", "catalog", "./bundle", ...image, "--base", base, "--push", name], io), io.err()).toBe(0);
  const reference = parseImageReference(name);
  expect(io.out()).toBe(`${registry.host}/team/catalog@${await client.resolveDigest(reference)}\n`);
  expect(await client.platforms(reference)).toEqual(["linux/amd64", "linux/arm64"]);
  const { config: descriptor, layers = [] } = await client.manifest(reference);
  const { config } = await client.config(reference, descriptor!);
  expect(config).toMatchObject({
    Entrypoint: ["/bin/opm"],
    Cmd: ["serve", "/configs"],
    Labels: { "operators.operatorframework.io.index.configs.v1": "/configs" },
  });
  const files = readTar(gunzipSync(await client.blob(reference, layers.at(-1)!)));
  expect(files.map(({ path, body }) => [path, Buffer.from(body).toString()])).toEqual([
    [
      "configs/memcached-operator/catalog.yaml",
      readFileSync(join(folder, "catalog/memcached-operator/catalog.yaml"), "utf8"),
    ],
  ]);
});
