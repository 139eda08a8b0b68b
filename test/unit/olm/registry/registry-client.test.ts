import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { findCredentials } from "../../../../src/olm/registry/docker-credentials.ts";
import { parseImageReference } from "../../../../src/olm/registry/image-reference.ts";
import { digestOf, RegistryClient } from "../../../../src/olm/registry/registry-client.ts";
import { startRegistry, type Registry } from "./start-registry.ts";

const types = "application/vnd.oci.image";
const client = new RegistryClient({ credentialsOf: async () => undefined });
const config = Buffer.from('{"os":"linux","architecture":"arm64"}');

let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const image = (reference: string) => parseImageReference(`${registry.host}/team/operator${reference}`);

/** Pushes an image without layers; returns its digest. */
async function pushImage(reference: string, body = config): Promise<string> {
  await client.putBlob(image(reference), body);
  const descriptor = { mediaType: `${types}.config.v1+json`, digest: digestOf(body), size: body.length };
  const manifest = { schemaVersion: 2, mediaType: `${types}.manifest.v1+json`, config: descriptor, layers: [] };
  return client.putManifest(image(reference), manifest);
}

it("reads the image for linux/amd64 of an index, and otherwise the first", async () => {
  const digests = [await pushImage(":arm"), await pushImage(":amd", Buffer.from('{"architecture":"amd64"}'))];
  const manifests = ["arm64", "amd64"].map((architecture, index) => ({
    mediaType: `${types}.manifest.v1+json`,
    digest: digests[index]!,
    size: 1,
    platform: { os: "linux", architecture },
  }));
  const index = { schemaVersion: 2, mediaType: `${types}.index.v1+json` };
  await client.putManifest(image(":all"), { ...index, manifests });
  await client.putManifest(image(":other"), { ...index, manifests: manifests.slice(0, 1) });
  expect(await client.manifest(image(":all"))).toEqual(await client.manifest(image(`@${digests[1]}`)));
  expect(await client.manifest(image(":other"))).toEqual(await client.manifest(image(`@${digests[0]}`)));
});

it("refuses an index in which an image has no valid digest", async () => {
  const manifest = { schemaVersion: 2, manifests: [{ digest: "../../admin/shutdown" }] };
  const asked: (string | undefined)[] = [];
  const host = await serve((url) => {
    asked.push(url);
    return manifest;
  });
  const answer = client.manifest(parseImageReference(`${host}/team/operator:v1`));
  await expect(answer).rejects.toMatchObject({ code: "TSOP_REGISTRY_REFUSED" });
  expect(asked).toEqual(["/v2/team/operator/manifests/v1"]);
});

it("refuses a manifest with another digest than the requested one", async () => {
  const host = await serve(() => ({ schemaVersion: 2 }));
  const answer = client.manifest(parseImageReference(`${host}/team/operator@sha256:${"0".repeat(64)}`));
  await expect(answer).rejects.toMatchObject({ code: "TSOP_REGISTRY_CORRUPT" });
});

it("returns the digest in the name of an image without a request", async () => {
  const digest = `sha256:${"1".repeat(64)}`;
  expect(await client.resolveDigest(parseImageReference(`127.0.0.1:1/team/operator@${digest}`))).toBe(digest);
});

it("uploads no bytes that the registry has", async () => {
  const methods: (string | undefined)[] = [];
  const host = await serve((_url, method) => {
    methods.push(method);
    return {};
  });
  await client.putBlob(parseImageReference(`${host}/team/operator:v1`), config);
  expect(methods).toEqual(["HEAD"]);
});

it("looks into the configuration if a credential helper has nothing for a registry", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tsop-helper-"));
  const helper = join(folder, "docker-credential-empty");
  writeFileSync(helper, "#!/bin/sh\necho credentials not found in native keychain; exit 1\n");
  chmodSync(helper, 0o755);
  const path = process.env["PATH"];
  process.env["PATH"] = `${folder}:${path}`;
  try {
    const settings = {
      credsStore: "empty",
      auths: { "registry.example.com": { username: "user", password: "secret" } },
    };
    const found = await findCredentials("registry.example.com", settings);
    expect(found).toEqual({ username: "user", password: "secret" });
    expect(await findCredentials("other.example.com", settings)).toBeUndefined();
  } finally {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true });
  }
});

/** Serves JSON until the test ends; returns the address. */
async function serve(answer: (url: string | undefined, method: string | undefined) => unknown): Promise<string> {
  const server = createServer(({ url, method }, response) => response.end(JSON.stringify(answer(url, method))));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
