import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, createServer, type AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { issueCertificates } from "../../../src/apimachinery/certificates/issue-certificates.ts";
import { parseImageReference } from "../../../src/oci/registry/image-reference.ts";
import { digestOf } from "../../../src/oci/manifest.ts";
import { contentOf } from "../../../src/oci/registry/content.ts";
import { RegistryClient } from "../../../src/oci/registry/registry-client.ts";

const running: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

const body = Buffer.from("a layer");
const layer = contentOf("layer", body);
const credentialsOf = async () => ({ username: "user", password: "secret" });
const refused = { "www-authenticate": 'Basic realm="a"' };

it("gets no credentials over HTTP if it asks for an upload there", async () => {
  const { ca, server: pair } = issueCertificates(["127.0.0.1"], Date.now());
  const insecure: (string | undefined)[] = [];
  const secure = createTlsServer(pair, ({ method, headers, url = "" }, response) => {
    if (!headers.authorization) response.writeHead(401, refused);
    else if (method === "HEAD") response.writeHead(404);
    else response.writeHead(202, { location: `http://${headers.host}${url}1` });
    response.end();
  });
  const plain = createHttpServer(({ headers }, response) => {
    insecure.push(headers.authorization);
    response.writeHead(401, refused).end();
  });
  const host = await listenForBoth(secure, plain);
  const registry = new RegistryClient({ ca, credentialsOf });
  const pushed = registry.putBlob(parseImageReference(`${host}/team/bundle:v1`), layer);
  await expect(pushed).rejects.toMatchObject({ code: "TSOP_REGISTRY_DENIED" });
  expect(insecure).toEqual([undefined, undefined]);
});

it("gets no credentials if its token service has no TLS", async () => {
  const { ca, server: pair } = issueCertificates(["127.0.0.1"], Date.now());
  const asked: (string | undefined)[] = [];
  const tokens = createHttpServer(({ headers }, response) => {
    asked.push(headers.authorization);
    response.end('{"token":"a"}');
  });
  const challenge = { "www-authenticate": `Bearer realm="http://${await listenOn(tokens)}/token"` };
  const host = await listenOn(createTlsServer(pair, (_request, response) => response.writeHead(401, challenge).end()));
  const registry = new RegistryClient({ ca, credentialsOf });
  await expect(registry.manifest(parseImageReference(`${host}/team/bundle:v1`))).rejects.toMatchObject({
    code: "TSOP_REGISTRY_REALM",
  });
  expect(asked).toEqual([]);
});

describe.skipIf(process.platform === "darwin")(
  "a registry elsewhere (skipped on macOS, which has one loopback address)",
  () => {
    const elsewhere = "127.0.0.2";
    const limits = { isPrivate: (address: string) => address !== elsewhere };

    it.each(["127.0.0.1", "localhost"])("may not refer to %s", async (name) => {
      const asked: (string | undefined)[] = [];
      const here = createHttpServer(({ url }, response) => void (asked.push(url), response.end("{}")));
      const port = (await listenOn(here)).split(":")[1];
      const address = `http://${name}:${port}/secret`;
      const answers = {
        "/v2/a/redirect/manifests/v1": [302, { location: address }],
        "/v2/a/token/manifests/v1": [401, { "www-authenticate": `Bearer realm="${address}"` }],
        "/v2/a/upload/blobs/uploads/": [202, { location: address }],
      } as const;
      const registry = createHttpServer(({ url = "" }, response) => {
        const [status, headers] = answers[url as keyof typeof answers] ?? [404, {}];
        response.writeHead(status, headers).end();
      });
      const host = await listenOn(registry, elsewhere);
      const client = new RegistryClient({ credentialsOf, limits });
      const refusal = {
        code: "TSOP_REGISTRY_UNREACHABLE",
        message: expect.stringContaining("a server elsewhere refers to"),
      };
      const image = (repository: string) => parseImageReference(`${host}/a/${repository}:v1`);
      await expect(client.manifest(image("redirect"))).rejects.toMatchObject(refusal);
      await expect(client.manifest(image("token"))).rejects.toMatchObject(refusal);
      await expect(client.putBlob(image("upload"), layer)).rejects.toMatchObject(refusal);
      expect(asked).toEqual([]);
    });
  },
);

it("may refer to its own network if it is private itself", async () => {
  const other = await listen((_request, response) => response.end('{"layers":[]}'));
  const host = await listen((_request, response) => response.writeHead(307, { location: `http://${other}/` }).end());
  const registry = new RegistryClient({ credentialsOf });
  expect(await registry.manifest(parseImageReference(`${host}/team/bundle:v1`))).toEqual({ layers: [] });
});

