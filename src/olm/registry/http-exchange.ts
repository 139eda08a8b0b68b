import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { TsopError } from "../../errors/tsop-error.ts";

export interface Exchange {
  readonly method: "GET" | "HEAD" | "POST" | "PUT";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Certificates to trust in addition to the usual ones, in PEM form. */
  readonly ca?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

const patience = 60_000;
/** Bundles are small; a longer answer is not a bundle. */
const mostBytes = 256 << 20;

/** Sends a request and reads the answer. Connection and TLS errors name the registry. */
export async function exchange({ method, url, headers = {}, body, ca }: Exchange): Promise<Answer> {
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const request = url.protocol === "https:" ? requestHttps : requestHttp;
      const options = {
        method,
        headers: { ...headers, ...(body ? { "content-length": body.length } : {}) },
        ...(ca ? { ca } : {}),
      };
      const sent = request(url, options, (response) => {
        readAll(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          reject,
        );
      });
      sent.setTimeout(patience, () => sent.destroy(new Error(`no response within ${patience / 1000} seconds`)));
      sent.on("error", reject);
      sent.end(body);
    });
  } catch (cause) {
    throw explain(cause, url.host);
  }
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
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
