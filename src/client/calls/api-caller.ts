import { apiVersionOf, type Kind } from "../../apimachinery/kind.ts";
import { ApiError } from "../../apimachinery/status.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { pause } from "../transport/abortable.ts";
import { isConnectionReset } from "../transport/connection-error.ts";
import { foreignStatus, parseStatus, withIndexHint } from "./refused-status.ts";
import type { Transport, TransportRequest, TransportResponse } from "../transport.ts";

export interface ApiCall {
  readonly method: TransportRequest["method"];
  readonly path: string;
  readonly kind: Kind;
  readonly subresource?: string | undefined;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiCallerOptions {
  /** Receives the text of the server's `Warning` headers. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Called for kinds that the server does not serve. */
  readonly onNotServed?: ((kind: Kind) => void) | undefined;
}

const maxRetries = 10;
/** The longest wait between two attempts, even if the server asks for more. */
export const maxRetryAfterSeconds: number = 5 * 60;
const json = "application/json";

/** Sends a call and reads the response: repeats requests that are safe to repeat, and throws error statuses. */
export class ApiCaller {
  private readonly transport: Transport;
  private readonly options: ApiCallerOptions;

  constructor(transport: Transport, options: ApiCallerOptions = {}) {
    this.transport = transport;
    this.options = options;
  }

  /** Returns the JSON of the response. */
  async call(call: ApiCall): Promise<unknown> {
    const response = await this.send(call, false);
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch (error) {
      const { method, path } = call;
      if (/^text\/plain\b/.test(String(response.headers["content-type"])))
        throw new TsopError("TSOP_ANSWER_TEXT", { method, path }, { cause: error });
      const reason = (error as Error).message;
      throw new TsopError("TSOP_ANSWER_UNREADABLE", { method, path, reason }, { cause: error });
    }
  }

  /** Returns the bytes of a streamed response. */
  async stream(call: ApiCall): Promise<AsyncIterable<Uint8Array>> {
    return (await this.send(call, true)).body;
  }

  private async send(call: ApiCall, stream: boolean): Promise<TransportResponse> {
    const request = toRequest(call, stream);
    for (let retry = 0; ; retry++) {
      const response = await this.attempt(request, retry);
      if (response) {
        this.reportWarnings(response.headers["warning"]);
        if (response.status >= 200 && response.status < 300) return response;
        const after = retryAfterSeconds(response);
        const error = refusal(call, { code: response.status, text: await response.text(), after });
        if (isKindNotServed(error)) this.options.onNotServed?.(call.kind);
        // A watch that must wait returns to its caller, which knows when to list again.
        if (stream || retry >= maxRetries || after === undefined) throw error;
        this.transport.retrying?.(request, String(response.status));
        await pause(after * 1000, call.signal);
      } else {
        this.transport.retrying?.(request, "<error>");
        await pause(1000, call.signal);
      }
    }
  }

  /** Returns `undefined` if the connection broke during a read, which can be repeated. */
  private async attempt(request: TransportRequest, retry: number): Promise<TransportResponse | undefined> {
    try {
      return await this.transport.request(request);
    } catch (error) {
      const again = request.method === "GET" && !request.stream && retry < maxRetries && isConnectionReset(error);
      if (!again) throw error;
      return undefined;
    }
  }

  private reportWarnings(header: string | string[] | undefined): void {
    const { onWarning } = this.options;
    if (!header || !onWarning) return;
    for (const bytes of [header].flat()) {
      // Go sends UTF-8, but Node decodes headers as latin1.
      const line = Buffer.from(bytes, "latin1").toString("utf8");
      for (const match of line.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) onWarning(match[1]!.replace(/\\(.)/g, "$1"));
    }
  }
}

function toRequest(call: ApiCall, stream: boolean): TransportRequest {
  const headers: Record<string, string> = { accept: call.accept ?? json };
  if (call.body !== undefined) headers["content-type"] = call.contentType ?? json;
  return {
    method: call.method,
    path: call.path,
    headers,
    stream,
    signal: call.signal,
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  };
}

function retryAfterSeconds(response: TransportResponse): number | undefined {
  if (response.status !== 429 && response.status < 500) return undefined;
  const seconds = Number.parseInt(String(response.headers["retry-after"] ?? ""), 10);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), maxRetryAfterSeconds);
}

interface Refusal {
  readonly code: number;
  readonly text: string;
  /** The seconds after which the server asks to repeat the request. */
  readonly after: number | undefined;
}

function refusal(call: ApiCall, { code, text, after }: Refusal): Error {
  const parsed = parseStatus(text);
  if (code === 404 && !parsed?.details?.name && !parsed?.details?.kind) return notServed(call);
  const status = withIndexHint(parsed ?? foreignStatus(code, text, call), call);
  if (after === undefined) return new ApiError(status);
  return new ApiError({ ...status, details: { retryAfterSeconds: after, ...status.details } });
}

/** A 404 without details concerns the path, not an object: the kind is not served. */
function notServed({ kind, subresource }: ApiCall): TsopError {
  const facts = { kind: kind.kind, apiVersion: apiVersionOf(kind), plural: kind.plural };
  if (subresource) return new TsopError("TSOP_SUBRESOURCE_NOT_SERVED", { ...facts, subresource });
  return new TsopError("TSOP_RESOURCE_NOT_SERVED", facts);
}

/**
 * Reports whether an error means that a CRD is not installed or its version is not served.
 *
 * @example
 * const hasMonitors = await client.kindFor("monitoring.coreos.com/v1", "ServiceMonitor").then(
 *   () => true,
 *   (error: unknown) => {
 *     if (isKindNotServed(error)) return false;
 *     throw error;
 *   },
 * );
 */
export function isKindNotServed(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "TSOP_RESOURCE_NOT_SERVED";
}
