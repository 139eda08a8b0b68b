import type { IncomingMessage, ServerResponse as HttpResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { isIP, type AddressInfo, type Socket } from "node:net";
import { avoidParserPause } from "../../apimachinery/certificates/avoid-parser-pause.ts";
import { ApiError, failure } from "../../apimachinery/status.ts";
import type { ServerRequest, ServerResponse, User } from "../api-server.ts";
import type { EmbeddedApiServer } from "../create-api-server.ts";
import { statusOf, unauthorized } from "../refusals.ts";
import {
  createAuthority,
  issueServerCertificate,
  type Certificate,
} from "../../apimachinery/certificates/issue-certificates.ts";
import { respondStatus } from "../representation/respond.ts";
import { answerUpgrade, detach, HttpRequest, readRequestBody, writeResponse } from "./http-message.ts";
import type { PeerCertificate, TLSSocket } from "node:tls";

export interface HttpOptions {
  /** The port; 0, the default, takes a free one. */
  readonly port?: number;
  /** The address to listen at; 127.0.0.1 by default. */
  readonly host?: string;
  /** The certificate of the server; by default one that `authority` issues. */
  readonly certificate?: Certificate;
  /** The certificates of authorities that issue certificates for clients, as PEM; without them, clients need tokens. */
  readonly clientAuthority?: string;
  /** Stops the server; open requests end. */
  readonly signal: AbortSignal;
  /** The authority of the server's certificate; a new one by default. */
  readonly authority?: Certificate;
  /** The administrator's token; by default derived from the server's key. */
  readonly token?: string;
  /** Stands before the server, to delay, change or cut requests and responses. */
  readonly intercept?: Interceptor | undefined;
  /** Time in milliseconds in which a client must send a whole request; one minute by default. */
  readonly requestTimeoutMs?: number;
}

/** Handles a request, mostly by passing it on. */
export type Interceptor = (
  request: ServerRequest,
  next: (request: ServerRequest) => Promise<ServerResponse>,
) => Promise<ServerResponse>;

/** Thrown by an interceptor to end the connection without a response. */
export class ConnectionCut extends Error {}

export interface RunningServer {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  /** The authority's certificate as PEM in base64, as kubeconfigs hold it. */
  readonly caData: string;
  readonly token: string;
  /** Settles when the server has stopped. */
  readonly done: Promise<void>;
}

/** The names of the certificate. Requests may also name any IP address: a host name is what a page can have rebound. */
export const serverNames: readonly string[] = ["localhost", "127.0.0.1", "kubernetes", "kubernetes.default.svc"];
const admin: User = { username: "admin", groups: ["system:masters"] };

/** The limit of a real server. */
const longestHeadersMs = 32_000;

/**
 * Listens on loopback with TLS of its own authority, unless the options say otherwise. Every request needs a token or a
 * certificate, and web pages are refused.
 */
export async function startHttp(server: EmbeddedApiServer, options: HttpOptions): Promise<RunningServer> {
  const now = Date.now();
  const { host = "127.0.0.1", clientAuthority } = options;
  const { certificate, ca } = options.certificate
    ? { certificate: options.certificate, ca: options.certificate.cert }
    : issue(options.authority ?? createAuthority(now), now);
  const token = server.users.add(admin, options.token);
  const { requestTimeoutMs = 60_000 } = options;
  const limits = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, longestHeadersMs),
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 5_000) / 2,
  };
  const clients = clientAuthority !== undefined && {
    requestCert: true,
    rejectUnauthorized: false,
    ca: clientAuthority,
  };
  const tls = { cert: certificate.cert, key: certificate.key, ...clients };
  const listener = createServer({ ...tls, ...limits }, (request, response) => {
    void answer(server, options.intercept, { request, response });
  });
  listener.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    detach(socket);
    void answerUpgradeRequest(server, options.intercept, { request, socket, head });
  });
  listener.keepAliveTimeout = 60_000;
  avoidParserPause(listener);
  const port = await listen(listener, options.port ?? 0, host);
  const url = `https://127.0.0.1:${port}`;
  const caData = Buffer.from(ca).toString("base64");
  return { url, port, caData, token, done: whenClosed(listener, options.signal) };
}

function issue(authority: Certificate, now: number): { certificate: Certificate; ca: string } {
  return { certificate: issueServerCertificate(authority, serverNames, now), ca: authority.cert };
}

function listen(listener: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(port, host, () => resolve((listener.address() as AddressInfo).port));
  });
}

