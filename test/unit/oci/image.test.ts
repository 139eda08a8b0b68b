import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { realDisk } from "../../../src/files/real-disk.ts";
import { readTar } from "../../../src/files/tar.ts";
import { openBlobCache } from "../../../src/oci/image/blob-cache.ts";
import { extendBase } from "../../../src/oci/image/extend-base.ts";
import { makeLayer } from "../../../src/oci/image/image.ts";
import { attach, pushImage } from "../../../src/oci/image/push-image.ts";
import { readBase } from "../../../src/oci/image/read-base.ts";
import { dockerArchive, writeLayout } from "../../../src/oci/image/write-layout.ts";
import { parseImageReference } from "../../../src/oci/registry/image-reference.ts";
import { RegistryClient } from "../../../src/oci/registry/registry-client.ts";
import { basePlatforms, pushBase } from "./base-image.ts";
import { findTool } from "./find-tool.ts";
import { startTokenRegistry } from "./token-service.ts";
import { registryProgram, startRegistry, type Registry } from "./start-registry.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const client = new RegistryClient({ credentialsOf: async () => undefined });
const addition = {
  layer: makeLayer([{ path: "app/main.mjs", body: Buffer.from("console.log(1);\n") }], new Date(0)),
  config: {
    User: "65532:65532",
    Entrypoint: ["node", "/app/main.mjs"],
    Env: ["PATH=/bin"],
    Labels: { of: "operator" },
  },
  created: new Date(0),
  createdBy: "test",
};

