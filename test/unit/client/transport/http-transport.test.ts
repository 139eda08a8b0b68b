import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { X509Certificate } from "node:crypto";
import dns from "node:dns";
import { createServer, request as forward, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsSocketServer, type TLSSocket } from "node:tls";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { issueCertificates } from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import type { ClientConfig } from "../../../../src/client/config/config.ts";
import { Credentials } from "../../../../src/client/config/credentials.ts";
import { ExecCredentials } from "../../../../src/client/config/exec-credentials.ts";
import { HttpTransport, type HttpTransportOptions } from "../../../../src/client/transport/http-transport.ts";
import { listen, startTunnels } from "../listen.ts";
import { proxyFromEnvironment } from "../../../../src/client/config/proxy-from-environment.ts";

const certificates = issueCertificates(["localhost", "127.0.0.1"], Date.now());
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "transport-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** Starts a TLS server that records its requests. */
async function start(
  listener: RequestListener = (_request, response) => void response.end("{}"),
  certificate = certificates.server,
) {
  const requests: IncomingMessage[] = [];
  let handshakes = 0;
  const server = createTlsServer({ ...certificate }, (request, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.on("secureConnection", () => handshakes++);
  return { port: await listen(server), requests, handshakes: () => handshakes };
}

function transport(
  port: number,
  config: Partial<ClientConfig> = {},
  options: HttpTransportOptions = {},
): HttpTransport {
  const made = new HttpTransport(
    { server: `https://127.0.0.1:${port}`, namespace: "default", source: "test", ca: certificates.ca, ...config },
    options,
  );
  onTestFinished(() => made.close());
  return made;
}

async function get(from: HttpTransport, path = "/"): Promise<number> {
  const response = await from.request({ method: "GET", path });
  await response.text();
  return response.status;
}

/** Gives each name an address of both families; `meanwhile` runs once the connection to the first one has begun. */
function resolveToBoth(meanwhile: () => void = () => undefined): void {
  const addresses = [{ address: "127.0.0.1", family: 4 }, { address: "::1", family: 6 }]; // prettier-ignore
  const lookUp = (_host: string, _options: object, done: (error: null, found: typeof addresses) => void): void => {
    done(null, addresses);
    setImmediate(meanwhile);
  };
  const lookup = vi.spyOn(dns, "lookup").mockImplementation(lookUp as typeof dns.lookup);
  onTestFinished(() => lookup.mockRestore());
}

describe("the connections", () => {
  it("support a server behind a path", async () => {
    const { port, requests } = await start();
    await get(transport(port, { server: `https://127.0.0.1:${port}/k8s/clusters/c-1/` }), "/api/v1/pods?limit=1");
    expect(requests[0]!.url).toBe("/k8s/clusters/c-1/api/v1/pods?limit=1");
  });

  it.each<[string, Partial<ClientConfig>, RegExp]>([
    ["an unknown authority", { ca: issueCertificates(["x"], Date.now()).ca }, /certificate-authority must be the one/],
    ["another name", { tlsServerName: "other.example.com" }, /tls-server-name/],
  ])("reject a server with %s, and say how to trust it", async (_name, config, hint) => {
    const { port } = await start();
    const expected = { code: "TSOP_SERVER_CERTIFICATE", hint: expect.stringMatching(hint) as string };
    await expect(get(transport(port, config))).rejects.toMatchObject(expected);
  });

  it.each([
    ["has expired", -2],
    ["is not yet valid", 2],
  ])("reject a server whose certificate %s, and show the time", async (problem, years) => {
    const { ca, server } = issueCertificates(["127.0.0.1"], Date.now() + years * 365 * 24 * 3600_000);
    const { port } = await start(undefined, server);
    const time = new Date().toISOString().slice(0, 11);
    const failure = get(transport(port, { ca }));
    await expect(failure).rejects.toThrow(new RegExp(`certificate ${problem}.*; this machine's time is ${time}`));
    await expect(failure).rejects.toMatchObject({ hint: expect.stringMatching(/^if the time of this machine/) });
  });

  it("accept any server only if configured", async () => {
    const { port } = await start();
    const { ca: _ca, ...noAuthority } = { ca: "", insecureSkipTlsVerify: true };
    const unsafe = new HttpTransport({
      server: `https://127.0.0.1:${port}`,
      namespace: "",
      source: "",
      ...noAuthority,
    });
    onTestFinished(() => unsafe.close());
    expect(await get(unsafe)).toBe(200);
  });

  it("take the first of two addresses although the program is computing", async () => {
    const { port } = await start();
    resolveToBoth(() => {
      const end = performance.now() + 400;
      while (performance.now() < end);
    });
    expect(await get(transport(port, { server: `https://localhost:${port}` }))).toBe(200);
  });

  it("check the configured tls-server-name", async () => {
    const { port } = await start();
    expect(await get(transport(port, { tlsServerName: "localhost" }))).toBe(200);
  });

  it("report an unreachable server", async () => {
    const failure = get(transport(1));
    await expect(failure).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE" });
    await expect(failure).rejects.toThrow("connect ECONNREFUSED 127.0.0.1:1");
  });

  it("report why no address of a server is reachable", async () => {
    resolveToBoth();
    const failure = get(transport(1, { server: "https://localhost:1" }));
    await expect(failure).rejects.toThrow(/connect ECONNREFUSED 127\.0\.0\.1:1; connect E\w+ ::1:1/);
  });

  it.each(["socks4://127.0.0.1:1080", "proxy:3128"])("reject the unsupported proxy %s", (proxyUrl) => {
    expect(() => transport(1, { proxyUrl })).toThrow(expect.objectContaining({ code: "TSOP_PROXY_UNSUPPORTED" }));
  });

  it("do not show the login of an unsupported proxy", () => {
    const proxyUrl = "socks4://user:se@cret@127.0.0.1:1080";
    expect(() => transport(1, { proxyUrl })).toThrow("the proxy socks4://127.0.0.1:1080 can't be used");
  });

  it("reject an invalid URL", () => {
    expect(() => transport(1, { server: "10.0.0.1:6443" })).toThrow("10.0.0.1:6443 is not the URL of an API server");
  });

  it("are reported, once for each response or failure", async () => {
    const { port } = await start((_request, response) => void response.writeHead(404).end());
    const seen: string[] = [];
    const observer = {
      answered: ({ method, code }: { method: string; code: string }) => void seen.push(`${method} ${code}`),
    };
    await get(transport(port, {}, { observer }));
    await get(transport(1, {}, { observer })).catch(() => undefined);
    expect(seen).toEqual(["GET 404", "GET <error>"]);
  });
});

describe("measurements", () => {
  it("report durations, sizes and look-ups", async () => {
    const { port } = await start((_request, response) => void response.end("12345"));
    const seen: unknown[] = [];
    const note =
      (name: string) =>
      (...values: unknown[]): void =>
        void seen.push([name, ...values]);
    const observer = {
      answered: () => undefined,
      took: note("took"),
      sent: note("sent"),
      received: note("received"),
      resolved: note("resolved"),
    };
    const one = transport(port, { server: `https://localhost:${port}` }, { observer });
    await (await one.request({ method: "POST", path: "/", body: "é" })).text();
    const labels = { verb: "POST", host: `localhost:${port}` };
    expect(seen).toEqual([
      ["sent", labels, 2],
      ["resolved", labels.host, expect.any(Number)],
      ["took", labels, expect.any(Number)],
      ["received", labels, 5],
    ]);
  });
});

describe("a rate limit", () => {
  it("delays requests, except watches, and reports the delay", async () => {
    const { port } = await start();
    const waits: number[] = [];
    const observer = {
      answered: () => undefined,
      throttled: (_labels: unknown, seconds: number) => void waits.push(seconds),
    };
    const one = transport(port, { qps: 2, burst: 2 }, { observer });
    const sent = [get(one), get(one), get(one), get(one)];
    // The burst does not wait, not even for a turn of the event loop.
    expect(waits).toEqual([0, 0]);
    await Promise.all(sent);
    await (await one.request({ method: "GET", path: "/", stream: true })).text();
    expect(waits).toHaveLength(4);
    expect(waits[2]).toBeGreaterThan(0.2);
    expect(waits[3]).toBeGreaterThan(waits[2]! + 0.2);
  });
});

describe("the authentication", () => {
  it.each<[string, Partial<ClientConfig>, Record<string, string>]>([
    ["a token", { token: "secret" }, { authorization: "Bearer secret" }],
    ["a name and password", { username: "me", password: "p" }, { authorization: `Basic ${btoa("me:p")}` }],
    [
      "impersonation",
      { token: "t", impersonate: { user: "jane", uid: "7", groups: ["a", "b"], extra: { Scope: ["v"] } } },
      {
        authorization: "Bearer t",
        "impersonate-user": "jane",
        "impersonate-uid": "7",
        "impersonate-group": "a, b",
        "impersonate-extra-scope": "v",
      },
    ],
    [
      "impersonation of a user whose name is not ASCII, in UTF-8",
      { token: "t", impersonate: { user: "łódź", groups: ["é", "b"] } },
      {
        "impersonate-user": Buffer.from("łódź").toString("latin1"),
        "impersonate-group": `${Buffer.from("é").toString("latin1")}, b`,
      },
    ],
  ])("uses %s", async (_name, config, expected) => {
    const { port, requests } = await start();
    await get(transport(port, config, { userAgent: "my-operator" }));
    expect(requests[0]!.headers).toMatchObject({ ...expected, "user-agent": "my-operator" });
    if (config.impersonate) {
      // Two lines, not one with a comma, which the API server would read as one group.
      const groups = requests[0]!.rawHeaders.filter((name) => name.toLowerCase() === "impersonate-group");
      expect(groups).toHaveLength(2);
    }
  });

  it("uses a token file, and reads it again after a minute, or when the token is rejected", async () => {
    const tokenFile = join(folder(), "token");
    writeFileSync(tokenFile, "first\n");
    let now = 0;
    const accepted = new Set(["Bearer first", "Bearer second", "Bearer third"]);
    const { port, requests } = await start((request, response) => {
      response.writeHead(accepted.has(request.headers.authorization ?? "") ? 200 : 401).end("{}");
    });
    const config = { server: `https://127.0.0.1:${port}`, namespace: "", source: "", ca: certificates.ca, tokenFile };
    const one = transport(port, config, { credentials: new Credentials(config, () => now) });
    await get(one);
    writeFileSync(tokenFile, "second");
    await get(one);
    now = 60_000;
    await get(one);
    writeFileSync(tokenFile, "third");
    accepted.delete("Bearer second");
    expect(await get(one)).toBe(200);
    const tokens = requests.map(({ headers }) => headers.authorization?.replace("Bearer ", ""));
    expect(tokens).toEqual(["first", "first", "second", "second", "third"]);
  });

  it("uses the known token while its file is unreadable or empty", async () => {
    const tokenFile = join(folder(), "token");
    let now = 0;
    const { port, requests } = await start();
    const base = { server: `https://127.0.0.1:${port}`, namespace: "", source: "", ca: certificates.ca, tokenFile };
    const config = { ...base, token: "fallback" };
    const one = transport(port, config, { credentials: new Credentials(config, () => now) });
    await get(one);
    writeFileSync(tokenFile, "first");
    await get(one);
    now = 60_000;
    writeFileSync(tokenFile, "\n");
    await get(one);
    rmSync(tokenFile);
    await get(one);
    writeFileSync(tokenFile, "second");
    await get(one);
    const tokens = requests.map(({ headers }) => headers.authorization?.replace("Bearer ", ""));
    expect(tokens).toEqual(["fallback", "first", "first", "first", "second"]);
    writeFileSync(tokenFile, " ");
    await expect(get(transport(port, base))).rejects.toThrow(`the tokenFile ${tokenFile} can't be read: it is empty`);
  });

  it("names a missing file", async () => {
    const { port } = await start();
    const failure = get(transport(port, { tokenFile: "/nowhere/token" }));
    await expect(failure).rejects.toThrow("the tokenFile /nowhere/token can't be read: ENOENT");
  });

  it.each([
    ["certificate-authority", { caFile: "/nowhere/file" }],
    ["client-certificate", { certFile: "/nowhere/file", keyFile: "/nowhere/key" }],
    ["client-key", { keyFile: "/nowhere/file" }],
  ])("names the missing file of %s", async (field, config) => {
    const { port } = await start();
    const failure = get(transport(port, config));
    await expect(failure).rejects.toMatchObject({ code: "TSOP_CREDENTIALS_FILE" });
    await expect(failure).rejects.toThrow(`the ${field} /nowhere/file can't be read: ENOENT`);
  });

  it.each([
    ["no PEM", "no certificate", "no key"],
    ["the key of another certificate", certificates.server.cert, issueCertificates(["x"], Date.now()).server.key],
  ])("rejects %s", async (_name, cert, key) => {
    const { port } = await start();
    await expect(get(transport(port, { cert, key }))).rejects.toMatchObject({ code: "TSOP_CLIENT_CERTIFICATE" });
  });

  it("replaces a client certificate once both of its files are new, and goes on with the old one until then", async () => {
    const [certFile, keyFile] = [join(folder(), "tls.crt"), join(folder(), "tls.key")];
    const [old, next] = [certificates.server, issueCertificates(["x"], Date.now()).server];
    writeFileSync(certFile, old.cert);
    writeFileSync(keyFile, old.key);
    let now = 0;
    const { port, seen } = await startAskingForCertificate();
    const { ca } = certificates;
    const config = { server: `https://127.0.0.1:${port}`, namespace: "", source: "", ca, certFile, keyFile };
    const one = new HttpTransport(config, { credentials: new Credentials(config, () => now) });
    onTestFinished(() => one.close());
    const getAMinuteLater = (): Promise<number> => {
      now += 60_000;
      return get(one);
    };
    await get(one);
    writeFileSync(certFile, next.cert);
    await getAMinuteLater();
    rmSync(keyFile);
    await getAMinuteLater();
    writeFileSync(keyFile, next.key);
    await getAMinuteLater();
    const [before, after] = [old, next].map(({ cert }) => new X509Certificate(cert).fingerprint256);
    expect(seen).toEqual([before, before, before, after]);
  });

  it("reads an authority again that is replaced on disk", async () => {
    const caFile = join(folder(), "ca.crt");
    writeFileSync(caFile, certificates.ca);
    let now = 0;
    const { port } = await start();
    const config = { server: `https://127.0.0.1:${port}`, namespace: "", source: "", caFile };
    const one = new HttpTransport(config, { credentials: new Credentials(config, () => now) });
    onTestFinished(() => one.close());
    expect(await get(one)).toBe(200);
    writeFileSync(caFile, issueCertificates(["x"], Date.now()).ca);
    now = 60_000;
    await expect(get(one)).rejects.toMatchObject({ code: "TSOP_SERVER_CERTIFICATE" });
  });
});

/** Starts a server that remembers the fingerprint of each client's certificate. */
async function startAskingForCertificate(): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = [];
  const server = createTlsServer(
    { ...certificates.server, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      seen.push((request.socket as TLSSocket).getPeerCertificate().fingerprint256 ?? "nobody");
      response.end("{}");
    },
  );
  return { port: await listen(server), seen };
}

describe("a credential program", () => {
  /** Writes a program that records each run and prints the content of a file. */
  function program(output: object | string): {
    command: string;
    runs: () => string[];
    print: (output: object) => void;
  } {
    const path = folder();
    const [command, log, text] = [join(path, "get-token"), join(path, "log"), join(path, "output")];
    const print = (value: object | string): void =>
      writeFileSync(text, typeof value === "string" ? value : JSON.stringify(value));
    print(output);
    writeFileSync(log, "");
    writeFileSync(command, `#!/bin/sh\necho "$1 $MORE $KUBERNETES_EXEC_INFO" >> ${log}\ncat ${text}\n`);
    chmodSync(command, 0o755);
    return { command, print, runs: () => readFileSync(log, "utf8").trim().split("\n").filter(Boolean) };
  }

  const apiVersion = "client.authentication.k8s.io/v1";

  function credential(status: object): object {
    return { apiVersion, kind: "ExecCredential", status };
  }

  function exec(command: string): Partial<ClientConfig> {
    return {
      exec: {
        apiVersion,
        command,
        args: ["argument"],
        env: [{ name: "MORE", value: "env" }],
        interactiveMode: "Never",
        cluster: { server: "s" },
      },
    };
  }

  it("runs once for concurrent requests, with the arguments and the exec info in its environment", async () => {
    const { port, requests } = await start();
    const { command, runs } = program(credential({ token: "from-program" }));
    const one = transport(port, exec(command));
    await Promise.all([get(one), get(one), get(one)]);
    await get(one);
    expect(requests.every(({ headers }) => headers.authorization === "Bearer from-program")).toBe(true);
    const info = { kind: "ExecCredential", apiVersion, spec: { interactive: false, cluster: { server: "s" } } };
    expect(runs()).toEqual([`argument env ${JSON.stringify(info)}`]);
  });

  it.each<[string, (path: string) => Partial<ClientConfig>, string]>([
    ["a token", () => ({ token: "t" }), "Bearer t"],
    ["a token file", (path) => ({ tokenFile: path }), "Bearer from-file"],
    ["a name and password", () => ({ username: "me", password: "p" }), `Basic ${btoa("me:p")}`],
  ])("gives precedence to %s, like kubectl", async (_name, beside, expected) => {
    const { port, requests } = await start();
    const { command } = program(credential({ token: "from-program" }));
    const path = join(folder(), "token");
    writeFileSync(path, "from-file");
    await get(transport(port, { ...exec(command), ...beside(path) }));
    expect(requests[0]!.headers.authorization).toBe(expected);
  });

  it("gets the authorities of the cluster, not the path of their file", async () => {
    const { port } = await start();
    const { command, runs } = program(credential({ token: "t" }));
    const caFile = join(folder(), "ca.crt");
    writeFileSync(caFile, "PEM");
    const { exec: asked } = exec(command);
    await get(transport(port, { exec: { ...asked!, cluster: { server: "s", "certificate-authority": caFile } } }));
    const info = JSON.parse(runs()[0]!.replace(/^argument env /, "")) as { spec: object };
    expect(info.spec).toEqual({
      interactive: false,
      cluster: { server: "s", "certificate-authority-data": btoa("PEM") },
    });
  });

  it("needs a terminal if it must ask its user", async () => {
    const { port } = await start();
    const { exec: asked } = exec(program(credential({ token: "t" })).command);
    const failure = get(transport(port, { exec: { ...asked!, interactiveMode: "Always" } }));
    await expect(failure).rejects.toThrow("it needs a terminal for questions, but there is none");
  });

  it("can return a client certificate", async () => {
    const { port, seen } = await startAskingForCertificate();
    const { cert, key } = certificates.server;
    const { command } = program(credential({ clientCertificateData: cert, clientKeyData: key }));
    expect(await get(transport(port, exec(command)))).toBe(200);
    expect(seen).toEqual([new X509Certificate(cert).fingerprint256]);
  });

  it("runs again when its token expires, and when the server rejects it", async () => {
    const { port } = await start((request, response) => {
      response.writeHead(request.headers.authorization === "Bearer good" ? 200 : 401).end("{}");
    });
    const expired = new Date(Date.now() - 1000).toISOString();
    const { command, runs, print } = program(credential({ token: "good", expirationTimestamp: expired }));
    const one = transport(port, exec(command));
    await get(one);
    await get(one);
    expect(runs().length).toBeGreaterThanOrEqual(2);
    print(credential({ token: "bad" }));
    await get(one);
    const before = runs().length;
    print(credential({ token: "good" }));
    expect(await get(one)).toBe(200);
    expect(runs().length).toBe(before + 1);
  });

  it("is named if its expired credentials are rejected", async () => {
    const { port } = await start((_request, response) => response.writeHead(401).end("{}"));
    const expirationTimestamp = new Date(Date.now() - 1000).toISOString();
    const { command } = program(credential({ token: "old", expirationTimestamp }));
    const failure = get(transport(port, exec(command)));
    await expect(failure).rejects.toMatchObject({ code: "TSOP_CREDENTIALS_PROGRAM" });
    await expect(failure).rejects.toThrow(
      `the server rejects its credentials, which expired at ${expirationTimestamp}`,
    );
  });

  it("reports an unreadable authority", async () => {
    const { port } = await start();
    const { command } = program(credential({ token: "t" }));
    const config = { ...exec(command).exec!, cluster: { "certificate-authority": "/nowhere/ca.crt" } };
    await expect(get(transport(port, { exec: config }))).rejects.toThrow(
      "certificate-authority /nowhere/ca.crt can't be read",
    );
  });

  it.each<[string, object | string, string]>([
    ["text", "not json", "not JSON"],
    [
      "another version",
      { ...credential({ token: "t" }), apiVersion: "v0" },
      `it printed v0 ExecCredential, not ${apiVersion}`,
    ],
    ["invalid output", credential({}), "neither a token nor a certificate"],
  ])("fails with a clear message if it prints %s", async (_name, output, message) => {
    const { port } = await start();
    const failure = get(transport(port, exec(program(output).command)));
    await expect(failure).rejects.toMatchObject({ code: "TSOP_CREDENTIALS_PROGRAM" });
    await expect(failure).rejects.toThrow(message);
  });

  it("fails if it does not end, even if a program that it started goes on", async () => {
    const { command } = program(credential({ token: "t" }));
    writeFileSync(command, "#!/bin/sh\nsleep 10\n");
    const credentials = new ExecCredentials(exec(command).exec!, Date.now, 100);
    await expect(credentials.get()).rejects.toThrow(`${command} failed: it did not end within 0.1 s`);
  });

  it("fails as soon as it prints more than a megabyte", async () => {
    const { command } = program(credential({ token: "t" }));
    writeFileSync(command, "#!/bin/sh\nexec cat /dev/zero\n");
    const credentials = new ExecCredentials(exec(command).exec!);
    await expect(credentials.get()).rejects.toThrow(`${command} failed: it printed more than 1048576 bytes`);
  });

  it("names its installation hint if it is not installed", async () => {
    const { port } = await start();
    const config = exec("no-such-program-anywhere");
    const failure = get(transport(port, { exec: { ...config.exec!, installHint: "apt install it" } }));
    await expect(failure).rejects.toMatchObject({ hint: "apt install it" });
    await expect(failure).rejects.toThrow("it is not installed");
  });
});

describe("a proxy", () => {
  it("forwards to the server with a check of its certificate, and is kept open", async () => {
    const { port, handshakes } = await start();
    const { url, asked } = await startTunnels();
    const one = transport(port, { proxyUrl: url.replace("//", "//me:secret@") });
    expect([await get(one), await get(one)]).toEqual([200, 200]);
    expect(asked).toEqual([`127.0.0.1:${port} Basic ${btoa("me:secret")}`]);
    expect(handshakes()).toBe(1);
    const wrong = transport(port, { proxyUrl: url, ca: issueCertificates(["x"], Date.now()).ca });
    await expect(get(wrong)).rejects.toMatchObject({ code: "TSOP_SERVER_CERTIFICATE" });
  });

  it.each([
    ["head", "no complete response within 0.5 s"],
    ["body", "no complete response within 5 s"],
  ])("does not extend the time for a %s that trickles", async (part, message) => {
    const { port } = await start((_request, response) => {
      const send = (): void =>
        void (part === "head" ? response.writeEarlyHints({ link: "</a>" }) : response.write("x"));
      send();
      const timer = setInterval(send, 40);
      response.once("close", () => clearInterval(timer));
    });
    const { url } = await startTunnels();
    const one = transport(port, { proxyUrl: url }, { idleTimeoutMs: 500 });
    await expect(get(one)).rejects.toThrow(message);
  });

  it("does not hide that a response has a status that does not exist", async () => {
    const server = createTlsSocketServer(certificates.server, (socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 099 Strange\r\ncontent-length: 2\r\n\r\n{}"));
    });
    const { url } = await startTunnels();
    await expect(get(transport(await listen(server), { proxyUrl: url }))).rejects.toThrow(
      "the response is not HTTP/1.1: it has no status line",
    );
  });

  it("is named if it rejects, or is unreachable", async () => {
    const { port } = await start();
    const { url } = await startTunnels(true);
    await expect(get(transport(port, { proxyUrl: url }))).rejects.toThrow(
      `the proxy ${url.slice("http://".length)} responded with 407`,
    );
    await expect(get(transport(port, { proxyUrl: "http://127.0.0.1:1" }))).rejects.toThrow(
      "the proxy 127.0.0.1:1 cannot be reached",
    );
  });

  /** Starts a server without TLS, and a proxy that forwards requests to it. */
  async function startPlain(tls = false) {
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      requests.push(request);
      response.end("{}");
    });
    const asked: string[] = [];
    const listener: RequestListener = (request, response) => {
      const { "proxy-authorization": login = "", host } = request.headers;
      asked.push(`${request.method} ${request.url} ${host} ${login}`.trim());
      const { pathname, search } = new URL(request.url!);
      const headers = { accept: request.headers.accept ?? "" };
      const outgoing = forward({ host: "127.0.0.1", port, path: pathname + search, headers });
      outgoing.on("response", (answer) => answer.pipe(response)).end();
    };
    const proxy = tls ? createTlsServer(certificates.server, listener) : createServer(listener);
    let connections = 0;
    proxy.on("connection", () => connections++);
    const port = await listen(server);
    const [at, proxyAt] = [port, await listen(proxy)].map((each) => `127.0.0.1:${each}`);
    return { server: `http://${at}`, proxy: proxyAt!, requests, asked, connections: () => connections };
  }

  it("sends requests to a server without TLS itself, both short ones and streams", async () => {
    const { server, proxy, requests, asked, connections } = await startPlain();
    const one = transport(0, { server: `${server}/k8s`, proxyUrl: `http://me:s3%3Acret@${proxy}` });
    expect([await get(one, "/api?limit=1"), await get(one, "/apis")]).toEqual([200, 200]);
    const host = server.slice("http://".length);
    const login = `Basic ${btoa("me:s3:cret")}`;
    expect(asked).toEqual([
      `GET ${server}/k8s/api?limit=1 ${host} ${login}`,
      `GET ${server}/k8s/apis ${host} ${login}`,
    ]);
    expect(connections()).toBe(1);
    const watch = await one.request({ method: "GET", path: "/watch", stream: true });
    expect(await watch.text()).toBe("{}");
    expect(requests.map(({ url }) => url)).toEqual(["/k8s/api?limit=1", "/k8s/apis", "/k8s/watch"]);
  });

  it("gets the length of a write, also of one without a body", async () => {
    const { server, requests } = await startPlain();
    const { host } = await startSocks();
    const one = transport(0, { server, proxyUrl: `socks5://${host}` });
    for (const body of ["{}", undefined])
      await one.request({ method: "POST", path: "/", ...(body === undefined ? {} : { body }) });
    expect(requests.map(({ headers }) => headers["content-length"])).toEqual(["2", "0"]);
  });

  it("of HTTPS can forward to a server without TLS, if it is trusted", async () => {
    const { server, proxy } = await startPlain(true);
    const failure = get(transport(0, { server, proxyUrl: `https://${proxy}` }));
    await expect(failure).rejects.toMatchObject({ code: "TSOP_SERVER_CERTIFICATE" });
  });

  it("of SOCKS5 forwards to a server without TLS, and stays open longer than the connect timeout", async () => {
    const { server, requests } = await startPlain();
    const { host, asked } = await startSocks();
    const one = transport(0, { server, proxyUrl: `socks5://${host}` });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await get(one)).toBe(200);
    vi.advanceTimersByTime(50_000);
    expect(await get(one)).toBe(200);
    expect(asked).toEqual([server.slice("http://".length)]);
    expect(requests).toHaveLength(2);
  });

  it("of a server without TLS is named by its address if it does not respond", async () => {
    const { server } = await startPlain();
    const failure = get(transport(0, { server, proxyUrl: "http://127.0.0.1:1" }));
    await expect(failure).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE" });
    await expect(failure).rejects.toThrow("127.0.0.1:1");
  });

  /** Starts a SOCKS5 proxy that requires this name and password, if any, and records the destinations. */
  async function startSocks(login?: string, refusal = 0) {
    const asked: string[] = [];
    const proxy = createTcpServer((socket) => {
      let next = (data: Buffer): void => {
        expect(data[0]).toBe(5);
        socket.write(Buffer.from([5, login ? 2 : 0]));
        next = login ? checkLogin : go;
      };
      const checkLogin = (data: Buffer): void => {
        const name = data.subarray(2, 2 + data[1]!).toString();
        const password = data.subarray(3 + data[1]!).toString();
        socket.write(Buffer.from([1, `${name}:${password}` === login ? 0 : 1]));
        next = go;
      };
      const go = (data: Buffer): void => {
        const host = data[3] === 1 ? data.subarray(4, 8).join(".") : data.subarray(5, 5 + data[4]!).toString();
        const port = data.readUInt16BE(data.length - 2);
        asked.push(`${host}:${port}`);
        // The response arrives in two chunks.
        socket.write(Buffer.from([5, refusal]));
        setImmediate(() => socket.write(Buffer.from([0, 1, 0, 0, 0, 0, 0, 0])));
        if (refusal) return;
        const upstream = connect(port, "127.0.0.1");
        socket.on("close", () => upstream.destroy());
        next = (rest) => void upstream.write(rest);
        upstream.pipe(socket);
      };
      socket.on("data", (data) => next(data));
    });
    return { host: `127.0.0.1:${await listen(proxy)}`, asked };
  }

  it("of SOCKS5 can resolve names itself, and require a login", async () => {
    const { port, handshakes } = await start();
    const plain = await startSocks();
    const one = transport(port, { proxyUrl: `socks5://${plain.host}` });
    expect([await get(one), await get(one)]).toEqual([200, 200]);
    expect(plain.asked).toEqual([`127.0.0.1:${port}`]);
    expect(handshakes()).toBe(1);
    const guarded = await startSocks("me:s3:cret");
    const server = `https://localhost:${port}`;
    expect(await get(transport(port, { server, proxyUrl: `socks5h://me:s3%3Acret@${guarded.host}` }))).toBe(200);
    expect(guarded.asked).toEqual([`localhost:${port}`]);
  });

  it.each<{ proxy: string; login?: string; given?: string; refusal?: number; message: string }>([
    { proxy: "refuses the host", refusal: 2, message: "connection not allowed" },
    {
      proxy: "refuses the login",
      login: "me:other",
      given: "me:wrong@",
      message: "it rejects the user name and password",
    },
    { proxy: "wants a login", login: "me:other", message: "it accepts none of the supported authentication methods" },
  ])("of SOCKS5 that $proxy gives the reason", async ({ login, given = "", refusal, message }) => {
    const { port } = await start();
    const { host } = await startSocks(login, refusal);
    const failure = get(transport(port, { proxyUrl: `socks5://${given}${host}` }));
    await expect(failure).rejects.toThrow(`the proxy ${host} did not open a connection: `);
    await expect(failure).rejects.toThrow(message);
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ["https://api.example.com:6443", { HTTPS_PROXY: "http://p:1" }, "http://p:1"],
    ["https://api.example.com:6443", { https_proxy: "p:1" }, "http://p:1"],
    ["https://api.example.com:6443", { HTTP_PROXY: "http://p:1" }, undefined],
    ["http://api.example.com", { HTTP_PROXY: "http://p:1" }, "http://p:1"],
    ["https://127.0.0.1:6443", { HTTPS_PROXY: "http://p:1" }, undefined],
    ["https://localhost:6443", { HTTPS_PROXY: "http://p:1" }, undefined],
    ["https://api.example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "example.com" }, undefined],
    ["https://api.example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: ".example.com" }, undefined],
    ["https://example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: ".example.com" }, "http://p:1"],
    ["https://api.example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "*.example.com" }, undefined],
    ["https://example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "*.example.com" }, "http://p:1"],
    ["https://[fd00::7]:6443", { HTTPS_PROXY: "http://p:1", NO_PROXY: "fd00::/8" }, undefined],
    ["https://[fe80::7]:6443", { HTTPS_PROXY: "http://p:1", NO_PROXY: "fd00::/8,10.0.0.0/99,x/8" }, "http://p:1"],
    [
      "https://api.example.com",
      { HTTPS_PROXY: "", https_proxy: "http://p:1", NO_PROXY: "", no_proxy: "x" },
      "http://p:1",
    ],
    ["https://api.example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "ample.com" }, "http://p:1"],
    ["https://api.example.com:6443", { HTTPS_PROXY: "http://p:1", NO_PROXY: "api.example.com:443" }, "http://p:1"],
    ["https://api.example.com:6443", { HTTPS_PROXY: "http://p:1", no_proxy: "x, api.example.com:6443" }, undefined],
    ["https://10.1.2.3", { HTTPS_PROXY: "http://p:1", NO_PROXY: "10.0.0.0/8" }, undefined],
    ["https://11.1.2.3", { HTTPS_PROXY: "http://p:1", NO_PROXY: "10.0.0.0/8" }, "http://p:1"],
    ["https://api.example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "*" }, undefined],
  ])("for %s with the environment %j is %s", (server, env, expected) => {
    expect(proxyFromEnvironment(server, env)).toBe(expected);
  });
});
