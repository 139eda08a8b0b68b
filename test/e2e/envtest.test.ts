import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { oid, sequence, set, utf8 } from "../../src/apimachinery/certificates/der.ts";
import { distinguishedName } from "../../src/apimachinery/certificates/distinguished-name.ts";
import {
  createAuthority,
  issueServerCertificate,
  type Certificate,
} from "../../src/apimachinery/certificates/issue-certificates.ts";
import { clientAuth, signCertificate } from "../../src/apimachinery/certificates/sign-certificate.ts";
import { isAlive } from "../../src/files/is-alive.ts";
import { readTarMembers } from "../../src/files/tar.ts";
import { createClient, loadConfig } from "../../src/index.ts";
import { Namespace } from "../../src/k8s/core/v1.ts";
import { parseImageReference } from "../../src/oci/registry/image-reference.ts";
import { RegistryClient } from "../../src/oci/registry/registry-client.ts";
import { pushBase } from "../unit/oci/base-image.ts";
import { startRegistry } from "../unit/oci/start-registry.ts";
import { freePorts } from "../../src/sandbox/webhooks/webhook-endpoint.ts";
import { LongRunning, repository, run, mustRun, temporaryFolder, until } from "./shell.ts";

const folder = temporaryFolder("envtest");
afterAll(() => folder.remove());
const running: LongRunning[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop("SIGKILL")));
});

const cli = join(repository, "bin/tsop.js");
const cache = { XDG_CACHE_HOME: join(folder.path, "cache") };
const options = { cwd: folder.path, env: cache };
let assets = "";
beforeAll(async () => {
  assets = (await mustRun(process.execPath, [cli, "envtest"], options)).trim();
});

/** A control plane, started with the flags of envtest. */
interface ControlPlane {
  readonly port: number;
  readonly certificates: string;
  readonly clients: Certificate;
  readonly etcd: LongRunning;
  readonly apiServer: LongRunning;
}

async function start(name: string, flags: readonly string[] = [], env = {}): Promise<ControlPlane> {
  const certificates = join(folder.path, name);
  mkdirSync(certificates);
  const now = Date.now();
  const clients = createAuthority(now);
  const server = issueServerCertificate(createAuthority(now), ["localhost", "127.0.0.1"], now);
  for (const [file, text] of [
    ["client-ca.crt", clients.cert],
    ["apiserver.crt", server.cert],
    ["apiserver.key", server.key],
  ])
    writeFileSync(join(certificates, file!), text!);
  const [etcdPort = 0, port = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${etcdPort}`;
  const etcd = launch("etcd", [
    `--data-dir=${certificates}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
  ]);
  await until("etcd is healthy", async () =>
    (await getHealth(url)) === '{"health":"true","reason":""}' ? true : undefined,
  );
  const apiServer = launch(
    "kube-apiserver",
    [
      `--etcd-servers=${url}`,
      "--allow-privileged=true",
      "--authorization-mode=RBAC",
      "--bind-address=127.0.0.1",
      `--cert-dir=${certificates}`,
      `--client-ca-file=${certificates}/client-ca.crt`,
      "--disable-admission-plugins=ServiceAccount",
      `--secure-port=${port}`,
      `--service-account-issuer=https://127.0.0.1:${port}/`,
      `--service-account-key-file=${certificates}/sa-signer.crt`,
      `--service-account-signing-key-file=${certificates}/sa-signer.key`,
      "--service-cluster-ip-range=10.0.0.0/24",
      ...flags,
    ],
    env,
  );
  const plane = { port, certificates, clients, etcd, apiServer };
  for (const path of ["/healthz", "/readyz", "/livez"])
    await until(`${path} is ok:\n${apiServer.output}`, async () =>
      (await ask(plane, path)).text === "ok" ? true : undefined,
    );
  return plane;
}

function launch(program: string, args: readonly string[], env = {}): LongRunning {
  const launched = new LongRunning(join(assets, program), args, { cwd: folder.path, env });
  running.push(launched);
  return launched;
}

/** Returns the body of a response, empty if nothing listens. */
function getHealth(url: string): Promise<string> {
  return new Promise((resolve) => {
    httpRequest(`${url}/health`, { agent: false }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString())).on("end", () => resolve(body));
    })
      .on("error", () => resolve(""))
      .end();
  });
}

