import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { ClientConfig } from "../../../../src/client/config/config.ts";

/** A TCP proxy before a server, which lets connections pass, accepts them in silence, or is closed. */
export class SwitchProxy {
  readonly sockets: Set<Socket> = new Set();
  private readonly server: Server;
  private readonly target: number;
  private port = 0;
  private silent = false;

  constructor(config: ClientConfig) {
    this.target = Number(new URL(config.server).port);
    this.server = createServer((socket) => this.accept(socket));
  }

  /** Returns the configuration through the proxy. */
  async start(config: ClientConfig): Promise<ClientConfig> {
    await this.listen();
    return { ...config, server: `https://127.0.0.1:${this.port}` };
  }

  pass(): Promise<void> {
    this.silent = false;
    return this.listen();
  }

  /** Drops all data in both directions without closing a connection. */
  swallow(): Promise<void> {
    this.silent = true;
    for (const socket of this.sockets) socket.unpipe().resume();
    return this.listen();
  }

  async refuse(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    await new Promise<unknown>((resolve) => this.server.close(resolve));
  }

  private async listen(): Promise<void> {
    if (this.server.listening) return;
    await new Promise<void>((resolve) => this.server.listen(this.port, "127.0.0.1", resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  private accept(socket: Socket): void {
    this.keep(socket);
    if (this.silent) return void socket.resume();
    const upstream = connect(this.target, "127.0.0.1");
    this.keep(upstream);
    socket.pipe(upstream).pipe(socket);
    for (const [from, to] of [[socket, upstream], [upstream, socket]] as const) from.on("close", () => to.destroy()); // prettier-ignore
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => this.sockets.delete(socket));
  }
}
