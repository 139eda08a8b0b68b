import { type IncomingMessage } from "node:http";
import { request } from "node:https";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { messageOf } from "../errors/message-of.ts";

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
export function postJson(url: URL, value: unknown, { ca, host, signal }: PostOptions): Promise<Posted> {
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
