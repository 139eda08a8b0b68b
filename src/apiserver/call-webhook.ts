import type { Status } from "../apimachinery/status.ts";
import { posix } from "node:path";
import { childIf, items, textOf } from "../apimachinery/fields.ts";
import type { MutatingWebhook, ServiceReference, WebhookClientConfig } from "../k8s/admissionregistration/v1.ts";
import type { Store } from "./storage/store.ts";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { messageOf } from "../errors/message-of.ts";

/** A webhook of a Mutating- or ValidatingWebhookConfiguration, defaulted. */
export type Webhook = MutatingWebhook & Required<Pick<MutatingWebhook, Defaulted>>;
type Defaulted = "failurePolicy" | "matchPolicy" | "namespaceSelector" | "objectSelector" | "timeoutSeconds";

/** Returns the address at which a service's webhooks listen, or why nothing answers there. */
export type ServiceResolver = (service: ServiceReference) => { url: string; caBundle?: string } | { problem: string };

interface WebhookCall {
  readonly config: WebhookClientConfig;
  readonly timeoutSeconds: number;
  readonly body: unknown;
  readonly resolveService: ServiceResolver;
}

/**
 * Posts to a webhook and returns its body. Throws an Error whose message ends the server's "failed to call webhook: …".
 */
export async function callWebhook({ config, timeoutSeconds, body, resolveService }: WebhookCall): Promise<string> {
  const { url, ca, host } = locate(config, resolveService, timeoutSeconds);
  const target = withCleanPath(url);
  target.searchParams.set("timeout", `${timeoutSeconds}s`);
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  const { status, type, text } = await postJson(target, body, { ca, host, signal });
  if (status < 200 || status > 206) throw new Error(refusal(status, saidIn(text, type)));
  if (text !== "") return text;
  throw new Error(`0-length response with status code: ${status} and content type: ${type}`);
}

/** Returns the text of a failed response: empty for a body without a type, `unknown` for a body that is not text. */
function saidIn(text: string, type: string): string {
  return text.trim() || (type === "" || type.startsWith("text/") ? "" : "unknown");
}

