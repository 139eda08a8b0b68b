import { request as requestInClear, type IncomingMessage } from "node:http";
import { request } from "node:https";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { connectionProblem } from "./connection-problem.ts";

export interface PostOptions {
  /** The authorities to trust, as PEM texts; by default the system's. */
  readonly ca: readonly string[];
  /** A name for which the certificate may have been issued, in addition to the host of the URL. */
  readonly host?: string | undefined;
  readonly signal: AbortSignal;
}

export interface Posted {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A request of a chain of redirects; without a body it is a GET. */
interface Call {
  readonly url: URL;
  readonly body?: string;
}

const mostCalls = 10;

/**
 * Posts JSON, and follows redirects as Go's client does. Throws an Error with Go's message if a server does not answer.
 */
export async function postJson(url: URL, value: unknown, options: PostOptions): Promise<Posted> {
  let call: Call = { url, body: JSON.stringify(value) };
  for (let calls = 1; ; calls++) {
    const { location, ...posted } = await send(call, options).catch((error: unknown) => {
      const problem = connectionProblem(error, call.url, options.signal);
      throw new Error(`Post "${call.url.href}": ${problem}`, { cause: error });
    });
    const next = redirect(call, posted.status, location);
    if (!next) return posted;
    if (calls === mostCalls) throw new Error(`Post "${location}": stopped after ${mostCalls} redirects`);
    call = next;
  }
}

/** Returns the request that a redirect asks for: 307 and 308 keep the body, and the older redirects drop it. */
function redirect({ url, body }: Call, status: number, location: string | undefined): Call | undefined {
  if (!location || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  if (!URL.canParse(location, url.href))
    throw new Error(`Post "${url.href}": failed to parse Location header "${location}"`);
  return { url: new URL(location, url), ...(status >= 307 && body !== undefined && { body }) };
}

interface Answer extends Posted {
  readonly location: string | undefined;
}

function send({ url, body }: Call, { ca, host, signal }: PostOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const content = body !== undefined && {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const options = {
      method: body === undefined ? "GET" : "POST",
      headers: { accept: "application/json", ...content },
      signal,
      agent: false,
      // The bundle may be the serving certificate itself, without its authority.
      ...(ca.length > 0 && { ca: [...ca], allowPartialTrustChain: true }),
      ...(host && {
        checkServerIdentity: (own: string, certificate: PeerCertificate) =>
          checkServerIdentity(own, certificate) && checkServerIdentity(host, certificate),
      }),
    };
    const receive = (response: IncomingMessage): void => {
      const { statusCode: status = 0, headers } = response;
      const { "content-type": type = "", location } = headers;
      readText(response).then((text) => resolve({ status, type, text, location }), reject);
    };
    const sent = requesterOf(url)(url, options, receive);
    sent.once("error", reject);
    sent.end(body);
  });
}

function requesterOf({ protocol }: URL): typeof request {
  if (protocol === "https:") return request;
  if (protocol === "http:") return requestInClear;
  throw new Error(`unsupported protocol scheme "${protocol.slice(0, -1)}"`);
}

/** The most bytes of an answer: far more than a review of the largest object or list of objects takes. */
const largestAnswer = 16 * 1024 * 1024;

/** Reads a text of limited size. */
export function readText(response: IncomingMessage): Promise<string> {
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