interface Question {
  readonly method?: string;
  readonly token?: string;
  readonly user?: Certificate;
  readonly body?: unknown;
}

/** Sends a request, and returns the status, 0 if nothing listens, with the body. */
function ask({ port }: Pick<ControlPlane, "port">, path: string, { method, token, user, body }: Question = {}) {
  return new Promise<{ status: number; text: string; json: () => any }>((resolve) => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), "content-type": "application/json" };
    const target = { host: "127.0.0.1", port, path, method: method ?? (body ? "POST" : "GET"), headers, agent: false };
    request({ ...target, rejectUnauthorized: false, ...user }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text, json: () => JSON.parse(text) as unknown }),
      );
    })
      .on("error", () => resolve({ status: 0, text: "", json: () => undefined }))
      .end(body && JSON.stringify(body));
  });
}

/** Issues a certificate whose organizations are the user's groups, as envtest does. */
function issueUser(authority: Certificate, name: string, groups: readonly string[]): Certificate {
  const issuer = createPrivateKey(authority.key);
  const keys = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const part = (id: string, text: string): Buffer => set(sequence(oid(id), utf8(text)));
  const cert = signCertificate(
    {
      subject: sequence(...groups.map((group) => part("2.5.4.10", group)), part("2.5.4.3", name)),
      publicKey: keys.publicKey,
      notBefore: Date.now() - 60_000,
      notAfter: Date.now() + 600_000,
      keyUsages: ["digitalSignature"],
      extendedUsages: [clientAuth],
    },
    { name: distinguishedName("tsop-ca"), privateKey: issuer, publicKey: createPublicKey(issuer) },
  );
  return { cert, key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

const reviewPath = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
const maps = "/api/v1/namespaces/default/configmaps";

describe("the programs of tsop envtest", () => {
  it("know clients by their certificates, and enforce roles", async () => {
    const plane = await start("certificates");
    const admin = issueUser(plane.clients, "admin", ["system:masters", "dev"]);
    const user = issueUser(plane.clients, "ann", ["dev"]);
    const { userInfo } = (await ask(plane, reviewPath, { user: admin, body: review })).json().status;
    expect(userInfo).toEqual({
      username: "admin",
      groups: ["system:masters", "dev", "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
    });
    expect((await ask(plane, maps, { user: admin, body: map })).status).toBe(201);
    const refused = await ask(plane, maps, { user });
    expect([refused.status, refused.json().message]).toEqual([403, expect.stringContaining('User "ann" cannot list')]);
    expect((await ask(plane, maps)).json().message).toContain('User "system:anonymous" cannot list');
    const stranger = issueUser(createAuthority(Date.now()), "admin", ["system:masters"]);
    expect((await ask(plane, maps, { user: stranger })).status).toBe(401);
    expect((await ask(plane, maps, { token: "unknown" })).status).toBe(401);
    expect((await ask(plane, "/version", { user: admin })).json().gitVersion).toMatch(/^v1\.\d+\.\d+\+tsop$/);
    expect(plane.apiServer.output).toBe(
      `without effect in tsop's server: --service-account-issuer, --service-cluster-ip-range\nServing securely on 127.0.0.1:${plane.port}\n`,
    );
  });

  it("leave pods alone: without a service account, a node or a controller", async () => {
    const plane = await start("pods");
    const user = issueUser(plane.clients, "admin", ["system:masters"]);
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "a" },
      spec: { containers: [{ name: "a", image: "a" }] },
    };
    const { status, json } = await ask(plane, "/api/v1/namespaces/default/pods", { user, body: pod });
    expect([status, json().status.phase, json().spec.serviceAccountName]).toEqual([201, "Pending", undefined]);
    expect((await ask(plane, "/api/v1/nodes", { user })).json().items).toEqual([]);
  });

  it("end on SIGTERM with open watches, run in parallel, and share nothing", async () => {
    const planes = await Promise.all(["one", "two", "three"].map((name) => start(name)));
    const users = planes.map(({ clients }) => issueUser(clients, "admin", ["system:masters"]));
    const created = await Promise.all(
      planes.map((plane, index) => ask(plane, maps, { user: users[index]!, body: map })),
    );
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await ask(planes[0]!, maps, { user: users[1]! })).status).toBe(401);
    const watches = planes.map((plane, index) => ask(plane, `${maps}?watch=1`, { user: users[index]! }));
    const ends = planes.flatMap(({ etcd, apiServer }) => [apiServer.stop("SIGTERM"), etcd.stop("SIGTERM")]);
    expect(await Promise.all(ends)).toEqual([0, "SIGTERM", 0, "SIGTERM", 0, "SIGTERM"]);
    await Promise.all(watches);
  });

  it("log what is refused", async () => {
    const log = join(folder.path, "refused.log");
    const plane = await start("log", [], { TSOP_ENVTEST_LOG: log });
    const user = issueUser(plane.clients, "ann", ["system:masters"]);
    expect((await ask(plane, maps, { user: issueUser(plane.clients, "bob", []) })).status).toBe(403);
    expect((await ask(plane, `${maps}/absent`, { user })).status).toBe(404);
    await ask(plane, maps, { user, body: { ...map, metadata: { name: "A_b" } } });
    await ask(plane, "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/a", { user });
    await ask(plane, "/unknown", { user });
    const lines = readFileSync(log, "utf8").trim().split("\n");
    expect(lines.map((line) => line.replace(/^\S+Z \d+ /, ""))).toEqual([
      expect.stringMatching(
        /^refused: 403 GET \/api\/v1\/namespaces\/default\/configmaps \(bob\): configmaps is forbidden/,
      ),
      expect.stringMatching(/^refused: 422 POST .* \(ann\): ConfigMap "A_b" is invalid/),
      expect.stringMatching(/^unsupported: 404 GET .*\/flowschemas\/a \(ann\): \S/),
      expect.stringMatching(/^refused: 404 GET \/unknown \(ann\): \S/),
    ]);
  });

  it("make a certificate in the folder if there is none, and take a free port for 0", async () => {
    const certificates = join(folder.path, "new");
    const server = launch("kube-apiserver", [
      "--etcd-servers=http://127.0.0.1:1",
      "--secure-port=0",
      "--authorization-mode=RBAC",
      `--cert-dir=${certificates}`,
    ]);
    const [, port] = await server.prints(/Serving securely on 127\.0\.0\.1:(\d+)/);
    const ca = readFileSync(join(certificates, "apiserver.crt"), "utf8");
    const status = await new Promise((resolve, reject) => {
      request({ host: "localhost", port, path: "/healthz", ca, agent: false }, (response) =>
        resolve(response.statusCode),
      )
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
  });

  it.each([
    [["--foo"], "Error: unknown flag: --foo\n"],
    [["--secure-port=6443"], "Error: --etcd-servers must be specified\n"],
    [
      ["--etcd-servers=http://127.0.0.1:1", "--client-ca-file=/nope"],
      "Error: ENOENT: no such file or directory, open '/nope'\n",
    ],
  ])("fail with %j as kube-apiserver does", async (args, output) => {
    const { code, stderr } = await run(join(assets, "kube-apiserver"), args, { cwd: folder.path });
    expect([code, stderr]).toEqual([1, output]);
  });
});

describe("tsop envtest", () => {
  it("prints one folder, for processes in parallel and in a new cache", async () => {
    const env = { XDG_CACHE_HOME: join(folder.path, "fresh") };
    const prints = () => mustRun(process.execPath, [cli, "envtest"], { cwd: folder.path, env });
    const paths = new Set(await Promise.all([prints(), prints(), prints(), prints()]));
    expect(paths.size).toBe(1);
    const [path = ""] = paths;
    const { code, stdout } = await run(join(path.trim(), "kube-apiserver"), ["--version"], { cwd: folder.path });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Kubernetes v1\./)]);
  });

  it("names the version that it serves, and fails for another one", async () => {
    const envtest = (...args: string[]) => run(process.execPath, [cli, "envtest", ...args], options);
    const served = (await envtest("--kubernetes-version")).stdout.trim();
    expect(served).toMatch(/^1\.\d+\.\d+$/);
    for (const version of [served, `v${served}`, served.replace(/\d+$/, "x"), served.replace(/\.\d+$/, "")])
      expect(await envtest("--kubernetes-version", version)).toMatchObject({ code: 0, stdout: `${assets}\n` });
    const older = await envtest("--kubernetes-version", "1.36");
    expect(older.stdout.trim()).not.toBe(assets);
    const { stdout } = await run(join(older.stdout.trim(), "kube-apiserver"), ["--version"], { cwd: folder.path });
    expect(stdout).toMatch(/^Kubernetes v1\.36\.\d+\n$/);
    const other = await envtest("--kubernetes-version", "1.30.x");
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringMatching(/ 1\.37\.\d+ and 1\.36\.\d+, and 1\.30\.x is wanted/),
    ]);
  });
});