function whenClosed(listener: Server, signal: AbortSignal): Promise<void> {
  // Some sockets have not sent a request, or completed the handshake.
  const sockets = new Set<Socket>();
  listener.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return new Promise((resolve) => {
    const stop = (): void => {
      listener.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: HttpResponse;
}

async function answer(
  server: EmbeddedApiServer,
  intercept: Interceptor | undefined,
  { request, response }: Exchange,
): Promise<void> {
  try {
    const user = authenticate(server, request);
    const body = await readRequestBody(request);
    const message = new HttpRequest(request, response, { body, user });
    await writeResponse(response, await passOn(server, intercept, message));
  } catch (error) {
    // A response that has begun cannot become an error.
    if (error instanceof ConnectionCut || response.headersSent) return void request.socket.destroy();
    const { url = "/", headers } = request;
    await writeResponse(
      response,
      respondStatus({ url, headers: headers as ServerRequest["headers"] }, statusOf(error)),
    );
  }
}

/** Handles a request, by the interceptor if there is one. */
export function passOn(
  server: EmbeddedApiServer,
  intercept: Interceptor | undefined,
  message: ServerRequest,
): Promise<ServerResponse> {
  return intercept ? intercept(message, (each) => server.handle(each)) : server.handle(message);
}

/** Answers a request for another protocol: exec, attach and port-forward. */
async function answerUpgradeRequest(
  server: EmbeddedApiServer,
  intercept: Interceptor | undefined,
  { request, socket, head }: { request: IncomingMessage; socket: Socket; head: Buffer },
): Promise<void> {
  try {
    const user = authenticate(server, request);
    const message = new HttpRequest(request, socket, { body: new Uint8Array(), user });
    await answerUpgrade({ socket, head }, await passOn(server, intercept, message));
  } catch (error) {
    if (error instanceof ConnectionCut) return void socket.destroy();
    const { url = "/", headers } = request;
    const refusal = respondStatus({ url, headers: headers as ServerRequest["headers"] }, statusOf(error));
    await answerUpgrade({ socket, head }, refusal);
  }
}

/**
 * Authenticates a request by the certificate of its connection or by its token; a request without either is anonymous if
 * roles are enforced. A web page must not
 * reach the server, even with a token: neither a page of another origin, nor one whose host name was made to resolve to
 * this address.
 */
function authenticate({ users, anonymous }: EmbeddedApiServer, { headers, socket }: IncomingMessage): User {
  const { origin, host = "", authorization = "" } = headers;
  if (origin !== undefined && origin !== `https://127.0.0.1:${socket.localPort}`)
    throw new ApiError(failure("Forbidden", "requests with an Origin header are refused"));
  const name = host.replace(/:\d+$/, "");
  if (!serverNames.includes(name) && isIP(name.replace(/^\[|\]$/g, "")) === 0)
    throw new ApiError(failure("Forbidden", `requests for the host ${JSON.stringify(host)} are refused`));
  const certified = certifiedUser(socket);
  if (certified) return certified;
  const [scheme = "", given = ""] = authorization.split(" ");
  const isToken = scheme.toLowerCase() === "bearer" && given !== "";
  const user = isToken ? users.find(given) : certified === undefined ? anonymous : undefined;
  if (!user) throw unauthorized();
  return user;
}

/** A connection's user, or `false` for a certificate that the clients' authority has not issued. */
type Certified = User | false | undefined;

const known = new WeakMap<Socket, Certified>();

/**
 * Returns the user whom the client's certificate names: the common name, with organizations as groups. Returns
 * `undefined` if the client has shown none, which is always so on a server that does not ask for certificates.
 */
function certifiedUser(socket: Socket): Certified {
  // Parsing a certificate takes longer than the rest of the authentication, and a connection has one.
  if (!known.has(socket)) known.set(socket, readUser(socket as TLSSocket));
  return known.get(socket);
}

function readUser(socket: TLSSocket): Certified {
  // Node returns nothing for a connection that has just been cut.
  const { subject, fingerprint256 } = (socket.getPeerCertificate() as Partial<PeerCertificate> | null) ?? {};
  if (subject === undefined || fingerprint256 === undefined) return undefined;
  if (!socket.authorized) return false;
  const [username = ""] = [subject.CN ?? []].flat();
  const groups = [subject.O ?? []].flat();
  const credential = `X509SHA256=${fingerprint256.replaceAll(":", "").toLowerCase()}`;
  return {
    username,
    groups: [...groups, "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": [credential] },
  };
}
