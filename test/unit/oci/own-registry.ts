import { createPublicKey, verify } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createNetServer, type AddressInfo, type Server as NetServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { digestOf } from "../../../src/oci/manifest.ts";
import type { Registry, RegistryOptions } from "./start-registry.ts";

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}
interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Starts a registry in this process: what https://github.com/opencontainers/distribution-spec asks of pulls and pushes. */
export async function startOwnRegistry(options: RegistryOptions): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), "tsop-registry-"));
  const content = new Content(folder);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const asked = { method, url: new URL(url, "http://registry"), headers, body: Buffer.concat(chunks) };
    const reply = refusal(asked, options) ?? content.answer(asked);
    response.writeHead(reply.status, { "content-length": reply.body?.length ?? 0, ...reply.headers });
    response.end(method === "HEAD" ? undefined : reply.body);
  };
  const { tls } = options;
  const listener = (request: IncomingMessage, response: ServerResponse): void => void answer(request, response);
  const server = tls ? createTlsServer({ cert: tls.certificate, key: tls.key }, listener) : createServer(listener);
  const entrance = tls ? refusingPlain(server) : server;
  await new Promise<void>((resolve) => entrance.listen(0, "127.0.0.1", resolve));
  const sockets = new Set<Socket>();
  entrance.on("connection", (socket: Socket) => sockets.add(socket));
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => entrance.close(resolve));
    rmSync(folder, { recursive: true });
  };
  return { host: `127.0.0.1:${(entrance.address() as AddressInfo).port}`, folder, stop };
}

/** Answers HTTP on the port of a server with TLS, as servers in Go do. TLS begins with a byte that HTTP does not have. */
function refusingPlain(secure: Server): NetServer {
  const plain = createServer((_request, response) => {
    response.writeHead(400, { connection: "close" }).end("Client sent an HTTP request to an HTTPS server.\n");
  });
  return createNetServer((socket) =>
    socket.once("data", (first) => {
      socket.pause();
      socket.unshift(first);
      if (first[0] === 22) return secure.emit("connection", socket);
      plain.emit("connection", socket);
      return socket.resume();
    }),
  );
}

/** Stores what was pushed: bytes by their digest, as the registry of the CNCF does, and the digests and types of tags. */
class Content {
  private readonly folder: string;
  /** Manifests by `repository:tag` and `repository@digest`. */
  private readonly manifests = new Map<string, { digest: string; type: string }>();
  /** The blobs of each repository, as `repository@digest`. */
  private readonly links = new Set<string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  answer({ method, url, headers, body }: Asked): Reply {
    if (url.pathname === "/v2/") return { status: 200 };
    const [, name = "", what, reference = ""] = /^\/v2\/(.+?)\/(manifests|blobs)\/(.+)$/.exec(url.pathname) ?? [];
    if (what === "manifests") {
      return method === "PUT"
        ? this.putManifest(name, reference, { type: headers["content-type"] ?? "", body })
        : this.manifest(name, reference);
    }
    const isUpload = /^\/v2\/.+\/blobs\/uploads\/(.*)$/.exec(url.pathname);
    if (method === "POST" && isUpload) return this.startUpload(name, url);
    if (method === "PUT" && isUpload?.[1]) return this.putBlob(name, url.searchParams.get("digest") ?? "", body);
    if (what === "blobs" && this.has(name, reference)) return { status: 200, body: readFileSync(this.file(reference)) };
    return { status: 404 };
  }

  /** Mounts a blob of another repository if it is there, and starts an upload otherwise. */
  private startUpload(name: string, { pathname, searchParams }: URL): Reply {
    const mounted = searchParams.get("mount") ?? "";
    if (!this.has(searchParams.get("from") ?? "", mounted))
      return { status: 202, headers: { location: `${pathname}1` } };
    this.links.add(keyOf(name, mounted));
    return { status: 201 };
  }

  private manifest(name: string, reference: string): Reply {
    const found = this.manifests.get(keyOf(name, reference));
    if (!found) return { status: 404 };
    const headers = { "content-type": found.type, "docker-content-digest": found.digest };
    return { status: 200, headers, body: readFileSync(this.file(found.digest)) };
  }

  private putManifest(name: string, reference: string, { type, body }: { type: string; body: Buffer }): Reply {
    const { config, layers = [], manifests = [] } = JSON.parse(body.toString("utf8")) as Record<string, any>;
    const parts: { digest: string }[] = [...(config ? [config] : []), ...layers, ...manifests];
    const missing = parts.find(({ digest }) => !this.has(name, digest));
    if (missing)
      return { status: 400, body: Buffer.from(JSON.stringify({ errors: [{ code: "MANIFEST_BLOB_UNKNOWN" }] })) };
    const digest = digestOf(body);
    this.write(name, digest, body);
    for (const key of [keyOf(name, reference), keyOf(name, digest)]) this.manifests.set(key, { digest, type });
    return { status: 201, headers: { "docker-content-digest": digest } };
  }

  private putBlob(name: string, digest: string, body: Buffer): Reply {
    if (digestOf(body) !== digest) return { status: 400 };
    this.write(name, digest, body);
    return { status: 201 };
  }

  private has(name: string, digest: string): boolean {
    return this.links.has(keyOf(name, digest)) && existsSync(this.file(digest));
  }

  private write(name: string, digest: string, body: Buffer): void {
    this.links.add(keyOf(name, digest));
    mkdirSync(dirname(this.file(digest)), { recursive: true });
    writeFileSync(this.file(digest), body);
  }

  private file(digest: string): string {
    const hex = digest.slice("sha256:".length);
    return join(this.folder, "blobs/sha256", hex.slice(0, 2), hex, "data");
  }
}

function keyOf(name: string, reference: string): string {
  return name + (reference.includes(":") ? "@" : ":") + reference;
}

/** Returns the answer to a request without the required login or token. */
function refusal({ method, url, headers }: Asked, { password, token }: RegistryOptions): Reply | undefined {
  const [scheme = "", given = ""] = (headers.authorization ?? "").split(" ");
  if (password && (scheme !== "Basic" || Buffer.from(given, "base64").toString() !== "user:secret"))
    return { status: 401, headers: { "www-authenticate": 'Basic realm="test"' } };
  if (!token) return undefined;
  const [, name = ""] = /^\/v2\/(.+)\/(?:manifests|blobs)\//.exec(url.pathname) ?? [];
  const actions = method === "GET" || method === "HEAD" ? "pull" : "pull,push";
  const from = url.searchParams.get("from");
  const wanted = [{ name, actions }, ...(from === null ? [] : [{ name: from, actions: "pull" }])];
  const { certificate } = token;
  if (scheme === "Bearer" && wanted.every((each) => allows(given, { certificate, ...each }))) return undefined;
  const challenge = `Bearer realm="${token.realm}",service="registry",scope="repository:${name}:${actions}"`;
  return { status: 401, headers: { "www-authenticate": challenge } };
}

/** Reports whether a signed token allows actions in a repository. */
function allows(
  token: string,
  { certificate, name, actions }: Record<"certificate" | "name" | "actions", string>,
): boolean {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const key = createPublicKey(certificate);
  const isSigned = verify("RSA-SHA256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"));
  if (!isSigned) return false;
  const { access } = JSON.parse(Buffer.from(payload, "base64url").toString()) as {
    access: { name: string; actions: string[] }[];
  };
  return access.some(
    (each) => each.name === name && actions.split(",").every((action) => each.actions.includes(action)),
  );
}