/** Decodes and cleans the path, as Go's client does: envtest configures `https://127.0.0.1:9443//validate`. */
function withCleanPath(url: string): URL {
  const [, given = ""] = /^\w+:\/\/[^/?#]*([^?#]*)/.exec(url) ?? [];
  const decoded = given.replaceAll(/(%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString(),
  );
  const path = posix.join("/", decoded);
  const target = new URL(url);
  target.pathname = encodeURI(path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);
  return target;
}

interface Location {
  readonly url: string;
  /** The authorities to trust; by default the system's. */
  readonly ca: readonly string[];
  /** A name for which the certificate may have been issued, in addition to the host of the URL. */
  readonly host?: string;
}

/** Returns the URL of a webhook. Services have no network, so the resolver knows their addresses. */
function locate(config: WebhookClientConfig, resolve: ServiceResolver, timeoutSeconds: number): Location {
  const given = config.caBundle ? [pem(config.caBundle)] : [];
  if (config.url) return { url: config.url, ca: given };
  const { service } = config;
  if (!service) throw new Error("webhook configuration must have either service or URL");
  const found = resolve(service);
  const host = `${service.name}.${service.namespace}.svc`;
  if ("problem" in found) {
    const called = `https://${host}:${service.port ?? 443}${service.path ?? "/"}?timeout=${timeoutSeconds}s`;
    throw new Error(`Post "${called}": ${found.problem}`);
  }
  // The server at the address may serve with the resolver's certificate, or with its own, as on a cluster.
  const ca = found.caBundle ? [found.caBundle, ...given] : given;
  return { url: new URL(service.path ?? "/", found.url).href, ca, host };
}

function pem(base64: string): string {
  return Buffer.from(base64, "base64").toString();
}

const refusals: Readonly<Record<number, string>> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  409: "the server reported a conflict",
  422: "the server rejected our request due to an error in our request",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};

/** Returns the Status that a response consists of, if it does. */
function statusOf(text: string): Partial<Status> | undefined {
  try {
    const status = JSON.parse(text) as Partial<Status> | null;
    return status?.kind === "Status" && status.apiVersion === "v1" ? status : undefined;
  } catch {
    return undefined;
  }
}

/** Describes an error response like a Go client. */
function refusal(status: number, text: string): string {
  const said = statusOf(text)?.message;
  if (said) return said;
  const known = status === 403 ? text : refusals[status];
  if (known !== undefined) return known;
  if (status >= 500)
    return `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

/** Returns a resolver for a server that reaches no service: it says what a real server would say of each. */
export function unreachableServices(store: Store): ServiceResolver {
  const services = store.collection({ group: "", plural: "services" });
  return ({ namespace, name, port = 443 }) => {
    const spec = childIf(services.get(`${namespace}/${name}`), "spec");
    if (!spec) return { problem: `service "${name}" not found` };
    if (!items(spec, "ports").some((each) => each["port"] === port))
      return { problem: `no service port ${port} found for service "${name}"` };
    const address = textOf(spec["clusterIP"]);
    if (address === "None") return { problem: `dial tcp: lookup ${name}.${namespace}.svc: no such host` };
    return { problem: `dial tcp ${address}:${port}: connect: connection refused` };
  };
}

interface PostOptions {
  /** The authorities to trust, as PEM texts; by default the system's. */
  readonly ca: readonly string[];
  /** A name for which the certificate may have been issued, in addition to the host of the URL. */
  readonly host?: string | undefined;
  readonly signal: AbortSignal;
}

interface Posted {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Posts JSON. Throws an Error with Go's message if a server does not answer. */
function postJson(url: URL, value: unknown, { ca, host, signal }: PostOptions): Promise<Posted> {
  const body = JSON.stringify(value);
  const options = {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    },
    signal,
    agent: false,
    // The bundle may be the serving certificate itself, without its authority.
    ...(ca.length > 0 && { ca: [...ca], allowPartialTrustChain: true }),
    ...(host && {
      checkServerIdentity: (own: string, certificate: PeerCertificate) =>
        checkServerIdentity(own, certificate) && checkServerIdentity(host, certificate),
    }),
  };
  const posted = new Promise<Posted>((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      readText(response).then((text) => resolve({ status, type: headers["content-type"] ?? "", text }), reject);
    });
    sent.once("error", reject);
    sent.end(body);
  });
  return posted.catch((error: unknown) => {
    throw new Error(`Post "${url.href}": ${connectionProblem(error, url, signal)}`, { cause: error });
  });
}

/** The most bytes of an answer: far more than a review of the largest object or list of objects takes. */
const largestAnswer = 16 * 1024 * 1024;

/** Reads a text of limited size. */
function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    let size = 0;
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => {
      size += chunk.length;
      if (size <= largestAnswer) text += chunk;
      else response.destroy(new Error(`the response is longer than ${largestAnswer} bytes`));
    });
    response.once("end", () => resolve(text));
    response.once("error", reject);
  });
}

/** Describes like Go why a server did not answer. */
function connectionProblem(error: unknown, url: URL, signal: AbortSignal): string {
  if (signal.aborted) return "context deadline exceeded";
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ECONNREFUSED") return `dial tcp ${url.host}: connect: connection refused`;
  if (code === "ECONNRESET") return "EOF";
  if (code === "ENOTFOUND") return `dial tcp: lookup ${url.hostname}: no such host`;
  const problem = certificateProblem(error);
  return problem ? `tls: failed to verify certificate: ${problem}` : messageOf(error);
}

/** Describes like Go why a server's certificate is not trusted; `undefined` for other errors. */
export function certificateProblem(error: unknown): string | undefined {
  const { code = "", host = "", cert } = error as NodeJS.ErrnoException & { host?: string; cert?: PeerCertificate };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `x509: certificate is valid for ${cert?.subjectaltname ?? "no name"}, not ${host}`;
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return "x509: certificate has expired or is not yet valid";
  return /CERT|SIGNATURE|SELF_SIGNED/.test(code) ? "x509: certificate signed by unknown authority" : undefined;
}
