import type { IncomingMessage, ServerResponse as HttpResponse } from "node:http";
import type { ServerRequest, User } from "../api-server.ts";

/** A request that came by HTTP, once its body is there. */
export class HttpRequest implements ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly user: User;
  readonly #response: HttpResponse;
  #gone: AbortController | undefined;

  constructor(
    { method = "GET", url = "/", headers }: IncomingMessage,
    response: HttpResponse,
    { body, user }: Pick<ServerRequest, "body" | "user">,
  ) {
    this.method = method;
    this.url = url;
    this.headers = headers as Record<string, string | undefined>;
    this.body = body;
    this.user = user;
    this.#response = response;
  }

  /** Made when it is asked for: only watches and logs do, and signals are dear. */
  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal;
    const gone = (this.#gone = new AbortController());
    if (this.#response.closed) gone.abort();
    else this.#response.once("close", () => gone.abort());
    return gone.signal;
  }
}
