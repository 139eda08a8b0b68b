import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { memoryDisk } from "../../../../src/files/memory-disk.ts";
import { buildBundleImage } from "../../../../src/olm/registry/bundle-image.ts";
import { pullBundle } from "../../../../src/olm/registry/pull-bundle.ts";
import { RegistryClient } from "../../../../src/oci/registry/registry-client.ts";
import { readTar, writeTar } from "../../../../src/files/tar.ts";
import { bundleOf } from "../bundle-case.ts";
import { serveBlobs, serveLayers, type ImageServer } from "./serve-image.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

describe("the image of a bundle", () => {
  it("equals the image of docker build: media types, configuration and layers", async () => {
    const files = [...bundleOf({ of: "scorecard" })].map(([path, text]) => [`/p/bundle/${path}`, text] as const);
    const dockerfile = read("../recorded/bundles/scorecard/bundle.Dockerfile");
    const disk = memoryDisk({ ...Object.fromEntries(files), "/p/bundle.Dockerfile": dockerfile });
    const image = await buildBundleImage({ root: "/p", folder: "bundle", dockerfile: "bundle.Dockerfile" }, disk);
    const bytes = async (content: (typeof image)["root"]) => Buffer.from(await content.read());
    const manifest = JSON.parse((await bytes(image.root)).toString());
    const [config, ...layers] = await Promise.all(image.blobs.map(bytes));
    const { os, architecture, config: settings, history } = JSON.parse(config!.toString("utf8"));
    expect({
      manifest: {
        schemaVersion: manifest.schemaVersion,
        mediaType: manifest.mediaType,
        config: manifest.config.mediaType,
        layers: manifest.layers.map(({ mediaType }: { mediaType: string }) => mediaType),
      },
      platform: `${os}/${architecture}`,
      config: settings,
      history: history.map(({ created_by, empty_layer = false }: any) => ({ created_by, empty_layer })),
      layers: layers.map((layer) => describeTar(gunzipSync(layer))),
    }).toEqual(JSON.parse(read("../recorded/docker-image.json")));
  });

  const mebibytes = (path: string, count: number): Buffer =>
    writeTar([{ path, body: Buffer.alloc(count << 20) }], new Date(0));
  const files = (folder: string, count: number): Buffer =>
    writeTar(
      Array.from({ length: count }, (_, at) => ({ path: `${folder}/${at}`, body: Buffer.alloc(0) })),
      new Date(0),
    );

  it.each([
    [
      "packed layers that unpack to too much",
      [gzipSync(mebibytes("a", 33)), gzipSync(mebibytes("b", 33))],
      "larger than",
    ],
    ["layers that are too large together", [gzipSync(mebibytes("a", 33)), mebibytes("b", 33)], "the layers are larger"],
    ["a path outside of the archive", [writeTar([{ path: "../evil", body: Buffer.alloc(0) }], new Date(0))], "outside"],
    ["too many files in its layers", [files("a", 5_000), files("b", 5_000)], "too many entries"],
  ])("is rejected with %s", async (_, layers, reason) => {
    const pulled = pull(await serveLayers(layers));
    await expect(pulled).rejects.toMatchObject({ code: "TSOP_IMAGE_LAYER", message: expect.stringContaining(reason) });
  });

  // The server lacks the layer, so that a request for it fails.
  it.each([
    ["is downloaded if its layers have 64 MiB", 64 << 20, "TSOP_REGISTRY_REFUSED"],
    ["is not downloaded if its layers have a byte more", (64 << 20) + 1, "TSOP_IMAGE_LAYER"],
  ])("%s", async (_, size, code) => {
    const layer = { mediaType: "layer", digest: `sha256:${"0".repeat(64)}`, size };
    const pulled = pull(await serveBlobs({ manifest: { mediaType: "manifest", layers: [layer] }, blobs: [] }));
    await expect(pulled).rejects.toMatchObject({ code });
  });
});

async function pull(server: ImageServer): Promise<unknown> {
  try {
    const registry = new RegistryClient({ plainHttp: true, credentialsOf: async () => undefined });
    return await pullBundle(`${server.host}/team/large:v1`, registry);
  } finally {
    server.close();
  }
}

describe("an archive", () => {
  it.each([
    ["a name of more than 100 characters", `manifests/${"n".repeat(120)}.yaml`],
    ["a folder name that makes room for it", `${"f".repeat(90)}/${"n".repeat(90)}.yaml`],
    ["more than 255 characters", `${"f".repeat(200)}/${"n".repeat(200)}.yaml`],
    ["characters of other alphabets", `manifests/${"ø".repeat(80)}.yaml`],
  ])("keeps a path with %s", (_, path) => {
    const entries = [
      { path, body: Buffer.from("a: 1\n") },
      { path: "next", body: Buffer.from("b") },
    ];
    expect(readTar(writeTar(entries, new Date(0)))).toEqual(entries);
  });

  it("has no path longer than Linux allows", () => {
    const entries = [{ path: "f/".repeat(2_048) + "a", body: Buffer.alloc(0) }];
    expect(() => readTar(writeTar(entries, new Date(0)))).toThrow("a path is longer than 4096 characters");
  });

  it.each(["-0001000", "1x"])("is damaged if the size of an entry is %s", (size) => {
    const archive = writeTar([{ path: "a", body: Buffer.from("b") }], new Date(0));
    const header = archive.subarray(0, 512);
    header.write(size.padEnd(12, "\0"), 124);
    header.fill(" ", 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    expect(() => readTar(archive)).toThrow("it is not a tar archive, or it is damaged");
  });
});

/** Describes each entry as recorded: mode, owner and group, size and path. */
function describeTar(archive: Buffer): string[] {
  const entries: string[] = [];
  const text = (at: number, length: number): string => archive.toString("utf8", at, at + length).replace(/\0.*/s, "");
  for (let at = 0; archive[at] !== 0;) {
    const start = at;
    const field = (offset: number, length: number): number => Number.parseInt(text(start + offset, length), 8);
    const size = field(124, 12);
    entries.push(`${field(100, 8).toString(8)} ${field(108, 8)}:${field(116, 8)} ${size} ${text(at, 100)}`);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}
