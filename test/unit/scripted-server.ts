import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import type { Client } from "../../src/client/client.ts";
import type { ClientConfig } from "../../src/client/config/config.ts";
import { HttpTransport } from "../../src/client/transport/http-transport.ts";

export type Answer = (exchange: Exchange) => void | Promise<void>;

/** One request and the means to respond to it, successfully or with an error. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly url: URL;

  constructor(request: IncomingMessage, response: ServerResponse, body: string) {
    this.request = request;
    this.response = response;
    this.body = body;
    this.url = new URL(request.url ?? "/", "http://localhost");
  }

  get query(): Record<string, string> {
    return Object.fromEntries(this.url.searchParams);
  }

  json(value: unknown, status = 200, headers: Record<string, string> = {}): void {
    this.response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  }

  refuse(code: number, reason: string, headers: Record<string, string> = {}): void {
    const details = { name: "x", kind: "things" };
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason, details, code, message: reason }; // prettier-ignore
    this.json(status, code, headers);
  }

  /** Sends watch events, one per line; the stream stays open. */
  events(...events: object[]): void {
    if (!this.response.headersSent) this.response.writeHead(200, { "content-type": "application/json" });
    for (const event of events) this.response.write(`${JSON.stringify(event)}\n`);
  }

  text(text: string): void {
    if (!this.response.headersSent) this.response.writeHead(200, { "content-type": "application/json" });
    this.response.write(text);
  }

  end(): void {
    this.response.end();
  }

  /** Cuts the connection in the middle of the response. */
  cut(): void {
    this.request.socket.destroy();
  }
}

/** An HTTP server on loopback with scripted responses. */
export class ScriptedServer {
  readonly requests: string[] = [];
  readonly exchanges: Exchange[] = [];
  connections = 0;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly transports: HttpTransport[] = [];

  private constructor(answer: Answer) {
    this.server = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
        const exchange = new Exchange(request, response, Buffer.concat(chunks).toString());
        this.requests.push(`${request.method} ${request.url}`);
        this.exchanges.push(exchange);
        await answer(exchange);
      })().catch((error: unknown) => response.destroy(error as Error));
    });
    this.server.on("connection", (socket) => {
      this.connections++;
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
    });
  }

  /** Starts a server that stops when the test has finished. */
  static async start(answer: Answer): Promise<ScriptedServer> {
    const scripted = await ScriptedServer.open(answer);
    onTestFinished(() => scripted.stop());
    return scripted;
  }

  static async open(answer: Answer): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(answer);
    await new Promise<void>((resolve) => scripted.server.listen(0, "127.0.0.1", resolve));
    return scripted;
  }

  get config(): ClientConfig {
    const { port } = this.server.address() as AddressInfo;
    return { server: `http://127.0.0.1:${port}`, namespace: "default", source: "test" };
  }

  get openConnections(): number {
    return this.sockets.size;
  }

  client(options: Partial<ClientConfig> = {}): Client {
    const transport = new HttpTransport({ ...this.config, ...options });
    this.transports.push(transport);
    return createClient({ transport });
  }

  async stop(): Promise<void> {
    for (const transport of this.transports) transport.close();
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
