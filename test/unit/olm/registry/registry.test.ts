import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { loadBundle } from "../../../../src/olm/bundle/load-bundle.ts";
import { renderBundle } from "../../../../src/olm/catalog/render-bundle.ts";
import { parseImageReference } from "../../../../src/oci/registry/image-reference.ts";
import { connectRegistry } from "../../../../src/oci/registry/connect-registry.ts";
import { contentOf, jsonContent } from "../../../../src/oci/registry/content.ts";
import { writeTar } from "../../../../src/files/tar.ts";
import { memoryIo, type MemoryIo } from "../../cli/memory-io.ts";
import { bundleOf } from "../bundle-case.ts";
import { startTokenRegistry } from "../../oci/token-service.ts";
import { registryProgram, selfSigned, startRegistry, type Registry } from "../../oci/start-registry.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const [operatorSdk, opm] = ["operator-sdk", "opm"]
  .map((name) => join(process.env["KUBEBUILDER_ASSETS"] ?? "", name))
  .map((path) => (existsSync(path) ? path : undefined));
const dockerfile = readFileSync(new URL("../recorded/bundles/scorecard/bundle.Dockerfile", import.meta.url), "utf8");

describe(`a registry (${registryProgram ?? "without docker-registry: in this process"})`, () => {
  let registry: Registry;
  let image: string;

  beforeAll(async () => {
    registry = await startRegistry();
    image = `${registry.host}/team/memcached-operator-bundle:v0.0.1`;
  });
  afterAll(() => registry.stop());

  it("accepts a bundle's image, which can be validated and scored from there", async () => {
    const io = bundleIo();
    expect(await main(["bundle", "build", "--push", image], io)).toBe(0);
    expect(io.out()).toMatch(/^127\.0\.0\.1:\d+\/team\/memcached-operator-bundle@sha256:[0-9a-f]{64}\n$/);
    const pulled = memoryIo();
    expect(await main(["bundle", "validate", image], pulled)).toBe(0);
    expect(await main(["bundle", "validate", io.out().trim()], pulled)).toBe(0);
    expect(await main(["scorecard", image, "-l", "suite=basic"], pulled)).toBe(0);
  });

  it("reports the platforms of the operator's images", async () => {
    await main(["bundle", "build", "--push", image], bundleIo());
    const operator = "registry.example.com/memcached-operator:v0.0.1";
    const files = [...bundleOf({})].map(
      ([path, text]) => [`/p/bundle/${path}`, text.replaceAll(operator, image)] as const,
    );
    const io = memoryIo({ files: Object.fromEntries(files) });
    expect(await main(["bundle", "validate", "./bundle", "--select-optional", "name=multiarch"], io)).toBe(1);
    expect(io.out()).toContain(
      `Error: Value linux/arm64: a label declares this platform, but these images do not support it: ${image}`,
    );
  });

  it("rejects external validators, which need a folder", async () => {
    await main(["bundle", "build", "--push", image], bundleIo());
    const io = memoryIo();
    expect(await main(["bundle", "validate", image, "--alpha-select-external", "/bin/true"], io)).toBe(2);
  });

  it("reports a missing image", async () => {
    const io = memoryIo();
    expect(await main(["bundle", "validate", `${registry.host}/team/none:v1`], io)).toBe(1);
    expect(io.err()).toContain("TSOP_IMAGE_NOT_FOUND");
  });

  it("reports a corrupt layer", async () => {
    const other = `${registry.host}/team/damaged:v1`;
    await main(["bundle", "build", "--push", other], bundleIo());
    const client = await connectRegistry({ env: {}, disk: memoryIo().disk });
    const [layer] = (await client.manifest(parseImageReference(other))).layers!;
    const file = blobFile(registry.folder, layer!.digest);
    const before = readFileSync(file);
    writeFileSync(file, before.subarray(0, before.length - 10));
    const io = memoryIo();
    expect(await main(["bundle", "validate", other], io)).toBe(1);
    expect(io.err()).toMatch(/TSOP_REGISTRY_(CORRUPT|UNREACHABLE)/);
    writeFileSync(file, before);
  });

  it.each([
    ["contains a path outside of the archive", gzipSync(withPath("../evil")), "points outside the archive"],
    [
      "is truncated",
      gzipSync(writeTar([{ path: "a", body: Buffer.alloc(2000) }], new Date(0)).subarray(0, 1024)),
      "the archive is truncated",
    ],
    ["is damaged", Buffer.concat([Buffer.from([0x1f, 0x8b]), randomBytes(100)]), "can't be unpacked"],
    ["is not an archive", Buffer.alloc(1024, 65), "it is not a tar archive"],
  ])("reports a layer that %s", async (_, layer, text) => {
    const name = `${registry.host}/team/strange:v1`;
    const reference = parseImageReference(name);
    const client = await connectRegistry({ env: {}, disk: memoryIo().disk });
    const config = contentOf("application/vnd.oci.image.config.v1+json", Buffer.from("{}"));
    const content = contentOf("application/vnd.oci.image.layer.v1.tar+gzip", layer);
    for (const blob of [config, content]) await client.putBlob(reference, blob);
    const mediaType = "application/vnd.oci.image.manifest.v1+json";
    const layers = [content.descriptor];
    await client.putManifest(
      reference,
      jsonContent(mediaType, { schemaVersion: 2, mediaType, config: config.descriptor, layers }),
    );
    const io = memoryIo();
    expect(await main(["bundle", "validate", name], io)).toBe(1);
    expect(io.err()).toContain(text);
    expect(io.err()).toContain("TSOP_IMAGE_LAYER");
  });

  describe("with password authentication", () => {
    let closed: Registry;
    beforeAll(async () => {
      closed = await startRegistry({ password: true });
    });
    afterAll(() => closed.stop());
    const push = (io: MemoryIo): Promise<number> => main(["bundle", "build", "--push", `${closed.host}/team/b:v1`], io);

    it.each([
      ["user:secret", 0, ""],
      ["user:wrong", 1, "TSOP_REGISTRY_DENIED"],
      [undefined, 1, "docker login"],
    ])("uses the login of docker login: %s", async (login, code, text) => {
      const auths = login === undefined ? {} : { [closed.host]: { auth: Buffer.from(login).toString("base64") } };
      const io = bundleIo({ "/p/docker/config.json": JSON.stringify({ auths }) }, { DOCKER_CONFIG: "/p/docker" });
      expect(await push(io)).toBe(code);
      expect(io.err()).toContain(text);
    });

    it("uses a credential helper, and reports its errors", async () => {
      const folder = temporaryFolder();
      const helper = (name: string, script: string): void => {
        writeFileSync(join(folder, `docker-credential-${name}`), `#!/bin/sh\n${script}\n`);
        chmodSync(join(folder, `docker-credential-${name}`), 0o755);
      };
      helper("good", `[ "$(cat)" = ${closed.host} ] && echo '{"Username":"user","Secret":"secret"}'`);
      helper("broken", "echo no keychain >&2; exit 3");
      helper("odd", "echo hello");
      const path = process.env["PATH"];
      process.env["PATH"] = `${folder}:${path}`;
      try {
        const withHelper = (name: string): MemoryIo =>
          bundleIo({ "/p/docker/config.json": JSON.stringify({ credsStore: name }) }, { DOCKER_CONFIG: "/p/docker" });
        expect(await push(withHelper("good"))).toBe(0);
        for (const [name, text] of [
          ["broken", "no keychain"],
          ["odd", "a Username and a Secret"],
          ["absent", "ENOENT"],
        ] as const) {
          const io = withHelper(name);
          expect(await push(io)).toBe(1);
          expect(io.err()).toContain(text);
        }
      } finally {
        process.env["PATH"] = path;
      }
    });
  });

  it("uses a token service", async () => {
    const tokens = await startTokenRegistry();
    try {
      const name = `${tokens.host}/team/b:v1`;
      const auths = { [tokens.host]: { username: "user", password: "secret" } };
      const files = { "/p/docker/config.json": JSON.stringify({ auths }) };
      const io = bundleIo(files, { DOCKER_CONFIG: "/p/docker" });
      expect(await main(["bundle", "build", "--push", name], io), io.err()).toBe(0);
      expect(await main(["bundle", "validate", name], io), io.err()).toBe(0);
      expect(new Set(tokens.asked)).toEqual(new Set(["repository:team/b:pull,push", "repository:team/b:pull"]));
      const nobody = bundleIo();
      expect(await main(["bundle", "validate", name], nobody)).toBe(1);
      expect(nobody.err()).toContain("TSOP_REGISTRY_DENIED");
    } finally {
      await tokens.stop();
    }
  });

  it("needs the certificate of its authority", async () => {
    const tls = selfSigned();
    const secure = await startRegistry({ tls });
    try {
      const name = `${secure.host}/team/b:v1`;
      const files = { "/p/ca.pem": tls.certificate, "/p/other.pem": selfSigned().certificate };
      const trusted = bundleIo(files);
      expect(await main(["bundle", "build", "--push", name, "--ca-file", "ca.pem"], trusted), trusted.err()).toBe(0);
      const untrusted = bundleIo(files);
      expect(await main(["bundle", "validate", name, "--ca-file", "other.pem"], untrusted)).toBe(1);
      expect(untrusted.err()).toContain("TSOP_REGISTRY_CERTIFICATE");
      const plain = bundleIo(files);
      expect(await main(["bundle", "validate", name], plain)).toBe(1);
      expect(plain.err()).toContain("TSOP_REGISTRY_TLS");
    } finally {
      await secure.stop();
    }
  });

  it.skipIf(!operatorSdk || !opm)(
    "holds an image that opm and operator-sdk accept (skipped if KUBEBUILDER_ASSETS lacks them)",
    async () => {
      const tls = selfSigned();
      const secure = await startRegistry({ tls });
      const folder = temporaryFolder();
      try {
        const name = `${secure.host}/team/b:v1`;
        const io = bundleIo({ "/p/ca.pem": tls.certificate });
        expect(await main(["bundle", "build", "--push", name, "--ca-file", "ca.pem"], io), io.err()).toBe(0);
        writeFileSync(join(folder, "ca.pem"), tls.certificate);
        // opm pulls only what a policy of its user allows.
        mkdirSync(join(folder, ".config/containers"), { recursive: true });
        const policy = { default: [{ type: "insecureAcceptAnything" }] };
        writeFileSync(join(folder, ".config/containers/policy.json"), JSON.stringify(policy));
        const env = { ...process.env, HOME: folder, SSL_CERT_FILE: join(folder, "ca.pem") };
        const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: folder, env });
        await run(operatorSdk!, "bundle", "validate", "--image-builder", "none", name);
        const rendered = JSON.parse((await run(opm!, "render", name)).stdout);
        const ours = renderBundle(loadBundle(bundleOf({ of: "scorecard" })), name);
        expect(rendered).toEqual(JSON.parse(JSON.stringify(ours)));
      } finally {
        await secure.stop();
      }
    },
  );

  it("is reported if unreachable", async () => {
    const gone = await startRegistry();
    await gone.stop();
    const io = memoryIo();
    expect(await main(["bundle", "validate", `${gone.host}/a:v1`], io)).toBe(1);
    expect(io.err()).toContain("TSOP_REGISTRY_UNREACHABLE");
  });
});

function bundleIo(more: Record<string, string> = {}, env: Record<string, string> = {}): MemoryIo {
  const files = Object.fromEntries(
    [...bundleOf({ of: "scorecard" })].map(([path, text]) => [`/p/bundle/${path}`, text]),
  );
  return { ...memoryIo({ files: { ...files, "/p/bundle.Dockerfile": dockerfile, ...more } }), env };
}

/** Returns a malicious archive with this path. */
function withPath(path: string): Buffer {
  const archive = writeTar([{ path: "a".repeat(path.length), body: Buffer.from("evil") }], new Date(0));
  archive.write(path, 0);
  const header = archive.subarray(0, 512);
  const sum = header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
  archive.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return archive;
}

function blobFile(folder: string, digest: string): string {
  const hex = digest.slice("sha256:".length);
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
  return paths.find((path) => path.includes(`blobs/sha256/${hex.slice(0, 2)}/${hex}/data`) && statSync(path).isFile())!;
}