describe("tsop envtest --serve", () => {
  const start = (args: readonly string[] = []) => {
    const server = new LongRunning(process.execPath, [cli, "envtest", "--serve", ...args], options);
    running.push(server);
    return server;
  };
  const tokenOf = (kubeconfig: string) => /token: (\S+)/.exec(readFileSync(kubeconfig, "utf8"))?.[1] ?? "";
  const portOf = (kubeconfig: string) => Number(/127\.0\.0\.1:(\d+)/.exec(readFileSync(kubeconfig, "utf8"))?.[1]);

  it("prints the path of a kubeconfig once its objects are there, and removes it on SIGTERM", async () => {
    writeFileSync(join(folder.path, "map.yaml"), JSON.stringify(map));
    const server = start(["--apply", "map.yaml"]);
    const [, kubeconfig = ""] = await server.prints(/^(.*)\n/);
    const found = await ask({ port: portOf(kubeconfig) }, `${maps}/a`, { token: tokenOf(kubeconfig) });
    expect(found.status).toBe(200);
    expect(await server.stop("SIGTERM")).toBe(0);
    expect(server.output).toBe(`${kubeconfig}\n`);
    expect(existsSync(kubeconfig)).toBe(false);
  });

  it("ends with the process that has started it", async () => {
    const script = '"$0" "$1" envtest --serve & echo "pid $!"; read -r line';
    const parent = new LongRunning("sh", ["-c", script, process.execPath, cli], options);
    running.push(parent);
    const [, pid] = await parent.prints(/^pid (\d+)$/m);
    const [, kubeconfig = ""] = await parent.prints(/^(\/.*)$/m);
    parent.child.kill("SIGKILL");
    await until("the server has ended", () => (isAlive(Number(pid)) ? undefined : true));
    expect(existsSync(kubeconfig)).toBe(false);
  });
});