describe(`an image on a base (${registryProgram ?? "without docker-registry: in this process"})`, () => {
  const folder = temporaryFolder();
  const cache = openBlobCache(join(folder, "cache"));
  let registry: Registry;
  let base: string;
  let name: string;

  beforeAll(async () => {
    registry = await startRegistry();
    base = `${registry.host}/distroless/node:nonroot`;
    name = `${registry.host}/team/operator:v1`;
    await pushBase(base, client);
  });
  afterAll(async () => {
    await registry.stop();
  });
  const build = async () => extendBase(await readBase(base, { registry: client, cache }), addition);

  it("has the platforms of the base, and of its configuration what it does not replace", async () => {
    const digest = await pushImage(name, await build(), client);
    const reference = parseImageReference(name);
    expect(await client.resolveDigest(reference)).toBe(digest);
    const { manifests } = (await client.readManifest(reference)).manifest;
    expect(manifests!.map(({ platform }) => platform)).toEqual(basePlatforms);
    // The labels of bundles name no variants.
    expect(await client.platforms(reference)).toEqual(["linux/amd64", "linux/arm64"]);
    const { layers = [], config } = await client.manifest(reference);
    expect(layers).toHaveLength(2);
    expect(await client.config(reference, config!)).toMatchObject({
      architecture: "amd64",
      created: "1970-01-01T00:00:00.000Z",
      config: {
        User: "65532:65532",
        Entrypoint: ["node", "/app/main.mjs"],
        Env: ["SSL_CERT_FILE=/etc/ssl/certs", "PATH=/bin"],
        Labels: { of: "operator" },
      },
      history: [{ created_by: "base" }, { created_by: "test" }],
    });
    expect((await client.config(reference, config!)).config).not.toHaveProperty("Cmd");
  });

  it("takes layers of its base from the base's repository, and sends each blob once", async () => {
    const other = `${registry.host}/team/other:v1`;
    const image = await build();
    const read: string[] = [];
    const blobs = image.blobs.map((blob) => ({
      ...blob,
      read: () => {
        read.push(blob.descriptor.digest);
        return blob.read();
      },
    }));
    await pushImage(other, { ...image, blobs }, client);
    expect(read.toSorted()).toEqual(
      image.blobs.flatMap(({ origin, descriptor }) => (origin ? [] : [descriptor.digest])).toSorted(),
    );
    read.length = 0;
    await pushImage(other, { ...image, blobs }, client);
    expect(read).toEqual([]);
  });

  it("is built from the cache, with one request for the tag", async () => {
    await build();
    const asked: string[] = [];
    const proxy = createServer((incoming, outgoing) => {
      asked.push(`${incoming.method} ${incoming.url}`);
      const { method, url: path, headers } = incoming;
      const [host, port] = registry.host.split(":");
      const sent = request({ host, port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(sent);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const again = await readBase(base.replace(registry.host, host), { registry: client, cache });
    expect(again.platforms).toHaveLength(2);
    expect(asked).toEqual(["HEAD /v2/distroless/node/manifests/nonroot"]);
  });

  it("does not use a cached blob whose bytes have changed", async () => {
    const expected = (await build()).root.descriptor.digest;
    for (const file of readdirSync(join(folder, "cache"))) writeFileSync(join(folder, "cache", file), "damaged");
    expect((await build()).root.descriptor.digest).toBe(expected);
  });

  it("lists what is attached to it", async () => {
    const image = await build();
    await pushImage(name, image, client);
    const { descriptor } = image.root;
    const documents = ["application/a+json", "application/b+json"].map((type) => ({ type, text: `{"is":"${type}"}` }));
    for (const document of [...documents, documents[0]!]) await attach(name, descriptor, document, client);
    const found = await client.listReferrers(parseImageReference(name), descriptor.digest);
    expect(found.map(({ artifactType }) => artifactType)).toEqual(["application/b+json", "application/a+json"]);
  });

  it("is an OCI layout, whose blobs have the names of their digests", async () => {
    const image = await build();
    const layout = join(folder, "layout");
    await writeLayout(image, { folder: layout, name: "v1" }, realDisk());
    const index = JSON.parse(readFileSync(join(layout, "index.json"), "utf8"));
    expect(index.manifests).toEqual([
      { ...image.root.descriptor, annotations: { "org.opencontainers.image.ref.name": "v1" } },
    ]);
    const names = readdirSync(join(layout, "blobs/sha256"));
    expect(names.toSorted()).toEqual(
      [image.root, ...image.manifests, ...image.blobs].map(({ descriptor }) => descriptor.digest.slice(7)).toSorted(),
    );
  });

  it("is not written into a folder with other files", async () => {
    const writing = writeLayout(await build(), { folder: join(folder, "cache"), name: undefined }, realDisk());
    await expect(writing).rejects.toMatchObject({ code: "TSOP_IMAGE_FOLDER" });
  });

  it("is an archive for Docker, of the wanted platform", async () => {
    const { archive, platform } = await dockerArchive(await build(), { architecture: "arm64", name: "op:v1" });
    expect(platform).toBe("linux/arm64/v8");
    const files = new Map(readTar(archive).map(({ path, body }) => [path, Buffer.from(body)]));
    const [{ Config, RepoTags, Layers }] = JSON.parse(files.get("manifest.json")!.toString());
    expect(RepoTags).toEqual(["op:v1"]);
    expect(JSON.parse(files.get(Config)!.toString())).toMatchObject({ architecture: "arm64" });
    expect(Layers.map((path: string) => readTar(gunzipSync(files.get(path)!)).map((file) => file.path))).toEqual([
      ["etc/platform"],
      ["app/main.mjs"],
    ]);
  });

  const [skopeo, crane, umoci, oras] = ["skopeo", "crane", "umoci", "oras"].map(findTool);
  const unless = (tool: string | undefined): string => (tool ? "" : " (it is not installed)");
  const run = (program: string, ...args: string[]): string => execFileSync(program, args, { encoding: "utf8" });

  it.skipIf(!skopeo)(`is copied by skopeo from registry, layout and archive${unless(skopeo)}`, async () => {
    const image = await build();
    await pushImage(name, image, client);
    const [layout, tar, copy] = ["skopeo-layout", "skopeo.tar", "skopeo-copy"].map((path) => join(folder, path));
    await writeLayout(image, { folder: layout!, name: undefined }, realDisk());
    const { archive } = await dockerArchive(image, { architecture: "amd64", name: "example.com/op:v1" });
    writeFileSync(tar!, archive);
    for (const source of [`docker://${name}`, `oci:${layout}`]) {
      run(skopeo!, "--insecure-policy", "copy", "--all", "--src-tls-verify=false", source, `oci:${copy}`);
      const index = JSON.parse(readFileSync(join(copy!, "index.json"), "utf8"));
      expect(index.manifests[0].digest).toBe(image.root.descriptor.digest);
      rmSync(copy!, { recursive: true });
    }
    const inspected = JSON.parse(run(skopeo!, "inspect", "--config", `docker-archive:${tar}`));
    expect(inspected.config.Entrypoint).toEqual(["node", "/app/main.mjs"]);
  });

  it.skipIf(!crane)(`is valid for crane, on all platforms${unless(crane)}`, async () => {
    await pushImage(name, await build(), client);
    expect(run(crane!, "validate", "--remote", name)).toContain("PASS");
  });

  it.skipIf(!umoci)(`is unpacked by umoci${unless(umoci)}`, async () => {
    const { archive } = await dockerArchive(await build(), { architecture: "amd64", name: "v1" });
    const layout = join(folder, "umoci");
    for (const { path, body } of readTar(archive)) {
      const file = join(layout, path);
      await realDisk().makeFolder(join(file, ".."));
      writeFileSync(file, body);
    }
    run(umoci!, "unpack", "--rootless", "--image", `${layout}:v1`, join(folder, "unpacked"));
    expect(readFileSync(join(folder, "unpacked/rootfs/app/main.mjs"), "utf8")).toBe("console.log(1);\n");
  });

  it.skipIf(!oras)(`has referrers that oras discovers${unless(oras)}`, async () => {
    const image = await build();
    await pushImage(name, image, client);
    await attach(name, image.root.descriptor, { type: "application/c+json", text: "{}" }, client);
    const { referrers } = JSON.parse(run(oras!, "discover", "--plain-http", "--format", "json", name));
    expect(referrers.map((each: { artifactType: string }) => each.artifactType)).toContain("application/c+json");
  });
});

it.each([
  ["is taken from the base's repository with a token for both", Infinity, 3],
  ["is sent if the token is for the image's repository alone", 1, 5],
])("a layer %s", async (_, mostScopes, sent) => {
  const registry = await startTokenRegistry({ mostScopes });
  onTestFinished(() => registry.stop());
  const owner = new RegistryClient({ credentialsOf: async () => ({ username: "user", password: "secret" }) });
  const base = `${registry.host}/distroless/node:nonroot`;
  await pushBase(base, owner);
  const cache = { read: () => undefined, write: () => {} };
  const image = extendBase(await readBase(base, { registry: owner, cache }), addition);
  let count = 0;
  const blobs = image.blobs.map((blob) => ({
    ...blob,
    read: () => {
      count++;
      return blob.read();
    },
  }));
  await pushImage(`${registry.host}/team/operator:v1`, { ...image, blobs }, owner);
  expect(count).toBe(sent);
});