it("may not redirect from HTTPS to HTTP", async () => {
  const { ca, server: pair } = issueCertificates(["127.0.0.1"], Date.now());
  const asked: (string | undefined)[] = [];
  const plain = await listen(({ url }, response) => void (asked.push(url), response.end("{}")));
  const headers = { location: `http://${plain}/` };
  const host = await listenOn(createTlsServer(pair, (_request, response) => response.writeHead(307, headers).end()));
  const registry = new RegistryClient({ ca, credentialsOf });
  await expect(registry.manifest(parseImageReference(`${host}/team/bundle:v1`))).rejects.toMatchObject({
    code: "TSOP_REGISTRY_REFUSED",
    message: expect.stringContaining("without TLS"),
  });
  expect(asked).toEqual([]);
});

it("must complete a response in time, however many bytes it sends", async () => {
  const host = await listen((_request, response) => {
    const timer = setInterval(() => response.write(" "), 5);
    response.on("close", () => clearInterval(timer));
  });
  const registry = new RegistryClient({ credentialsOf, limits: { deadlineMs: 300 } });
  await expect(registry.manifest(parseImageReference(`${host}/team/bundle:v1`))).rejects.toMatchObject({
    message: expect.stringContaining("no complete response within 0.3 seconds"),
  });
});

it("may send a manifest of at most 4 MiB, and a layer of its size", async () => {
  const host = await listen((_request, response) => response.end(Buffer.alloc((4 << 20) + 1)));
  const registry = new RegistryClient({ credentialsOf });
  const image = parseImageReference(`${host}/team/bundle:v1`);
  const refusal = (bytes: number) => ({
    message: expect.stringContaining(`the response is larger than ${bytes} bytes`),
  });
  await expect(registry.manifest(image)).rejects.toMatchObject(refusal(4 << 20));
  const layer = { mediaType: "a", digest: `sha256:${"0".repeat(64)}`, size: 2 << 20 };
  await expect(registry.blob(image, layer)).rejects.toMatchObject(refusal(2 << 20));
});

it("sends no layer that does not match its digest", async () => {
  const host = await listen((_request, response) => response.end("b layer"));
  const image = parseImageReference(`${host}/team/bundle:v1`);
  const blob = new RegistryClient({ credentialsOf }).blob(image, {
    mediaType: "a",
    digest: digestOf(body),
    size: body.length,
  });
  await expect(blob).rejects.toMatchObject({ code: "TSOP_REGISTRY_CORRUPT" });
});

it.each(["../../../../../api/v1/admin/shutdown", "sha256:short", `sha512:${"0".repeat(128)}`])(
  "receives no request for a layer with the digest %s",
  async (digest) => {
    const paths: (string | undefined)[] = [];
    const host = await listen(({ url }, response) => void (paths.push(url), response.writeHead(404).end()));
    const image = parseImageReference(`${host}/team/bundle:v1`);
    const blob = new RegistryClient({ credentialsOf }).blob(image, { mediaType: "a", digest, size: 1 });
    await expect(blob).rejects.toMatchObject({ code: "TSOP_REGISTRY_REFUSED" });
    expect(paths).toEqual([]);
  },
);

it.each([
  ["of its token service", 401, { "www-authenticate": 'Bearer realm="none"' }, "TSOP_REGISTRY_DENIED"],
  ["of a redirect", 302, { location: "http://[" }, "TSOP_REGISTRY_REFUSED"],
])("is rejected with an invalid address %s", async (_, status, headers, code) => {
  const host = await listen((_request, response) => response.writeHead(status, headers).end());
  const registry = new RegistryClient({ credentialsOf });
  await expect(registry.manifest(parseImageReference(`${host}/team/bundle:v1`))).rejects.toMatchObject({ code });
});

it("is rejected with an invalid upload address", async () => {
  const host = await listen(({ method }, response) => {
    response.writeHead(method === "HEAD" ? 404 : 202, { location: "http://[" }).end();
  });
  const registry = new RegistryClient({ credentialsOf });
  const pushed = registry.putBlob(parseImageReference(`${host}/team/bundle:v1`), layer);
  await expect(pushed).rejects.toMatchObject({ code: "TSOP_REGISTRY_REFUSED" });
});

function listen(listener: RequestListener): Promise<string> {
  return listenOn(createHttpServer(listener));
}

/** Listens on one port for both protocols: TLS begins with a byte that HTTP does not have. */
async function listenForBoth(secure: Server, plain: Server): Promise<string> {
  const ports = { secure: await listenOn(secure), plain: await listenOn(plain) };
  return listenOn(
    createServer((socket) =>
      socket.once("data", (first) => {
        const [host, port] = (first[0] === 22 ? ports.secure : ports.plain).split(":");
        const behind = connect({ host: host!, port: Number(port) });
        behind.write(first);
        socket.pipe(behind).pipe(socket);
      }),
    ),
  );
}

async function listenOn(server: ReturnType<typeof createServer>, address: string = "127.0.0.1"): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  running.push(server);
  return `${address}:${(server.address() as AddressInfo).port}`;
}
