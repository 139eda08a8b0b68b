import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { Agent, request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type SecureVersion, type TLSSocket } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  issueCertificates,
  type ServerCertificates,
} from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import type { Clock } from "../../../../src/apimachinery/clock.ts";
import { discardLogger, type Logger } from "../../../../src/runtime/log/logger.ts";
import { zapLogger } from "../../../../src/runtime/log/zap-logger.ts";
import type { Metrics } from "../../../../src/runtime/metrics/metrics.ts";
import { processMetrics } from "../../../../src/runtime/metrics/prometheus-metrics.ts";
import { CertificateWatcher } from "../../../../src/runtime/servers/certificate-watcher.ts";
import { MetricsServer } from "../../../../src/runtime/servers/metrics-server.ts";
import type { TlsOptions } from "../../../../src/runtime/servers/serving-certificate.ts";
import { admission } from "../../../../src/runtime/webhook/admission.ts";
import { WebhookServer } from "../../../../src/runtime/webhook/webhook-server.ts";
import { manualClock, type ManualClock } from "../../../../src/testing/manual-clock.ts";
import { runInTest } from "../run.ts";

const pollMs = 10_000;

/** A folder like a mounted Secret of a kubelet: the files are links into a folder that is replaced as a whole. */
class MountedSecret {
  readonly path = mkdtempSync(join(tmpdir(), "tsop-certs-"));
  private versions = 0;

  constructor(files: Readonly<Record<string, string>>) {
    onTestFinished(() => rmSync(this.path, { recursive: true }));
    this.swing(files);
    for (const name of Object.keys(files)) symlinkSync(join("..data", name), join(this.path, name));
  }

  swing(files: Readonly<Record<string, string>>): void {
    const folder = `..version-${++this.versions}`;
    mkdirSync(join(this.path, folder));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.path, folder, name), text);
    symlinkSync(folder, join(this.path, "..next"));
    renameSync(join(this.path, "..next"), join(this.path, "..data"));
  }
}

function filesOf({ server }: ServerCertificates): Record<string, string> {
  return { "tls.crt": server.cert, "tls.key": server.key };
}

interface Server {
  readonly port: number | undefined;
  listen(): Promise<void>;
  start(signal: AbortSignal): Promise<void>;
}

interface Serving {
  readonly certDir: string;
  readonly http2: boolean;
  readonly tls: TlsOptions;
  readonly clock: Clock;
  readonly log: Logger;
}

const servers: readonly { name: string; make: (options: Serving) => Promise<Server> }[] = [
  {
    name: "the webhook server",
    async make({ clock, log, ...options }) {
      const parts = { log, clock, metrics: undefined };
      const server = new WebhookServer({ port: 0, host: "127.0.0.1", ...options }, parts);
      server.register("/metrics", () => admission.allowed());
      return server;
    },
  },
  {
    name: "the metrics server",
    async make({ clock, log, ...options }) {
      // Access control is off: it is not part of this test.
      const parts = { log, clock, metrics: processMetrics(), client: undefined as never };
      return new MetricsServer(
        { bindAddress: "127.0.0.1:0", secure: true, filter: () => undefined, ...options },
        parts,
      );
    },
  },
];

it("is counted for every read, and for every failed one", async () => {
  const counted: boolean[] = [];
  const { server } = issueCertificates(["localhost"], Date.now());
  const secret = new MountedSecret({ "tls.crt": server.cert, "tls.key": server.key });
  const [certFile, keyFile] = ["tls.crt", "tls.key"].map((name) => join(secret.path, name)) as [string, string];
  const metrics = { certificateRead: (failed: boolean) => void counted.push(failed) } as Metrics;
  const changes: unknown[] = [];
  const onChange = (pair: unknown): void => void changes.push(pair);
  const parts = { log: discardLogger, clock: manualClock(new Date(0)), metrics, onChange };
  const watcher = new CertificateWatcher({ certFile, keyFile, ...parts });
  const pair = await watcher.read();
  secret.swing({ "tls.crt": "half writ", "tls.key": server.key });
  await watcher.poll();
  await expect(watcher.read()).rejects.toMatchObject({ code: "TSOP_SERVING_CERTIFICATE" });
  expect(counted).toEqual([false, true, true]);
  secret.swing({ "tls.crt": server.cert, "tls.key": server.key });
  await watcher.poll();
  expect(await watcher.read()).toBe(pair);
  expect(changes).toEqual([]);
});

