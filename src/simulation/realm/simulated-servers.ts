import { EventEmitter } from "node:events";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { Readable, Writable } from "node:stream";

/** The servers that a program has started, by port. */
export type ServerRegistry = Map<number, SimulatedServer>;

/** The first of the ports that servers without a wish get. */
const firstFreePort = 49_152;

/** A server of a program, which only the simulation reaches. */
export class SimulatedServer extends EventEmitter {
  listening = false;
  private readonly registry: ServerRegistry;
  private port = 0;

  constructor(registry: ServerRegistry, listener: RequestListener | undefined) {
    super();
    this.registry = registry;
    if (listener) this.on("request", listener);
  }

  listen(where: number | { readonly port?: number } = 0, ...rest: unknown[]): this {
    const wanted = typeof where === "object" ? (where.port ?? 0) : where;
    const done = rest.find((each) => typeof each === "function") as (() => void) | undefined;
    setImmediate(() => {
      if (this.registry.has(wanted)) {
        const error = new Error(`listen EADDRINUSE: address already in use :::${wanted}`);
        this.emit("error", Object.assign(error, { code: "EADDRINUSE" }));
        return;
      }
      this.port = wanted || firstFreePort + this.registry.size;
      this.registry.set(this.port, this);
      this.listening = true;
      this.emit("listening");
      done?.();
    });
    return this;
  }

  address(): object {
    return { address: "127.0.0.1", family: "IPv4", port: this.port };
  }

  close(done?: () => void): this {
    this.listening = false;
    this.registry.delete(this.port);
    setImmediate(() => {
      this.emit("close");
      done?.();
    });
    return this;
  }

  closeIdleConnections(): void {}
  closeAllConnections(): void {}
  setSecureContext(): void {}
  setTimeout(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

/** Returns the functions of a module that create servers. */
export function simulatedServers(module: string, registry: ServerRegistry): Record<string, unknown> | undefined {
  const names = { http: "createServer", https: "createServer", http2: "createSecureServer" };
  const name = Object.hasOwn(names, module) ? names[module as keyof typeof names] : undefined;
  if (!name) return undefined;
  return {
    [name]: (...args: unknown[]) =>
      new SimulatedServer(registry, args.find((each) => typeof each === "function") as RequestListener | undefined),
  };
}

export interface SimulatedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string | undefined;
}

export interface SimulatedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends a request to a server of a program, in the program's turn. */
export function sendTo(
  server: SimulatedServer,
  { method, path, headers, body }: SimulatedRequest,
): Promise<SimulatedAnswer> {
  return new Promise((resolve) => {
    const request = Object.assign(Readable.from(body === undefined ? [] : [Buffer.from(body)]), {
      method,
      url: path,
      headers,
      httpVersion: "1.1",
      socket: Object.assign(new EventEmitter(), { remoteAddress: "127.0.0.1", encrypted: true, authorized: false }),
    });
    server.emit("request", request, new SimulatedResponse(resolve));
  });
}

/** The response that a program writes. */
class SimulatedResponse extends Writable {
  statusCode = 200;
  headersSent = false;
  private readonly headers: Record<string, string> = {};
  private readonly parts: Buffer[] = [];

  constructor(answered: (answer: SimulatedAnswer) => void) {
    super({
      write: (part: Buffer | string, encoding, done) => {
        this.headersSent = true;
        this.parts.push(typeof part === "string" ? Buffer.from(part, encoding) : part);
        done();
      },
    });
    this.once("finish", () => {
      answered({ status: this.statusCode, headers: this.headers, text: Buffer.concat(this.parts).toString("utf8") });
    });
  }

  setHeader(name: string, value: string | number | readonly string[]): this {
    this.headers[name.toLowerCase()] = String(value);
    return this;
  }

  getHeader(name: string): string | undefined {
    return this.headers[name.toLowerCase()];
  }

  removeHeader(name: string): void {
    delete this.headers[name.toLowerCase()];
  }

  flushHeaders(): void {
    this.headersSent = true;
  }

  writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status;
    const headers = rest.find((each) => typeof each === "object" && each !== null) ?? {};
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value as string);
    this.headersSent = true;
    return this;
  }
}