describe("tsop image envtest", () => {
  const client = new RegistryClient({ credentialsOf: async () => undefined });

  it("makes an image that serves on every platform of its base, the same each time", async () => {
    const registry = await startRegistry();
    const base = `${registry.host}/base:nonroot`;
    await pushBase(base, client);
    const name = `${registry.host}/team/tsop-envtest:v1`;
    const build = (...args: string[]) =>
      mustRun(process.execPath, [cli, "image", "envtest", "--base", base, ...args], { cwd: folder.path, env: cache });
    const pushed = await build("--push", name);
    const digest = await build("--output", "oci:image");
    expect(pushed).toBe(`${registry.host}/team/tsop-envtest@${digest}`);
    const reference = parseImageReference(name);
    const { config: descriptor, layers = [] } = await client.manifest(reference);
    const { config: settings } = await client.config(reference, descriptor!);
    const { Entrypoint: [, script = "", ...words] = [], Cmd = [] } = settings!;
    expect(Cmd).toEqual(["--listen=0.0.0.0:6443", "--kubeconfig=/tmp/kubeconfig"]);

    const root = join(folder.path, "root");
    for (const { path, body } of readTarMembers(gunzipSync(await client.blob(reference, layers.at(-1)!)))) {
      if (path.endsWith("/")) mkdirSync(join(root, path), { recursive: true });
      else writeFileSync(join(root, path), body);
    }
    await registry.stop();
    expect(existsSync(join(root, "licenses/LICENSE"))).toBe(true);
    const [port = 0] = await freePorts(1);
    const file = join(folder.path, "of-image");
    const args = [join(root, script), ...words, `--listen=127.0.0.1:${port}`, `--kubeconfig=${file}`];
    const server = new LongRunning(process.execPath, args, { cwd: folder.path, env: { HOME: root } });
    running.push(server);
    await server.prints(new RegExp(`^${file}$`, "m"));
    const config = await loadConfig({ kubeconfig: file });
    expect(config.server).toBe(`https://127.0.0.1:${port}`);
    const { items } = await createClient({ config }).list(Namespace);
    expect(items.map(({ metadata }) => metadata.name)).toContain("default");
    expect(await server.stop("SIGTERM")).toBe(0);
  });
});
