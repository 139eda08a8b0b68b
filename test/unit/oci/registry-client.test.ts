import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { findCredentials } from "../../../src/oci/registry/docker-credentials.ts";
import { parseImageReference } from "../../../src/oci/registry/image-reference.ts";
import { memoryDisk } from "../../../src/files/memory-disk.ts";
import { findLogin } from "../../../src/oci/registry/connect-registry.ts";
import { contentOf, jsonContent } from "../../../src/oci/registry/content.ts";
import { RegistryClient } from "../../../src/oci/registry/registry-client.ts";
import { startRegistry, type Registry } from "./start-registry.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

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
  const blob = contentOf(`${types}.config.v1+json`, body);
  await client.putBlob(image(reference), blob);
  const mediaType = `${types}.manifest.v1+json`;
  const manifest = jsonContent(mediaType, { schemaVersion: 2, mediaType, config: blob.descriptor, layers: [] });
  await client.putManifest(image(reference), manifest);
  return manifest.descriptor.digest;
}

it("reads the image for linux/amd64 of an index, and otherwise the first", async () => {
  const digests = [await pushImage(":arm"), await pushImage(":amd", Buffer.from('{"architecture":"amd64"}'))];
  const manifests = ["arm64", "amd64"].map((architecture, index) => ({
    mediaType: `${types}.manifest.v1+json`,
    digest: digests[index]!,
    size: 1,
    platform: { os: "linux", architecture },
  }));
  const mediaType = `${types}.index.v1+json`;
  const index = (list: typeof manifests) => jsonContent(mediaType, { schemaVersion: 2, mediaType, manifests: list });
  await client.putManifest(image(":all"), index(manifests));
  await client.putManifest(image(":other"), index(manifests.slice(0, 1)));
  expect(await client.manifest(image(":all"))).toEqual(await client.manifest(image(`@${digests[1]}`)));
  expect(await client.manifest(image(":other"))).toEqual(await client.manifest(image(`@${digests[0]}`)));
});

it("rejects an index in which an image has no valid digest", async () => {
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

it("rejects a manifest whose digest differs from the requested one", async () => {
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
  await client.putBlob(parseImageReference(`${host}/team/operator:v1`), contentOf("config", config));
  expect(methods).toEqual(["HEAD"]);
});

it("reads the configuration if a credential helper has no entry for a registry", async () => {
  const folder = temporaryFolder();
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
  }
});

it("uses plain HTTP only for the registries that are meant", async () => {
  const asked: unknown[] = [];
  const served = await serve((url) => ({ asked: asked.push(url) }));
  const host = served.replace("127.0.0.1", "0.0.0.0");
  const ask = (plainHosts?: readonly string[]) =>
    new RegistryClient({ plainHttp: true, plainHosts, credentialsOf: async () => undefined }).readManifest(
      parseImageReference(`${host}/team/operator:v1`),
    );
  await ask();
  await ask([host]);
  expect(asked).toHaveLength(2);
  await expect(ask(["other.example.com"])).rejects.toMatchObject({ code: "TSOP_REGISTRY_UNREACHABLE" });
  expect(asked).toHaveLength(2);
});

/** Serves JSON until the test ends; returns the address. */
it("finds the login of podman if Docker's file has none for the registry", async () => {
  const login = (name: string) => ({ username: name, password: "secret" });
  const file = (auths: object) => JSON.stringify({ auths });
  const disk = memoryDisk({
    "/home/me/.docker/config.json": file({ "a.example.com": login("docker") }),
    "/run/me/containers/auth.json": file({ "a.example.com": login("podman"), "b.example.com": login("podman") }),
    "/home/me/.config/containers/auth.json": file({ "c.example.com": login("podman on macOS") }),
    "/elsewhere.json": file({ "c.example.com": login("named") }),
  });
  const env = { HOME: "/home/me", XDG_RUNTIME_DIR: "/run/me" };
  const users = async (env: Record<string, string>) => {
    const hosts = ["a.example.com", "b.example.com", "c.example.com", "d.example.com"];
    const found = hosts.map((host) => findLogin(host, { env, disk }));
    return (await Promise.all(found)).map((each) => each && "username" in each && each.username);
  };
  expect(await users(env)).toEqual(["docker", "podman", "podman on macOS", undefined]);
  expect(await users({ ...env, REGISTRY_AUTH_FILE: "/elsewhere.json" })).toEqual([
    undefined,
    undefined,
    "named",
    undefined,
  ]);
});

async function serve(answer: (url: string | undefined, method: string | undefined) => unknown): Promise<string> {
  const server = createServer(({ url, method }, response) => response.end(JSON.stringify(answer(url, method))));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
