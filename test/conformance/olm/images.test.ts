import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import {
  CatalogSourceKind,
  CsvKind,
  OperatorGroupKind,
  SubscriptionKind,
} from "../../../src/client/manifests/olm-kinds.ts";
import { connectRegistry } from "../../../src/oci/registry/connect-registry.ts";
import { freePorts } from "../../../src/sandbox/webhooks/webhook-endpoint.ts";
import { NamespaceKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { registryProgram, selfSigned, startRegistry, type Registry } from "../../unit/oci/start-registry.ts";
import { memoryIo } from "../../unit/cli/memory-io.ts";
import { pushBundle } from "./push-bundle.ts";
import { startRealOlm, type RealOlm } from "./real-olm.ts";
import { bundleWithImage } from "./tool-scenarios.ts";

const assets = process.env["KUBEBUILDER_ASSETS"];
const programs = process.env["TSOP_OLM"];

// Needs a real OLM (see olm.test.ts) and a registry.
describe.skipIf(!assets || !programs || !registryProgram)("bundles of a private registry on a cluster", () => {
  const folder = mkdtempSync(join(tmpdir(), "tsop-images-"));
  const caFile = join(folder, "ca.pem");
  let registry: Registry;
  let olm: RealOlm;

  beforeAll(async () => {
    const tls = selfSigned();
    writeFileSync(caFile, tls.certificate);
    registry = await startRegistry({ password: true, tls });
    const auths = { [registry.host]: { auth: Buffer.from("user:secret").toString("base64") } };
    mkdirSync(join(folder, "docker"));
    writeFileSync(join(folder, "docker/config.json"), JSON.stringify({ auths }));
    olm = await startRealOlm({ assets: assets!, programs: programs!, caFile });
  });
  afterAll(async () => {
    await olm?.stop();
    await registry.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("are installed with the pull secret, upgraded and removed", async () => {
    const namespace = await createNamespace("private");
    const first = await push("private", "0.1.0");
    const installed = await tsop(namespace, "run", "bundle", first, "--pull-secret-name", "login", "--ca-file", caFile);
    expect(installed).toEqual({ code: 0, out: "thing.v0.1.0 is installed\n", err: expect.anything() });
    const second = await push("private", "0.2.0");
    const upgraded = await tsop(namespace, "run", "bundle-upgrade", second, "--ca-file", caFile);
    expect(upgraded).toEqual({ code: 0, out: "thing.v0.2.0 is installed\n", err: expect.anything() });
    const { items } = await olm.client.list(CsvKind, { namespace });
    expect(items.map(({ metadata }) => metadata.name)).toContain("thing.v0.2.0");
    expect(await tsop(namespace, "cleanup", "thing", "--yes")).toMatchObject({ code: 0 });
    expect((await olm.client.list(CsvKind, { namespace })).items).toEqual([]);
  });

  it("are installed and upgraded from the catalog that tsop writes of them", async () => {
    const namespace = await createNamespace("catalog");
    const images = [await push("catalog", "0.1.0"), await push("catalog", "0.2.0")];
    const written = await run("bundle", "catalog", ...images, "--ca-file", caFile, "--output-dir", "catalog");
    expect(written).toMatchObject({ code: 0 });
    const [port = 0] = await freePorts(1);
    const opm = spawn(
      join(assets!, "opm"),
      ["serve", join(folder, "catalog"), "-p", String(port), "--pprof-addr", ""],
      {
        env: { ...process.env, HOME: folder },
        stdio: "ignore",
      },
    );
    try {
      const secrets = ["login"];
      const spec = { sourceType: "grpc", address: `127.0.0.1:${port}`, secrets };
      await olm.client.create(CatalogSourceKind, { metadata: { name: "thing", namespace }, spec });
      await olm.client.create(OperatorGroupKind, {
        metadata: { name: "own", namespace },
        spec: { targetNamespaces: [namespace] },
      });
      const subscription = { name: "thing", source: "thing", sourceNamespace: namespace, channel: "alpha" };
      await olm.client.create(SubscriptionKind, {
        metadata: { name: "thing", namespace },
        spec: { ...subscription, startingCSV: "thing.v0.1.0" },
      });
      const phases = async () =>
        (await olm.client.list(CsvKind, { namespace })).items.map(({ metadata, status }) => [
          metadata.name,
          status?.phase,
        ]);
      await expect.poll(phases, { timeout: 120_000, interval: 200 }).toEqual([["thing.v0.2.0", "Succeeded"]]);
      expect(await tsop(namespace, "cleanup", "thing", "--yes")).toMatchObject({ code: 0 });
      expect(await phases()).toEqual([]);
    } finally {
      opm.kill("SIGKILL");
      await new Promise((resolve) => opm.once("close", resolve));
    }
  });

  it("are not pulled without the secret, and the error quotes the node", async () => {
    const namespace = await createNamespace("refused");
    const image = await push("refused", "0.1.0");
    const { code, err } = await tsop(namespace, "run", "bundle", image, "--ca-file", caFile, "--timeout", "15s");
    expect(code).toBe(1);
    expect(err).toContain("BundleUnpacking");
    expect(err).toMatch(/container pull: ErrImagePull: the registry/);
    expect(await tsop(namespace, "cleanup", "thing", "--yes")).toMatchObject({ code: 0 });
  });

  it("are not read without the registry's authority, and nothing is created", async () => {
    const namespace = await createNamespace("untrusted");
    const image = await push("untrusted", "0.1.0");
    const { code, err } = await tsop(namespace, "run", "bundle", image);
    expect(code).toBe(1);
    expect(err).toContain("expects TLS");
    expect(err).toContain("--ca-file");
    const sources = await olm.client.kindFor("operators.coreos.com/v1alpha1", "CatalogSource");
    expect((await olm.client.list(sources, { namespace })).items).toEqual([]);
  });

  async function createNamespace(scenario: string): Promise<string> {
    const namespace = `image-${scenario}`;
    await olm.client.create(NamespaceKind, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const secret = await olm.client.kindFor("v1", "Secret");
    const config = await realDisk().read(join(folder, "docker/config.json"));
    await olm.client.create(secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "login", namespace },
      type: "kubernetes.io/dockerconfigjson",
      stringData: { ".dockerconfigjson": config },
    });
    return namespace;
  }

  async function push(scenario: string, version: string): Promise<string> {
    const bundle = bundleWithImage(scenario, registry.host, { version });
    const env = { DOCKER_CONFIG: join(folder, "docker") };
    await pushBundle(bundle, await connectRegistry({ env, caFile, disk: realDisk() }));
    return bundle.image;
  }

  function tsop(namespace: string, ...args: string[]): ReturnType<typeof run> {
    return run(...args, "--namespace", namespace);
  }

  async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const env = { DOCKER_CONFIG: join(folder, "docker"), KUBECONFIG: olm.kubeconfig };
    const io = { ...memoryIo(), cwd: folder, env, disk: realDisk() };
    const cluster = args[1] === "bundle" ? ["--kubeconfig", olm.kubeconfig] : [];
    const agreed = args[0] === "run" ? ["--yes"] : [];
    const code = await main([...args, ...cluster, ...agreed], io);
    return { code, out: io.out(), err: io.err() };
  }
});
