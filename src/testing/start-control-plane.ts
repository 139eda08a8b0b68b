import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority, issueClientCertificate } from "../apimachinery/certificates/issue-certificates.ts";
import type { ClientConfig } from "../client/config/config.ts";
import { freePorts } from "../sandbox/webhooks/webhook-endpoint.ts";
import { runProgram, type Program } from "./control-plane-program.ts";
import { findAsset } from "./find-asset.ts";

export interface ControlPlaneOptions {
  /** The folder of etcd and kube-apiserver. */
  readonly assets: string;
  readonly startTimeoutMs: number;
  readonly stopTimeoutMs: number;
  /** Passes on the output of the programs. */
  readonly attachOutput: boolean;
  /** Environment variables, which may name the programs as for envtest: TEST_ASSET_ETCD, TEST_ASSET_KUBE_APISERVER. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** More flags for kube-apiserver. */
  readonly apiServerArguments?: readonly string[];
}

/** A real etcd and kube-apiserver, without controllers and nodes, as in envtest. */
export interface ControlPlane {
  readonly config: ClientConfig;
  /** The URL of etcd. */
  readonly etcd: string;
  /** Kills kube-apiserver and starts it again with the same port, data and credentials. */
  restartApiServer(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts etcd and kube-apiserver on free loopback ports with data in a temporary folder, and waits until they are
 * healthy.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const find = (program: string) => findAsset(program, options.assets, options.env ?? {});
  const programs = { etcd: find("etcd"), apiServer: find("kube-apiserver") };
  const folder = await mkdtemp(join(tmpdir(), "tsop-envtest-"));
  const running: Program[] = [];
  const stop = async (): Promise<void> => {
    // In reverse order: the API server needs etcd until it has stopped.
    for (const program of running.toReversed()) await program.stop(options.stopTimeoutMs);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const [etcdPort, peerPort, port] = await freePorts(3);
    const [etcd, server] = [`http://127.0.0.1:${etcdPort}`, `https://127.0.0.1:${port}`];
    running[0] = runProgram(programs.etcd, etcdArguments(folder, etcdPort!, peerPort!), options.attachOutput);
    await running[0].untilHealthy(`${etcd}/health`, options.startTimeoutMs);
    const token = randomBytes(16).toString("hex");
    const args = await apiServerArguments(folder, { etcdPort: etcdPort!, port: port!, token });
    args.push(...(options.apiServerArguments ?? []));
    const startApiServer = async (): Promise<void> => {
      running[1] = runProgram(programs.apiServer, args, options.attachOutput);
      // The server creates the namespace after it is ready; on a busy machine, a first test would miss it.
      for (const path of ["/readyz", "/api/v1/namespaces/default"])
        await running[1].untilHealthy(server + path, options.startTimeoutMs, token);
    };
    await startApiServer();
    const ca = await readFile(join(folder, "apiserver.crt"), "utf8");
    return {
      config: { server, namespace: "default", source: "the test control plane", ca, token },
      etcd,
      async restartApiServer() {
        await running[1]!.stop(0);
        await startApiServer();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function etcdArguments(folder: string, clientPort: number, peerPort: number): string[] {
  const [client, peer] = [clientPort, peerPort].map((port) => `http://127.0.0.1:${port}`);
  return [
    `--data-dir=${join(folder, "etcd")}`,
    "--unsafe-no-fsync",
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
}

async function apiServerArguments(
  folder: string,
  { etcdPort, port, token }: { etcdPort: number; port: number; token: string },
): Promise<string[]> {
  const [tokens, key, publicKey] = ["tokens.csv", "sa.key", "sa.pub"].map((name) => join(folder, name));
  const pair = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "sec1", format: "pem" },
  });
  const [proxyAuthority, proxyCert, proxyKey] = ["proxy-ca.crt", "proxy.crt", "proxy.key"].map((name) =>
    join(folder, name),
  );
  const authority = createAuthority(Date.now());
  const proxy = issueClientCertificate(authority, "front-proxy-client", Date.now());
  await writeFile(proxyAuthority!, authority.cert);
  await writeFile(proxyCert!, proxy.cert);
  await writeFile(proxyKey!, proxy.key, { mode: 0o600 });
  await writeFile(tokens!, `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  await writeFile(key!, pair.privateKey, { mode: 0o600 });
  await writeFile(publicKey!, pair.publicKey);
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${port}`,
    `--cert-dir=${folder}`,
    `--token-auth-file=${tokens}`,
    "--authorization-mode=RBAC",
    "--disable-admission-plugins=ServiceAccount",
    "--service-cluster-ip-range=10.0.0.0/24",
    "--allow-privileged=true",
    "--endpoint-reconciler-type=none",
    `--service-account-issuer=https://127.0.0.1:${port}/`,
    `--service-account-key-file=${publicKey}`,
    `--service-account-signing-key-file=${key}`,
    // The identity towards extension servers, as every cluster has it.
    `--requestheader-client-ca-file=${proxyAuthority}`,
    "--requestheader-allowed-names=front-proxy-client",
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-uid-headers=X-Remote-Uid",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    `--proxy-client-cert-file=${proxyCert}`,
    `--proxy-client-key-file=${proxyKey}`,
  ];
}
