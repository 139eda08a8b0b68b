import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, createServer, type AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { issueCertificates } from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import { parseImageReference } from "../../../../src/olm/registry/image-reference.ts";
import { RegistryClient } from "../../../../src/olm/registry/registry-client.ts";

const running: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

const body = Buffer.from("a layer");
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
  const pushed = registry.putBlob(parseImageReference(`${host}/team/bundle:v1`), body);
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

it.each(["../../../../../api/v1/admin/shutdown", "sha256:short", `sha512:${"0".repeat(128)}`])(
  "is asked for no layer with the digest %s",
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
])("is refused with an address %s that is none", async (_, status, headers, code) => {
  const host = await listen((_request, response) => response.writeHead(status, headers).end());
  const registry = new RegistryClient({ credentialsOf });
  await expect(registry.manifest(parseImageReference(`${host}/team/bundle:v1`))).rejects.toMatchObject({ code });
});

it("is refused with an address of an upload that is none", async () => {
  const host = await listen(({ method }, response) => {
    response.writeHead(method === "HEAD" ? 404 : 202, { location: "http://[" }).end();
  });
  const registry = new RegistryClient({ credentialsOf });
  const pushed = registry.putBlob(parseImageReference(`${host}/team/bundle:v1`), body);
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

async function listenOn(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.push(server);
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