describe.each(servers)("the certificate of $name", ({ make }) => {
  const [first, second] = [issueCertificates(["localhost"], Date.now()), issueCertificates(["localhost"], Date.now())];

  async function start(http2 = false, tls: TlsOptions = {}) {
    const secret = new MountedSecret(filesOf(first));
    const clock = manualClock(new Date(0));
    let refused = 0;
    const log = zapLogger({ level: "error", write: () => void refused++ });
    const server = await make({ certDir: secret.path, http2, tls, clock, log });
    await server.listen();
    runInTest((signal) => server.start(signal));
    const refuses = async (files: Readonly<Record<string, string>>): Promise<void> => {
      const before = refused;
      secret.swing(files);
      await pollUntil(clock, () => refused > before, true);
    };
    return { secret, clock, port: server.port!, refuses };
  }

  /** Resolves with the error code of the verification; `authorized` means none. */
  function verify(port: number, { ca }: ServerCertificates): Promise<string> {
    return new Promise((resolve) => {
      const socket: TLSSocket = connect({ port, host: "127.0.0.1", servername: "localhost", ca }, () => {
        socket.end();
        resolve("authorized");
      });
      socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  }

  async function waitForChange(port: number, clock: ManualClock): Promise<void> {
    await pollUntil(clock, () => verify(port, second), "authorized");
    expect(await verify(port, first)).not.toBe("authorized");
  }

  it("is replaced for new connections, while an old connection stays open", async () => {
    const { secret, clock, port } = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: first.ca, servername: "localhost" });
    onTestFinished(() => agent.destroy());
    const ask = (): Promise<{ status: number | undefined; reused: boolean }> =>
      new Promise((resolve, reject) => {
        const sent = httpsRequest({ port, host: "127.0.0.1", path: "/metrics", agent }, (answer) => {
          answer.resume().once("end", () => resolve({ status: answer.statusCode, reused: sent.reusedSocket }));
        });
        sent.once("error", reject).end();
      });
    expect(await ask()).toEqual({ status: 200, reused: false });
    expect(await verify(port, second)).not.toBe("authorized");
    secret.swing(filesOf(second));
    expect(await verify(port, first)).toBe("authorized");
    await waitForChange(port, clock);
    // The connection was made with a certificate that this client no longer trusts.
    expect(await ask()).toEqual({ status: 200, reused: true });
  });

  it("is replaced in the same way for HTTP/2", async () => {
    const { secret, clock, port } = await start(true);
    const session = connectHttp2(`https://localhost:${port}`, { ca: first.ca });
    onTestFinished(() => session.close());
    expect(await statusOf(session)).toBe(200);
    secret.swing(filesOf(second));
    await waitForChange(port, clock);
    expect(await statusOf(session)).toBe(200);
  });

  it.each<[TlsOptions, SecureVersion, SecureVersion]>([
    [{ minVersion: "TLSv1.3" }, "TLSv1.2", "TLSv1.3"],
    [{}, "TLSv1.1", "TLSv1.2"],
    [{}, "TLSv1", "TLSv1.3"],
  ])("is shown with %j not by %s, but by %s, also when it is replaced", async (tls, refused, accepted) => {
    // OpenSSL's own level would refuse old versions before the server does.
    const ciphers = "DEFAULT@SECLEVEL=0";
    const { secret, clock, port } = await start(false, { ciphers, ...tls });
    const handshake = (version: SecureVersion): Promise<string> =>
      new Promise((resolve) => {
        const address = { port, host: "127.0.0.1", rejectUnauthorized: false };
        const options = { ...address, ciphers, minVersion: version, maxVersion: version };
        const socket = connect(options, () => resolve(socket.getProtocol() ?? ""));
        socket.once("secureConnect", () => socket.destroy());
        socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
      });
    for (const certificate of [first, second]) {
      secret.swing(filesOf(certificate));
      await pollUntil(clock, () => verify(port, certificate), "authorized");
      expect(await handshake(accepted)).toBe(accepted);
      expect(await handshake(refused)).toContain("PROTOCOL_VERSION");
    }
  });

  it("is kept while the files on the disk are invalid", async () => {
    const { secret, clock, port, refuses } = await start();
    const other = issueCertificates(["localhost"], Date.now());
    await refuses({ "tls.crt": other.server.cert, "tls.key": first.server.key });
    expect(await verify(port, first)).toBe("authorized");
    await refuses({ "tls.crt": "half writ", "tls.key": second.server.key });
    expect(await verify(port, first)).toBe("authorized");
    secret.swing(filesOf(second));
    await waitForChange(port, clock);
  });
});

/** Files are read asynchronously, and the next poll is scheduled only afterwards. */
async function pollUntil<T>(clock: ManualClock, look: () => T | Promise<T>, wanted: T): Promise<void> {
  const tryRead = async (): Promise<T> => {
    await clock.advance(pollMs);
    return look();
  };
  await expect.poll(tryRead).toBe(wanted);
}

function statusOf(session: ClientHttp2Session): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":path": "/metrics" });
    stream.once("response", (headers) => resolve(headers[":status"]));
    stream.once("error", reject).resume().end();
  });
}
