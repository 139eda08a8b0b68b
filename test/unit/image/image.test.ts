import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { readTarMembers } from "../../../src/files/tar.ts";
import { attach } from "../../../src/oci/image/push-image.ts";
import { parseImageReference } from "../../../src/oci/registry/image-reference.ts";
import { RegistryClient } from "../../../src/oci/registry/registry-client.ts";
import { pushBase } from "../oci/base-image.ts";
import { startRegistry, type Registry } from "../oci/start-registry.ts";
import { commitAll, integrity, machineIo, readJson, smallProject, writeProject } from "./small-project.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const client = new RegistryClient({ credentialsOf: async () => undefined });
const hasCosign = spawnSync("cosign", ["version"]).status === 0;
const digest = /sha256:[0-9a-f]{64}/;

describe.skipIf(process.platform === "win32")("tsop image", () => {
  const folder = temporaryFolder();
  const cache = join(folder, "cache");
  let registry: Registry;
  let files: Record<string, string>;

  beforeAll(async () => {
    registry = await startRegistry();
    const base = `${registry.host}/distroless/node:nonroot`;
    await pushBase(base, client);
    files = smallProject(base);
  });
  afterAll(async () => {
    await registry.stop();
  });

  /** Creates a project in a folder of its own. */
  function project(name: string, changed: Readonly<Record<string, string>> = {}): string {
    const path = join(folder, name);
    mkdirSync(path);
    writeProject(path, { ...files, ...changed });
    return path;
  }

  async function tsop(cwd: string, args: readonly string[], umask?: string) {
    const io = machineIo(cwd, { cache, ...(umask && { umask }) });
    const code = await main([...args], io);
    return { code, out: io.out(), err: io.err() };
  }

  it("build makes the same image in another folder and under another umask", async () => {
    const first = await tsop(project("one"), ["image", "build"]);
    const second = await tsop(project("an other"), ["image", "build"], "077");
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(digest) });
    expect(second.out).toBe(first.out);
  });

  it("build pushes the image of the Dockerfile, with the licenses of what is in it", async () => {
    const name = `${registry.host}/team/operator:v1`;
    const { out, err } = await tsop(project("pushed"), ["image", "build", "--push", name]);
    expect(out, err).toMatch(/^127\.0\.0\.1:\d+\/team\/operator@sha256:[0-9a-f]{64}\n$/);
    expect(err).toContain("for linux/amd64, linux/arm64/v8");
    const reference = parseImageReference(name);
    const { config: descriptor, layers = [] } = await client.manifest(reference);
    const { config } = await client.config(reference, descriptor!);
    expect(config).toMatchObject({
      User: "65532:65532",
      WorkingDir: "/app",
      Entrypoint: ["/nodejs/bin/node", "/app/main.mjs"],
      Labels: { name: "small-operator", vendor: "A Team", "org.opencontainers.image.licenses": "Apache-2.0" },
    });
    const members = readTarMembers(gunzipSync(await client.blob(reference, layers.at(-1)!)));
    expect(members.map(({ path }) => path)).toEqual([
      "app/",
      "app/main.mjs",
      "app/main.mjs.map",
      "licenses/",
      "licenses/@team/",
      "licenses/@team/greeting@1.2.3/",
      "licenses/@team/greeting@1.2.3/LICENSE.md",
      "licenses/LICENSE",
      "licenses/words@1.2.3/",
      "licenses/words@1.2.3/LICENSE.md",
    ]);
  });

  it("build leaves out files of earlier builds", async () => {
    const path = project("stale");
    const { out } = await tsop(path, ["image", "build"]);
    writeFileSync(join(path, "bin/chunk-OLD.mjs"), "old");
    expect((await tsop(path, ["image", "build"])).out).toBe(out);
  });

  it("build writes what is in the bundle as CycloneDX and SPDX", async () => {
    const path = project("sbom");
    for (const file of ["sbom.json", "sbom.spdx.json"])
      expect(await tsop(path, ["image", "build", "--sbom", file])).toMatchObject({ code: 0 });
    const hash = Buffer.alloc(64, 7).toString("hex");
    const cyclonedx = readJson(join(path, "sbom.json"));
    expect(cyclonedx.components).toEqual([
      {
        type: "library",
        "bom-ref": "@team/greeting@1.2.3",
        name: "@team/greeting",
        version: "1.2.3",
        licenses: [{ expression: "MIT" }],
        scope: "required",
        hashes: [{ alg: "SHA-512", content: hash }],
        purl: "pkg:npm/%40team/greeting@1.2.3",
      },
      expect.objectContaining({ name: "words", licenses: [{ expression: "(MIT OR Apache-2.0)" }] }),
    ]);
    expect(cyclonedx.dependencies).toEqual([
      { ref: "small-operator@0.0.1", dependsOn: ["@team/greeting@1.2.3"] },
      { ref: "@team/greeting@1.2.3", dependsOn: ["words@1.2.3"] },
      { ref: "words@1.2.3", dependsOn: [] },
    ]);
    const spdx = readJson(join(path, "sbom.spdx.json"));
    expect(spdx.packages.map(({ name, checksums }: any) => [name, checksums?.[0].checksumValue])).toEqual([
      ["small-operator", undefined],
      ["@team/greeting", hash],
      ["words", hash],
    ]);
    expect(spdx.packages[1].downloadLocation).toBe("https://registry.example.com/@team/greeting.tgz");
    expect(integrity).toMatch(/^sha512-/);
  });

  it.each([
    ["a package that the lock file does not have", { "package-lock.json": '{"packages":{}}' }, "TSOP_IMAGE_LOCK"],
    ["a build that fails", { "main.ts": "import './absent.ts';\n" }, "absent.ts"],
    [
      "a build without esbuild",
      { "package.json": '{"name":"a","version":"1.0.0","scripts":{"build":"true"}}' },
      "--metafile",
    ],
    ["no Dockerfile that it can follow", { Dockerfile: "FROM a\nRUN b\n" }, "line 2: RUN b"],
  ])("build refuses %s", async (what, changed, text) => {
    const { code, err } = await tsop(project(what, changed), ["image", "build"]);
    expect(code).toBe(1);
    expect(err).toContain(text);
  });

  it("build names a license only if package.json does so in words", async () => {
    const words = files["node_modules/words/package.json"]!;
    const old = { ...JSON.parse(words), license: { type: "MIT", url: "https://example.com" } };
    const path = project("old license", { "node_modules/words/package.json": JSON.stringify(old) });
    expect(await tsop(path, ["image", "build", "--sbom", "sbom.json"])).toMatchObject({ code: 0 });
    expect(readJson(join(path, "sbom.json")).components[1]).not.toHaveProperty("licenses");
  });

  it.each([
    [["--sign"], 2, "--sign needs --push"],
    [["--output", "tar:x"], 1, "TSOP_IMAGE_OUTPUT"],
    [["--tag", "Not An Image"], 1, "TSOP_IMAGE_REFERENCE"],
  ])("build refuses %j before it does anything", async (args, code, text) => {
    const path = project(text);
    const result = await tsop(path, ["image", "build", ...args]);
    expect(result).toMatchObject({ code, err: expect.stringContaining(text) });
    expect(existsSync(join(path, "bin"))).toBe(false);
  });

  it("build takes its time from SOURCE_DATE_EPOCH", async () => {
    const io = machineIo(project("dated"), { cache });
    const env = { ...io.env, SOURCE_DATE_EPOCH: "1700000000" };
    const name = `${registry.host}/team/dated:v1`;
    expect(await main(["image", "build", "--push", name], { ...io, env }), io.err()).toBe(0);
    const reference = parseImageReference(name);
    const { config } = await client.manifest(reference);
    expect((await client.config(reference, config!)).created).toBe("2023-11-14T22:13:20.000Z");
  });

  it("build warns of an image that runs as root", async () => {
    const dockerfile = files["Dockerfile"]!.replace(/USER.*\n/, "");
    const { err } = await tsop(project("root", { Dockerfile: dockerfile }), ["image", "build"]);
    expect(err).toContain("warning: the image runs as 0");
  });

  it.skipIf(hasCosign)(
    `build does not sign without cosign, and says so${hasCosign ? " (it is installed)" : ""}`,
    async () => {
      const name = `${registry.host}/team/signed:v1`;
      const { code, err } = await tsop(project("signed"), ["image", "build", "--push", name, "--sign"]);
      expect(code).toBe(1);
      expect(err).toMatch(/pushed, but not signed.*cosign sign failed/);
    },
  );

  describe("verify", () => {
    // npm ci installs nothing, so that it needs no registry of packages.
    const alone = {
      "main.ts": 'console.log("hello");\n',
      "package-lock.json": JSON.stringify({ lockfileVersion: 3, packages: { "": { name: "small-operator" } } }),
      ".gitignore": "node_modules/\nbin/\n",
    };
    const published = async (path: string, name: string) => {
      const image = `${registry.host}/team/${name}:v1`;
      expect(await tsop(path, ["image", "build", "--push", image])).toMatchObject({ code: 0 });
      return image;
    };

    it("accepts an image that a clean checkout gives again", async () => {
      const path = project("clean", alone);
      commitAll(path);
      const image = await published(path, "clean");
      writeFileSync(join(path, "main.ts"), 'console.log("a change of today");\n');
      const { code, out, err } = await tsop(path, ["image", "verify", image]);
      expect(code, err).toBe(0);
      expect(err).toContain("ok      a clean checkout gives the same image");
      expect(out).toMatch(digest);
    });

    it("rejects an image of files that were not committed", async () => {
      const path = project("changed", alone);
      commitAll(path);
      writeFileSync(join(path, "main.ts"), 'console.log("changed");\n');
      const { code, err } = await tsop(path, ["image", "verify", await published(path, "changed")]);
      expect(code).toBe(1);
      expect(err).toContain("it was built from files that were not committed");
    });

    it("rejects an image whose bill of materials is another one's", async () => {
      const path = project("foreign");
      const image = await published(path, "foreign");
      const { digest, body } = await client.readManifest(parseImageReference(image));
      const subject = { mediaType: "application/vnd.oci.image.index.v1+json", digest, size: body.length };
      const files = [{ type: "file", name: "/app/main.mjs", hashes: [{ alg: "SHA-256", content: "0" }] }];
      const text = JSON.stringify({ metadata: { component: { components: files } }, components: [] });
      await attach(image, subject, { type: "application/vnd.cyclonedx+json", text }, client);
      const { code, err } = await tsop(path, ["image", "verify", image, "--no-rebuild"]);
      expect(code).toBe(1);
      expect(err).toContain("it differs in app/main.mjs, app/main.mjs.map");
      expect(err).toContain("it lacks words, @team/greeting");
      expect(err).toContain("2 of 4 rules failed");
    });

    it.each([
      ["a document that is not JSON", "{", "in JSON at position 1"],
      ["a document of another shape", '{"components":5}', "components must be a list, not a number"],
    ])("rejects an image with %s", async (_, text, reason) => {
      const image = await published(project(reason), `damaged-${text.length}`);
      const { digest, body } = await client.readManifest(parseImageReference(image));
      const subject = { mediaType: "application/vnd.oci.image.index.v1+json", digest, size: body.length };
      await attach(image, subject, { type: "application/vnd.cyclonedx+json", text }, client);
      const { code, err } = await tsop(folder, ["image", "verify", image, "--no-rebuild"]);
      expect(code).toBe(1);
      expect(err).toContain(reason);
    });

    it("rejects an image without documents", async () => {
      const image = `${registry.host}/distroless/node:nonroot`;
      const { code, err } = await tsop(project("bare"), ["image", "verify", image, "--no-rebuild"]);
      expect(code).toBe(1);
      expect(err).toContain("no bill of materials is attached");
      expect(err).toContain("no provenance is attached");
    });
  });
});
