import { lookup } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, BlockList, type LookupFunction } from "node:net";
import { rootCertificates } from "node:tls";
import { TsopError } from "../../errors/tsop-error.ts";

export interface Exchange {
  readonly method: "GET" | "HEAD" | "POST" | "PUT";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Certificates to trust in addition to the usual ones, in PEM form. */
  readonly ca?: string | undefined;
  /** The answer that named the URL; absent if the user did. */
  readonly namedBy?: Answer;
  /** The size that an answer may have. */
  readonly mostBytes?: number;
  readonly limits?: ExchangeLimits | undefined;
}

export interface ExchangeLimits {
  /** The time in milliseconds in which an answer must be complete. */
  readonly deadlineMs?: number;
  /** Reports whether an address is one that a server elsewhere may not name. */
  readonly isPrivate?: (address: string) => boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** The address of the server. */
  readonly address: string;
}

/** The time in milliseconds without a byte, and until an answer is complete. */
const patience = { silence: 60_000, all: 600_000 };
/** The size of a manifest, a token or an error; registries accept manifests of this size. */
const usualBytes = 4 << 20;

/**
 * Sends a request and reads the answer. Connection and TLS errors name the registry. A server may not name a URL on this
 * machine or in a private network, unless it is there itself.
 */
export async function exchange(request: Exchange): Promise<Answer> {
  const { method, url, headers = {}, body, ca, namedBy, mostBytes = usualBytes, limits = {} } = request;
  const { deadlineMs = patience.all, isPrivate = isPrivateAddress } = limits;
  const refusesPrivate = namedBy !== undefined && !isPrivate(namedBy.address);
  let deadline: NodeJS.Timeout | undefined;
  try {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (refusesPrivate && isIP(host) && isPrivate(host)) throw privateAddress(host);
    return await new Promise<Answer>((resolve, reject) => {
      const open = url.protocol === "https:" ? requestHttps : requestHttp;
      const options = {
        method,
        headers: { ...headers, ...(body ? { "content-length": body.length } : {}) },
        ...(ca ? { ca: [...rootCertificates, ca] } : {}),
        ...(refusesPrivate ? { lookup: refusingLookup(isPrivate) } : {}),
      };
      const sent = open(url, options, (response) => {
        const { statusCode: status = 0, headers } = response;
        const address = response.socket.remoteAddress ?? "";
        readAll(response, mostBytes).then((body) => resolve({ status, headers, body, address }), reject);
      });
      const end = (reason: string): void => void sent.destroy(new Error(reason));
      sent.setTimeout(patience.silence, () => end(`no response within ${patience.silence / 1000} seconds`));
      deadline = setTimeout(() => end(`no complete response within ${deadlineMs / 1000} seconds`), deadlineMs);
      sent.on("error", reject);
      sent.end(body);
    });
  } catch (cause) {
    throw explain(cause, url.host);
  } finally {
    clearTimeout(deadline);
  }
}

/** Resolves names as usual, but to no private address: a name proves nothing. */
function refusingLookup(isPrivate: (address: string) => boolean): LookupFunction {
  return (name, options, callback) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      const hit = found?.find(({ address }) => isPrivate(address));
      if (error || hit) return callback(error ?? privateAddress(hit!.address), "", 0);
      if (options.all) return callback(null, found);
      callback(null, found[0]!.address, found[0]!.family);
    });
}

function privateAddress(address: string): Error {
  return new Error(`a server elsewhere refers to ${address}, an address of this machine or of a private network`);
}

async function readAll(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new Error(`the response is larger than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function explain(cause: unknown, host: string): TsopError {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  const reason = message || code;
  const isUntrusted = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/.test(code);
  if (isUntrusted) return new TsopError("TSOP_REGISTRY_CERTIFICATE", { host, reason }, { cause });
  return new TsopError("TSOP_REGISTRY_UNREACHABLE", { host, reason }, { cause });
}

/** Networks that only this machine or its neighbours reach; https://www.iana.org/assignments/iana-ipv4-special-registry */
const networks: readonly (readonly [address: string, prefix: number, family: "ipv4" | "ipv6"])[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["::", 127, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
];

/** Reports whether an IP address is one of this machine, of its link or of a private network. */
export function isPrivateAddress(address: string): boolean {
  const [bare = ""] = address.split("%");
  if (isIP(bare) === 0) return false;
  const list = new BlockList();
  for (const network of networks) list.addSubnet(...network);
  // An address of IPv4 that is written as one of IPv6 is recognized, too.
  return list.check(bare, isIP(bare) === 6 ? "ipv6" : "ipv4");
}
